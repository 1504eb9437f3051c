"""Runs the verification for tests: a JSON object on stdin, one on stdout."""

import json
import sys

from hengtai_platform import MemoryPayoutStore, NotVerified, accept_roster, claim_payout, pin_roster
from hengtai_platform import es256


def fault_of(work):
    """Returns the fault, or None if the work succeeds."""
    try:
        work()
        return None
    except NotVerified as error:
        return error.fault


def run_payouts(roster_text, cases):
    roster = pin_roster(roster_text)
    store = MemoryPayoutStore()
    return [
        fault_of(lambda: claim_payout(one["data"], store, roster, platform=one["platform"], now=one["now"]))
        for one in cases
    ]


def run_rosters(cases):
    return [
        fault_of(lambda: accept_roster(pin_roster(one["held"]), one["text"], one["signatures"])) for one in cases
    ]


asked = json.load(sys.stdin)
json.dump(
    {
        "payouts": run_payouts(asked["roster"], asked["payouts"]),
        "rosters": run_rosters(asked["rosters"]),
        "signatures": [es256.verify(*(bytes.fromhex(part) for part in one)) for one in asked["signatures"]],
    },
    sys.stdout,
)
