"""Client of the HengTai platform gateway."""

from .client import AppliedEvent, LeaseAnswer, Outbox, PlatformClient
from .signature import check_webhook, sign
from .transport import RefusedCall, Stopped
from .types import Ack, AckAnswer, Command, EventAnswer, GatewayError, PlatformEvent

__all__ = [
    "Ack",
    "AckAnswer",
    "AppliedEvent",
    "Command",
    "EventAnswer",
    "GatewayError",
    "LeaseAnswer",
    "Outbox",
    "PlatformClient",
    "PlatformEvent",
    "RefusedCall",
    "Stopped",
    "check_webhook",
    "sign",
]
