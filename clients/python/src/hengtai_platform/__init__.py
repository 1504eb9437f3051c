"""Client of the HengTai platform gateway."""

from .client import Outbox, PlatformClient
from .signature import check_webhook, sign
from .transport import RefusedCall, Stopped
from .types import Ack, AckAnswer, Command, EventAnswer, GatewayError, PlatformEvent

__all__ = [
    "Ack",
    "AckAnswer",
    "Command",
    "EventAnswer",
    "GatewayError",
    "Outbox",
    "PlatformClient",
    "PlatformEvent",
    "RefusedCall",
    "Stopped",
    "check_webhook",
    "sign",
]
