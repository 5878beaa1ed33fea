"""Bytes to rounds, and back: every way in which a log of rounds is read or written."""
