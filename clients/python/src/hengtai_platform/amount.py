"""Amounts of coins that have more decimals than the gateway takes."""

import re
from typing import NamedTuple, Tuple

_DECIMALS = 18
_AMOUNT = re.compile(r"([0-9]+)(?:\.([0-9]+))?")


class SplitAmount(NamedTuple):
    """An amount to report, with at most 18 decimals, and what is left of the true one. Both are canonical."""

    amount: str
    rest: str


def split_amount(received: str, kept: str = "0") -> SplitAmount:
    """Splits an amount of a coin with more than 18 decimals: ``amount`` is rounded down.

    Keep ``rest`` with the user's coin, and hand it over as ``kept`` with the next amount. Nothing is lost, and nothing is
    credited that did not arrive. Raises ValueError for a text that is no decimal number of at least 0.
    """
    parts = [_parse(received), _parse(kept)]
    scale = max(_DECIMALS, *(len(fraction) for _, fraction in parts))
    total = sum(int(whole + fraction.ljust(scale, "0")) for whole, fraction in parts)
    units, rest = divmod(total, 10 ** (scale - _DECIMALS))
    return SplitAmount(_format(units, _DECIMALS), _format(rest, scale))


def _parse(text: str) -> Tuple[str, str]:
    match = _AMOUNT.fullmatch(text)
    if match is None:
        raise ValueError(f"No decimal number of at least 0: {text!r}")
    return match.group(1), match.group(2) or ""


def _format(units: int, scale: int) -> str:
    """A number of units of 10^-scale as a canonical decimal text."""
    digits = str(units).rjust(scale + 1, "0")
    whole, fraction = digits[:-scale], digits[-scale:].rstrip("0")
    return f"{whole}.{fraction}" if fraction else whole
