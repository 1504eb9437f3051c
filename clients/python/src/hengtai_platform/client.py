"""Client of the platform gateway of one back office."""

import json
import threading
import urllib.parse
from typing import (
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    Literal,
    Mapping,
    Optional,
    Protocol,
    Sequence,
    Tuple,
    TypedDict,
    cast,
)

from .transport import RefusedCall, Stopped, Transport
from .types import Ack, AckAnswer, Command, EventAnswer, PlatformEvent

EVENTS_MAX = 1_000
BYTES_MAX = 8 * 1024 * 1024
POLL_SECONDS = 30

_Encoded = Tuple[str, str]


class Outbox(Protocol):
    """Events that wait to be sent, in a store that survives the process.

    Events enter it with the change that they report.
    """

    def next(self, limit: int) -> Sequence[PlatformEvent]:
        """The oldest events that are not marked, in their order, at most ``limit``."""
        ...

    def mark(self, answers: Sequence[EventAnswer]) -> None:
        """Stores the answers. An event with an answer must not be returned again, unless it will be retried."""
        ...


class LeaseAnswer(TypedDict):
    """The answer to a receipt or a renewal. ``lost``: another program has the command, or it is finished."""

    id: int
    result: Literal["applied", "duplicate", "lost"]
    until: Optional[int]


class AppliedEvent(TypedDict):
    """What is recorded of an event that took effect."""

    eventId: str
    type: str
    at: int
    recordedAt: int
    result: Literal["applied"]


