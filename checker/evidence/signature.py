"""Reports signed with an Ed25519 key: who made this one, and was it changed since?"""

from __future__ import annotations

import base64
import os
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from rulespec.base.errors import CannotWrite, WrongCall
from rulespec.base.regular_files import open_regular

ALGORITHM: Final = "Ed25519"
_LARGEST: Final = 100_000  # bytes of a key file
_HOW: Final = "`rulespec verify --new-key FILE` makes a key"


def private_key(path: str) -> Any:
    """The key to sign with, from a PEM file."""
    serialization, ed25519 = _needed()
    try:
        found = serialization.load_pem_private_key(_bytes(path), password=None)
    except TypeError:
        advice = f"openssl pkey -in {path} -out OPEN.pem"
        raise WrongCall(f"the key in `{path}` is locked with a password", advice) from None
    except Exception:  # each kind of nonsense has its own class in each version of the package
        raise WrongCall(f"`{path}` is no private key in PEM", _HOW) from None
    if not isinstance(found, ed25519.Ed25519PrivateKey):
        raise WrongCall(f"the key in `{path}` is no {ALGORITHM} key", _HOW)
    return found


def public_key(path: str) -> Any:
    """The key to check a signature with, from a PEM file."""
    serialization, ed25519 = _needed()
    content = _bytes(path)
    try:
        found = serialization.load_pem_public_key(content)
    except Exception:
        if b"PRIVATE KEY" in content:
            advice = "`--key` takes the public key, which may be handed on"
            raise WrongCall(f"`{path}` is a private key", advice) from None
        raise WrongCall(f"`{path}` is no public key in PEM", _HOW) from None
    if not isinstance(found, ed25519.Ed25519PublicKey):
        raise WrongCall(f"the key in `{path}` is no {ALGORITHM} key", _HOW)
    return found


def new_key(path: Path) -> Path:
    """Write a new private key, and the public one beside it, whose place is returned."""
    serialization, ed25519 = _needed()
    beside = path.with_name(path.name + ".pub")
    for one in (path, beside):
        if one.exists():
            raise WrongCall(f"`{one}` exists", "a key is never written over: name another file")
    key = ed25519.Ed25519PrivateKey.generate()
    pem = serialization.Encoding.PEM
    private = key.private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    public = key.public_key().public_bytes(pem, serialization.PublicFormat.SubjectPublicKeyInfo)
    for one, content, mode in ((path, private, 0o600), (beside, public, 0o644)):
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            with open(os.open(one, flags, mode), "wb") as file:
                file.write(content)
        except OSError as error:
            raise CannotWrite(one, error) from None
    return beside


def sign(key: Any, seal: str) -> dict[str, str]:
    raw = _raw(key.public_key())
    return {
        "algorithm": ALGORITHM,
        "key": key_name(raw),
        "public_key": base64.b64encode(raw).decode(),
        "value": base64.b64encode(key.sign(signed_text(seal))).decode(),
    }


def signed_text(seal: str) -> bytes:
    return f"rulespec-report/1 {seal}".encode()


def is_good(signature: dict[str, str], seal: str, key: Any = None) -> bool:
    """Whether the signature is of this seal and of this key; without one, of the key that the
    signature brings, which says nothing about whose it is."""
    _, ed25519 = _needed()
    try:
        raw = base64.b64decode(signature["public_key"], validate=True)
        value = base64.b64decode(signature["value"], validate=True)
        brought = ed25519.Ed25519PublicKey.from_public_bytes(raw)
    except ValueError:
        return False
    if signature["algorithm"] != ALGORITHM or signature["key"] != key_name(raw):
        return False
    if key is not None and _raw(key) != raw:
        return False
    from cryptography.exceptions import InvalidSignature

    try:
        brought.verify(value, signed_text(seal))
    except InvalidSignature:
        return False
    return True


def key_name(raw: bytes) -> str:
    """By which people tell keys apart."""
    return sha256(raw).hexdigest()[:32]


def name_of(key: Any) -> str:
    return key_name(_raw(key))


def _raw(key: Any) -> bytes:
    found: bytes = key.public_bytes_raw()
    return found


def _bytes(path: str) -> bytes:
    try:
        with open_regular(path) as file:
            return file.read(_LARGEST)
    except OSError as error:
        told = (error.strerror or "it cannot be read").lower()
        raise WrongCall(f"the key `{path}` cannot be read: {told}", _HOW) from None


def _needed() -> tuple[Any, Any]:
    try:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError:
        raise WrongCall(
            "a signature needs the package `cryptography`", "pip install 'rulespec[sign]'"
        ) from None
    return serialization, ed25519
