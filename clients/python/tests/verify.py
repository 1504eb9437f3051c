"""Runs the verification for tests: a JSON object on stdin, one on stdout."""

import json
import sys

from hengtai_platform import MemoryPayoutStore, NotVerified, accept_roster, claim_payout, pin_roster, restore_roster
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


def run_cases(cases):
    def work(one):
        roster = restore_roster(one["roster"], not one["isOld"])
        claim_payout(one["data"], MemoryPayoutStore(), roster, now=one["now"])

    return [fault_of(lambda: work(one)) for one in cases]


asked = json.load(sys.stdin)
json.dump(
    {
        "payouts": run_payouts(asked["roster"], asked["payouts"]) if "payouts" in asked else [],
        "rosters": run_rosters(asked.get("rosters", [])),
        "signatures": [es256.verify(*(bytes.fromhex(part) for part in one)) for one in asked.get("signatures", [])],
        "cases": run_cases(asked.get("cases", [])),
        "pinned": [fault_of(lambda: pin_roster(text)) for text in asked.get("pinned", [])],
    },
    sys.stdout,
)
