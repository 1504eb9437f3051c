"""Client of the HengTai platform gateway."""

from .amount import SplitAmount, split_amount
from .client import AppliedEvent, LeaseAnswer, Outbox, PlatformClient
from .payout import Budget, MemoryPayoutStore, PayoutClaim, claim_payout, verify_payout
from .roster import HeldRoster, NotVerified, accept_roster, pin_roster, restore_roster
from .signature import check_webhook, sign
from .transport import RefusedCall, Stopped
from .types import Ack, AckAnswer, Command, EventAnswer, GatewayError, PlatformEvent

__all__ = [
    "Ack",
    "AckAnswer",
    "AppliedEvent",
    "Budget",
    "Command",
    "EventAnswer",
    "GatewayError",
    "HeldRoster",
    "LeaseAnswer",
    "MemoryPayoutStore",
    "NotVerified",
    "Outbox",
    "PayoutClaim",
    "PlatformClient",
    "PlatformEvent",
    "RefusedCall",
    "SplitAmount",
    "Stopped",
    "accept_roster",
    "check_webhook",
    "claim_payout",
    "pin_roster",
    "restore_roster",
    "sign",
    "split_amount",
    "verify_payout",
]
