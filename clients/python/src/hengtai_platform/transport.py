"""Signed calls that are repeated until the server answers them."""

import http.client
import json
import random
import threading
import time as clock
import urllib.parse
import uuid
from typing import Any, Callable, Optional

from .signature import sign

BASE = "/platform/v1/"
BACKOFF_FIRST_SECONDS = 0.25
BACKOFF_MAX_SECONDS = 8.0


class RefusedCall(Exception):
    """The server refused a call. The same call would be refused again."""

    def __init__(self, status: int, error: str, message: str, data: Any) -> None:
        super().__init__(f"{status} {error}: {message}")
        self.status = status
        """HTTP status."""
        self.error = error
        """The code of the refusal; empty if something before the server refused the call."""
        self.data = data


class Stopped(Exception):
    """The client was stopped before the server answered."""


class Transport:
    """Makes the calls of one client. It has a connection for each thread."""

    def __init__(
        self,
        url: str,
        key: str,
        secret: str,
        *,
        nonce: bool = False,
        timeout: float = 60.0,
        stop: Optional[threading.Event] = None,
        on_retry: Optional[Callable[[str, int, Exception], None]] = None,
        now: Optional[Callable[[], float]] = None,
        sleep: Optional[Callable[[float], None]] = None,
    ) -> None:
        self._address = urllib.parse.urlsplit(url)
        if self._address.scheme not in ("http", "https") or not self._address.hostname:
            raise ValueError(f"{url} is not the address of a server")
        self._key = key
        self._secret = secret
        self._nonce = nonce
        self._timeout = timeout
        self.stop = stop if stop is not None else threading.Event()
        self._on_retry = on_retry
        self._now = now if now is not None else lambda: clock.time() * 1000
        self._sleep = sleep if sleep is not None else self._wait
        self._skew = 0.0
        self._local = threading.local()

    def call(self, method: str, path: str, body: str = "", wait: float = 0.0) -> Any:
        """Makes a call and returns the ``data`` of its answer.

        Network errors, time-outs and answers of 500 and above are retried until the client is stopped, because the
        server may or may not have done the call; nothing takes effect twice.

        path: path below ``/platform/v1/``, with query
        wait: seconds that the server may delay its answer
        Raises RefusedCall and Stopped.
        """
        corrections = 0
        tries = 0
        while True:
            if self.stop.is_set():
                raise Stopped()
            error: Exception
            try:
                return self._attempt(method, BASE + path, body.encode(), wait)
            except RefusedCall as refused:
                if self._correct_clock(refused):
                    corrections += 1
                    # A clock that is wrong again after a correction is an outage like any other.
                    if corrections == 1:
                        continue
                elif not _is_temporary(refused.status):
                    raise
                error = refused
            except (OSError, http.client.HTTPException, _NoEnvelope) as failure:
                error = failure
            tries += 1
            if self._on_retry is not None:
                self._on_retry(path, tries, error)
            self._sleep(_backoff(tries - 1))

    def _attempt(self, method: str, target: str, body: bytes, wait: float) -> Any:
        time = str(round(self._now() + self._skew))
        headers = {"x-key": self._key, "x-time": time}
        if self._nonce:
            headers["x-nonce"] = str(uuid.uuid4())
            time = f"{time} {headers['x-nonce']}"
        headers["x-signature"] = sign(self._secret, time, method, target, body)
        if body:
            headers["content-type"] = "application/json"
        connection = self._connect(self._timeout + wait)
        try:
            connection.request(method, target, body=body or None, headers=headers)
            response = connection.getresponse()
            return _read_answer(response.status, response.read())
        except (OSError, http.client.HTTPException):
            # The connection may be in the middle of an answer.
            self.close()
            raise

    def _connect(self, timeout: float) -> http.client.HTTPConnection:
        found: Optional[http.client.HTTPConnection] = getattr(self._local, "connection", None)
        if found is None:
            kind = http.client.HTTPSConnection if self._address.scheme == "https" else http.client.HTTPConnection
            found = kind(self._address.hostname or "", self._address.port, timeout=timeout)
            self._local.connection = found
        found.timeout = timeout
        if found.sock is not None:
            found.sock.settimeout(timeout)
        return found

    def close(self) -> None:
        """Closes the connection of this thread. The next call opens another one."""
        found: Optional[http.client.HTTPConnection] = getattr(self._local, "connection", None)
        if found is not None:
            found.close()
            self._local.connection = None

    def _wait(self, seconds: float) -> None:
        self.stop.wait(seconds)

    def _correct_clock(self, refused: RefusedCall) -> bool:
        """Adopts the time of the server if it refused the call because of the clock."""
        server_time = refused.data.get("serverTime") if isinstance(refused.data, dict) else None
        if refused.error != "clock_skew" or not isinstance(server_time, (int, float)):
            return False
        self._skew = server_time - self._now()
        return True


class _NoEnvelope(Exception):
    """The answer is not one of the gateway, for example that of a proxy."""


def _read_answer(status: int, raw: bytes) -> Any:
    text = raw.decode("utf-8", "replace")
    try:
        envelope = json.loads(text)
    except ValueError:
        envelope = None
    is_envelope = isinstance(envelope, dict) and "data" in envelope
    if status != 200:
        fields = envelope if is_envelope else {}
        raise RefusedCall(status, fields.get("error", ""), fields.get("msg", text[:200]), fields.get("data"))
    if not is_envelope:
        raise _NoEnvelope(text[:200])
    return envelope["data"]


def _is_temporary(status: int) -> bool:
    """Whether the same call can succeed later."""
    return status >= 500 or status in (408, 429)


def _backoff(tries: int) -> float:
    """Seconds until the next try: doubles up to a maximum, with a random half, so that clients do not return at once."""
    most = min(BACKOFF_FIRST_SECONDS * 2 ** min(tries, 10), BACKOFF_MAX_SECONDS)
    return most / 2 + random.random() * most / 2
