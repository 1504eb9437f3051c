"""Verification of payouts that people signed, and of those under a mandate."""

import re
import time as clock
from typing import Any, Dict, List, NamedTuple, Optional

from .roster import (
    HeldRoster,
    NotVerified,
    digest_of,
    ensure,
    has_fields,
    is_amount,
    is_integer,
    is_list,
    is_positive,
    is_text,
    matches,
    parse_text,
    require_roster,
    verify_consents,
)

MAX_AGE_MS = 48 * 3_600_000
SKEW_MS = 5 * 60_000
"""How far the clock of a signer may be ahead."""

_DAY_MS = 86_400_000
_MANDATE_MS_MAX = 366 * _DAY_MS
_COINS_MAX = 20
_MANDATE_ID = re.compile(r"[A-Za-z0-9-]{1,40}")

_REPEATED = ["no", "attempt", "account", "market", "network", "address", "memo"]
_PAYOUT = ["command", "platform", *_REPEATED, "amount", "fee", "received", "state", "maker"]
_MANDATE = ["id", "roster", "platform", "from", "until", "coins"]


class Budget(NamedTuple):
    """The budget that a payout under a mandate uses. ``day`` is the UTC day of the wallet's clock."""

    mandate: str
    market: str
    day: str
    amount: str
    per_day: str


class PayoutClaim(NamedTuple):
    """What the wallet has to record before it pays. ``persons`` signed it; empty with a mandate."""

    no: str
    attempt: int
    persons: List[str]
    budget: Optional[Budget] = None


def verify_payout(
    data: Any,
    roster: HeldRoster,
    platform: int = 1,
    max_age: int = MAX_AGE_MS,
    now: Optional[int] = None,
) -> PayoutClaim:
    """Verifies the data of ``withdraw.payout``. The result must be claimed before anything is paid.

    platform: number of the own platform
    max_age: oldest signature that is accepted, milliseconds
    now: unix milliseconds

    Raises NotVerified.
    """
    current = int(clock.time() * 1000) if now is None else now
    ensure(isinstance(data, dict), "malformed", "The command has no data.")
    ensure("payout" in data or "mandate" in data, "unsigned", "The payout is not signed.")
    ensure(not ("payout" in data and "mandate" in data), "malformed", "It has both signatures and a mandate.")
    if "mandate" in data:
        return _verify_mandate(data, roster, platform, current)
    payout = parse_text(data["payout"], "payout", _PAYOUT)
    ensure(payout["command"] == "withdraw.payout", "malformed", "The text is for another command.")
    _check_order(payout, payout["received"])
    valid = is_amount(payout["amount"]) and is_amount(payout["fee"]) and is_text(payout["maker"], maximum=64)
    ensure(valid, "malformed", "The payout has no amount, fee or maker.")
    numbers = is_integer(payout["platform"], 1) and is_integer(payout["state"]) and payout["state"] <= 99
    ensure(numbers, "malformed", "The payout has no platform or state.")
    for field in _REPEATED:
        ensure(_is_same(data.get(field), payout[field]), "differs", f"The signed {field} differs.")
    ensure(_is_same(data.get("amount"), payout["received"]), "differs", "The signed amount differs.")
    ensure(payout["platform"] == platform, "platform", "The payout is for another platform.")
    consents = verify_consents(roster, digest_of(data["payout"]), data.get("signatures"))
    for consent in consents:
        age = current - max_age <= consent["at"] <= current + SKEW_MS
        ensure(age, "age", "A signature is too old, or from the future.")
    persons = [consent["person"] for consent in consents]
    ensure(payout["maker"] in persons, "maker", "The maker did not sign.")
    return PayoutClaim(payout["no"], payout["attempt"], persons)


def _is_same(a: Any, b: Any) -> bool:
    return type(a) is type(b) and a == b


def _check_order(order: Dict[str, Any], amount: Any) -> None:
    """Raises NotVerified unless a command, or the text of a payout, has the fields that both have."""
    for field, maximum in (("no", 64), ("account", 64), ("market", 32), ("network", 32), ("address", 256)):
        ensure(is_text(order.get(field), maximum=maximum), "malformed", f"The {field} is not a text.")
    ensure(is_text(order.get("memo"), minimum=0), "malformed", "The memo is not a text.")
    ensure(is_integer(order.get("attempt"), 1), "malformed", "The attempt is not 1 or more.")
    ensure(is_positive(amount), "malformed", "The amount is no canonical decimal number above 0.")


