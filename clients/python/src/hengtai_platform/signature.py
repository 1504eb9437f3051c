"""Signatures of calls and webhooks."""

import hashlib
import hmac
import re
import time as clock
from typing import Mapping, Optional, Sequence, Tuple, Union

WINDOW_MS = 5 * 60_000
"""The largest difference between ``x-time`` and the clock of the receiver."""


def sign(secret: str, time: str, method: str, path: str, body: Union[str, bytes] = b"") -> str:
    """Returns the value of ``x-signature``.

    time: value of ``x-time``, unix milliseconds; with a nonce, a space and the value of ``x-nonce`` behind it
    path: path with query, exactly as sent
    body: raw body; empty for GET
    """
    raw = body.encode() if isinstance(body, str) else body
    text = f"{time}\n{method}\n{path}\n".encode() + raw
    return hmac.new(secret.encode(), text, hashlib.sha256).hexdigest()


def check_webhook(
    method: str,
    path: str,
    headers: Mapping[str, str],
    body: Union[str, bytes],
    credentials: Sequence[Tuple[str, str]],
    now: Optional[int] = None,
) -> Optional[str]:
    """Checks a webhook of the back office. Compares in constant time, and accepts times within five minutes.

    body: as received; parsing and formatting it again would change its bytes
    credentials: all pairs of key and secret that are valid now: two during a rotation
    now: unix milliseconds

    Returns what is wrong (``unknown_key``, ``invalid_time``, ``clock_skew`` or ``bad_signature``), or None if the
    request is authentic.
    """
    values = {name.lower(): value for name, value in headers.items()}
    time = values.get("x-time", "")
    secret = next((one for key, one in credentials if _is_equal(values.get("x-key", ""), key)), None)
    if secret is None:
        return "unknown_key"
    if not re.fullmatch(r"[0-9]{1,16}", time):
        return "invalid_time"
    current = int(clock.time() * 1000) if now is None else now
    if abs(int(time) - current) > WINDOW_MS:
        return "clock_skew"
    expected = sign(secret, time, method, path, body)
    return None if _is_equal(values.get("x-signature", ""), expected) else "bad_signature"


def _is_equal(a: str, b: str) -> bool:
    return hmac.compare_digest(a.encode(), b.encode())
