"""Who may ask the workbench: this machine, with the token, from a page of its own.

A page of another site can make a browser send requests to this machine. It knows no token, its
`Origin` is another one, and a name that it let point here is not ours (`Host`)."""

from __future__ import annotations

import hmac
import secrets
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
MOST_BODY = 1 << 20


class Guard:
    """Lets through what is asked by our own pages, and gives every answer strict headers."""

    def __init__(self, app: ASGIApp, port: int, token: str | None = None) -> None:
        self.app = app
        self.token = token or secrets.token_urlsafe(24)
        self.cookie = f"rulespec-{port}"
        self.hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        answer = self._refusal(scope) or self.app
        await answer(scope, receive, with_headers)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if headers.get("host") not in self.hosts:
            return PlainTextResponse("this address is not the workbench's", 421)
        if int(headers.get("content-length") or 0) > MOST_BODY:
            return PlainTextResponse("too much was sent", 413)
        if scope["method"] not in ("GET", "HEAD"):
            origin = headers.get("origin")
            own = {f"http://{host}" for host in self.hosts}
            if origin not in own or headers.get("sec-fetch-site") not in (None, "same-origin"):
                return PlainTextResponse("only the workbench's own pages may ask for this", 403)
            if headers.get("transfer-encoding"):
                return PlainTextResponse("the length of what is sent has to be told", 411)
        return self._token(scope, headers)

    def _token(self, scope: Scope, headers: Headers) -> Response | None:
        if self._right(_cookies(headers).get(self.cookie)):
            return None
        asked = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = dict(asked).get("token")
        if not self._right(given):
            return PlainTextResponse(
                "this page needs the token of the workbench: open the address that "
                "`rulespec serve` printed",
                403,
            )
        rest = urlencode([pair for pair in asked if pair[0] != "token"])
        answer = RedirectResponse(scope["path"] + (f"?{rest}" if rest else ""), 303)
        answer.set_cookie(self.cookie, self.token, httponly=True, samesite="strict", path="/")
        return answer

    def _right(self, given: str | None) -> bool:
        return given is not None and hmac.compare_digest(
            given.encode("utf-8", "replace"), self.token.encode()
        )


def _cookies(headers: Headers) -> dict[str, str]:
    jar: SimpleCookie = SimpleCookie()
    try:
        jar.load(headers.get("cookie") or "")
    except CookieError:
        return {}
    return {name: morsel.value for name, morsel in jar.items()}