def _is_coin(coin: Any) -> bool:
    return (
        has_fields(coin, ["market", "networks", "largest", "perDay"])
        and is_text(coin["market"], maximum=32)
        and is_list(coin["networks"], _COINS_MAX, lambda one: is_text(one, maximum=32))
        and is_amount(coin["largest"])
        and is_amount(coin["perDay"])
    )


def _parse_mandate(text: Any) -> Dict[str, Any]:
    mandate = parse_text(text, "mandate", _MANDATE, "rosterDigest")
    numbers = is_integer(mandate["platform"], 1) and is_integer(mandate["from"]) and is_integer(mandate["until"])
    ensure(matches(_MANDATE_ID, mandate["id"]) and numbers, "malformed", "The mandate has no id, platform or times.")
    duration = mandate["until"] - mandate["from"]
    ensure(0 < duration <= _MANDATE_MS_MAX, "malformed", "The mandate ends before it begins, or after 366 days.")
    coins = mandate["coins"]
    ensure(is_list(coins, _COINS_MAX, _is_coin), "malformed", "The mandate has no coins.")
    names = {coin["market"] for coin in coins}
    ensure(len(names) == len(coins), "malformed", "The mandate has a coin twice.")
    return mandate


def _verify_mandate(data: Dict[str, Any], roster: HeldRoster, platform: int, now: int) -> PayoutClaim:
    signed = data["mandate"]
    ensure(isinstance(signed, dict), "malformed", "The mandate is not an object.")
    mandate = _parse_mandate(signed.get("text"))
    require_roster(roster, mandate, "The mandate")
    ensure(mandate["platform"] == platform, "platform", "The mandate is for another platform.")
    ensure(mandate["from"] <= now < mandate["until"], "mandate", "The mandate is not valid now.")
    amount = data.get("amount")
    _check_order(data, amount)
    coin = next((one for one in mandate["coins"] if one["market"] == data["market"]), None)
    if coin is None or data["network"] not in coin["networks"]:
        raise NotVerified("mandate", "The mandate has no such coin.")
    largest, per_day = coin["largest"], coin["perDay"]
    ensure(_units_of(amount) <= _units_of(largest), "mandate", "The amount is larger than the mandate allows.")
    verify_consents(roster, digest_of(signed["text"]), signed.get("signatures"))
    day = clock.strftime("%Y-%m-%d", clock.gmtime(now // 1000))
    budget = Budget(digest_of(signed["text"]), coin["market"], day, amount, per_day)
    return PayoutClaim(data["no"], data["attempt"], [], budget)


def _units_of(amount: str) -> int:
    """An amount in whole units of 10^-18."""
    whole, _, fraction = amount.partition(".")
    return int(whole + fraction.ljust(18, "0"))


def claim_payout(data: Any, store: "MemoryPayoutStore", roster: HeldRoster, **options: Any) -> PayoutClaim:
    """Verifies and claims a payout, with the options of ``verify_payout``. Pay after it returns. Raises NotVerified.

    store: has a method ``claim`` like ``MemoryPayoutStore``; must survive crashes, and serve one claim at a time
    """
    claim = verify_payout(data, roster, **options)
    answer = store.claim(claim)
    ensure(answer != "repeated", "repeated", "The payout was ordered before.")
    ensure(answer != "exceeded", "budget", "The budget of the day is used up.")
    return claim


class MemoryPayoutStore:
    """A store in memory: for tests, and as a model of one in a database."""

    def __init__(self) -> None:
        self._attempts: Dict[str, List[Any]] = {}
        self._spent: Dict[Any, int] = {}

    def claim(self, claim: PayoutClaim) -> str:
        """Returns ``claimed``, or ``repeated`` or ``exceeded`` if the payout must not be paid."""
        before = self._attempts.get(claim.no)
        if before is not None and (not before[1] or claim.attempt <= before[0]):
            return "repeated"
        if claim.budget is not None:
            budget = claim.budget
            key = (budget.mandate, budget.day, budget.market)
            total = self._spent.get(key, 0) + _units_of(budget.amount)
            if total > _units_of(budget.per_day):
                return "exceeded"
            self._spent[key] = total
        self._attempts[claim.no] = [claim.attempt, False]
        return "claimed"

    def release(self, no: str, attempt: int) -> None:
        """Allows a later attempt. Call it only if this one was certainly not paid. Its budget stays used."""
        held = self._attempts.get(no)
        if held is not None and held[0] == attempt:
            held[1] = True