class PlatformClient:
    """Signs and sends calls. Calls without an answer are repeated until the client is stopped.

    url: address of the back office, for example ``https://backoffice.example.com``
    nonce: sends a nonce with each try, so that nobody can repeat it; a key can demand this
    timeout: seconds to wait for an answer
    stop: ends all calls, also those that wait for a retry
    on_retry: called with path, number of failed tries and error before each retry, for logs
    now: clock in unix milliseconds; its error is corrected by the answers of the server
    sleep: waits between two tries, for a number of seconds
    """

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
        self._transport = Transport(
            url, key, secret, nonce=nonce, timeout=timeout, stop=stop, on_retry=on_retry, now=now, sleep=sleep
        )

    def send_events(self, events: Sequence[PlatformEvent]) -> List[EventAnswer]:
        """Reports events in order, in as many calls as they need, and returns an answer for each.

        An event that the server refuses for its form is answered ``rejected``, so that it does not hold up those after
        it. Do not call it in several threads at once: events of concurrent calls have no order.
        """
        answers: List[EventAnswer] = []
        for chunk in _chunks(_encode(events)):
            answers += self._send_chunk(chunk)
        return answers

    def dry_run(self, events: Sequence[PlatformEvent]) -> List[EventAnswer]:
        """The answers that the server would give to these events, which change nothing.

        One call: at most 1,000 events and 8 MiB.
        """
        body = json.dumps(list(events))
        return cast(List[EventAnswer], self._transport.call("POST", "events?dryRun=1", body))

    def drain_outbox(self, outbox: Outbox) -> int:
        """Sends the events of an outbox until it is empty, and returns how many were answered.

        After a crash, the same events are sent again, and those that took effect are answered ``duplicate``.
        """
        sent = 0
        while True:
            events = outbox.next(EVENTS_MAX)
            if not events:
                return sent
            for chunk in _chunks(_encode(events)):
                answers = self._send_chunk(chunk)
                outbox.mark(answers)
                sent += len(answers)

    def poll(
        self,
        *,
        after: Optional[int] = None,
        limit: Optional[int] = None,
        wait: Optional[int] = None,
        lease: Optional[int] = None,
    ) -> List[Command]:
        """Receives commands, by long polling with ``wait``.

        after: returns commands after this ``seq``; not for leased commands
        limit: 1 to 500
        wait: seconds that an empty answer is delayed, 0 to 30
        lease: seconds for which the commands are reserved for this caller, 1 to 600
        """
        path = "commands" + _search({"after": after, "limit": limit, "wait": wait, "lease": lease})
        return cast(List[Command], self._transport.call("GET", path, wait=wait or 0))

    def acknowledge(self, acks: Sequence[Ack]) -> List[AckAnswer]:
        """Answers commands, leased ones with their lease. ``duplicate``: the command already has its answer."""
        return cast(List[AckAnswer], self._post("commands/ack", list(acks)))

    def confirm_receipt(self, commands: Sequence[Command]) -> List[LeaseAnswer]:
        """Confirms that leased commands have arrived. From then on the time for their answer runs."""
        return cast(List[LeaseAnswer], self._post("commands/receipt", _leases(commands)))

    def renew_leases(self, commands: Sequence[Command]) -> List[LeaseAnswer]:
        """Extends the leases of commands, or after their receipt the time for the answer."""
        return cast(List[LeaseAnswer], self._post("commands/renew", _leases(commands)))

    def handle_commands(
        self,
        handler: Callable[[Command], Mapping[str, Any]],
        *,
        wait: int = POLL_SECONDS,
        limit: Optional[int] = None,
        lease: Optional[int] = None,
    ) -> None:
        """Handles commands one after the other and acknowledges each with the result of the handler.

        The result has ``state`` (``done``, ``failed`` or ``unknown``) and, if useful, ``reason``. Ends when the client
        is stopped. Commands come at least once: the handler must recognise an ``id`` that it has already executed.
        If the handler raises, its command has no ack, and is delivered again after a restart.
        With a ``lease``, several programs may share the commands; the receipt of each is confirmed just before it is
        handled.
        """
        after = 0
        try:
            while True:
                commands = self.poll(after=after if lease is None else None, limit=limit, wait=wait, lease=lease)
                for command in commands:
                    if lease is not None and self.confirm_receipt([command])[0]["result"] == "lost":
                        continue
                    result = handler(command)
                    self.acknowledge([cast(Ack, {"id": command["id"], **_held(command), **result})])
                    after = max(after, command["seq"])
        except Stopped:
            return

    def read(self, path: str, query: Optional[Mapping[str, Any]] = None) -> Any:
        """Reads data of the back office, such as ``read("balances", {"account": "alice"})``."""
        return self._transport.call("GET", path + _search(query or {}))

    def find_event(self, event_id: str) -> Optional[AppliedEvent]:
        """What is recorded of an event; None if it has not been applied."""
        try:
            path = "events/" + urllib.parse.quote(event_id, safe="")
            return cast(AppliedEvent, self._transport.call("GET", path))
        except RefusedCall as refused:
            if refused.status == 404:
                return None
            raise

    def redeem_support_link(self, token: str) -> Dict[str, Any]:
        """Opens a support link by its token."""
        return cast(Dict[str, Any], self._post("support/redeem", {"token": token}))

    def close(self) -> None:
        """Closes the connection of this thread."""
        self._transport.close()

    def _post(self, path: str, body: Any) -> Any:
        return self._transport.call("POST", path, json.dumps(body))

    def _send_chunk(self, chunk: Sequence[_Encoded]) -> List[EventAnswer]:
        """A refused chunk is split in halves until the event that causes it is alone."""
        body = "[" + ",".join(text for _, text in chunk) + "]"
        if len(chunk) == 1 and len(body.encode()) > BYTES_MAX:
            # The server closes the connection before it has read such a body, which would look like an outage.
            detail = f"more than {BYTES_MAX} bytes"
            return [{"eventId": chunk[0][0], "result": "rejected", "reason": "too_large", "detail": detail}]
        try:
            answers = self._transport.call("POST", "events", body)
        except RefusedCall as error:
            if error.status not in (413, 422):
                raise
            if len(chunk) == 1:
                return [{"eventId": chunk[0][0], "result": "rejected", "reason": error.error, "detail": str(error)}]
            half = (len(chunk) + 1) // 2
            return self._send_chunk(chunk[:half]) + self._send_chunk(chunk[half:])
        ids = [answer.get("eventId") for answer in answers] if isinstance(answers, list) else []
        if ids != [event_id for event_id, _ in chunk]:
            raise ValueError(f"The server did not answer each of the {len(chunk)} events.")
        return cast(List[EventAnswer], answers)


def _encode(events: Sequence[PlatformEvent]) -> List[_Encoded]:
    """The events with their JSON text, which is the same in each try."""
    return [(event["eventId"], json.dumps(event)) for event in events]


def _chunks(
    events: Sequence[_Encoded], events_max: int = EVENTS_MAX, bytes_max: int = BYTES_MAX
) -> Iterator[List[_Encoded]]:
    """Splits events into calls in their order. An event that is too large for any call is alone."""
    chunk: List[_Encoded] = []
    # Each event needs a comma or the closing bracket, and the list its opening bracket.
    size = 1
    for event in events:
        more = len(event[1].encode()) + 1
        if chunk and (len(chunk) == events_max or size + more > bytes_max):
            yield chunk
            chunk, size = [], 1
        chunk.append(event)
        size += more
    if chunk:
        yield chunk


def _held(command: Command) -> Dict[str, Any]:
    """The lease of a command, for the body of a call."""
    fields = cast(Dict[str, Any], command)
    return {"lease": fields["lease"]} if "lease" in fields else {}


def _leases(commands: Sequence[Command]) -> List[Dict[str, Any]]:
    return [{"id": command["id"], **_held(command)} for command in commands]


def _search(query: Mapping[str, Any]) -> str:
    given = {name: value for name, value in query.items() if value is not None}
    return "?" + urllib.parse.urlencode(given) if given else ""
