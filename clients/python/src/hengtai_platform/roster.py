"""Rosters of signing keys, and the consents that people sign with them."""

import base64
import binascii
import hashlib
import json
import re
from typing import Any, Dict, List, NamedTuple, Optional, Sequence

from . import es256

DIGEST = re.compile(r"[0-9a-f]{64}")
AMOUNT = re.compile(r"(0|[1-9][0-9]{0,23})(\.[0-9]{0,17}[1-9])?")
_BASE64URL = re.compile(r"[A-Za-z0-9_-]{1,4096}")
_INTEGER_MAX = 2**53 - 1

PRESENT = 1
VERIFIED = 4


class NotVerified(Exception):
    """A payout, mandate or roster that the wallet must not accept. ``fault`` is one word for programs."""

    def __init__(self, fault: str, message: str) -> None:
        super().__init__(message)
        self.fault = fault


class HeldRoster(NamedTuple):
    """A roster that the wallet trusts. ``digest`` is the fingerprint that people compare with paper."""

    version: int
    previous: Optional[str]
    threshold: int
    relying_party: str
    origins: List[str]
    keys: List[Dict[str, str]]
    digest: str


def ensure(condition: bool, fault: str, message: str) -> None:
    if not condition:
        raise NotVerified(fault, message)


def is_text(value: Any, minimum: int = 1, maximum: int = 512) -> bool:
    if not isinstance(value, str) or not minimum <= len(value) <= maximum:
        return False
    return not any("\ud800" <= letter <= "\udfff" for letter in value)


def is_integer(value: Any, minimum: int = 0) -> bool:
    # True is an int in Python, but not in JSON.
    return type(value) is int and minimum <= value <= _INTEGER_MAX


def is_amount(value: Any) -> bool:
    return isinstance(value, str) and AMOUNT.fullmatch(value) is not None


def is_digest(value: Any) -> bool:
    return isinstance(value, str) and DIGEST.fullmatch(value) is not None


def digest_of(text: str) -> str:
    """SHA-256 of a text, lower-case hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def parse_text(text: Any, kind: str, names: Sequence[str]) -> Dict[str, Any]:
    """Parses a text of a kind. Raises NotVerified unless it is canonical JSON with exactly these fields."""
    ensure(isinstance(text, str), "malformed", f"The {kind} is missing.")
    try:
        text.encode()
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise NotVerified("malformed", f"The {kind} is not JSON.") from None
    ensure(has_fields(value, ["kind", *names]), "malformed", f"The {kind} has other fields.")
    ensure(value["kind"] == kind, "malformed", f"The text is not a {kind}.")
    same = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    ensure(same == text, "malformed", f"The {kind} is not canonical JSON.")
    return value


def has_fields(value: Any, names: Sequence[str]) -> bool:
    return isinstance(value, dict) and set(value) == set(names)


def _bytes_of(value: Any, what: str) -> bytes:
    ensure(isinstance(value, str) and _BASE64URL.fullmatch(value) is not None, "malformed", f"{what} is not base64url.")
    try:
        return base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))
    except binascii.Error:
        raise NotVerified("malformed", f"{what} is not base64url.") from None


def _are_unique(values: Sequence[Any]) -> bool:
    return len(set(values)) == len(values)


def pin_roster(text: str) -> HeldRoster:
    """Reads the first roster. A person must have compared its fingerprint with the paper before."""
    names = ["version", "previous", "threshold", "relyingParty", "origins", "keys"]
    value = parse_text(text, "roster", names)
    version, previous, threshold, relying_party, origins, keys = (value[name] for name in names)
    ensure(is_integer(version, 1), "malformed", "The version is not a number.")
    follows = previous is None if version == 1 else is_digest(previous)
    ensure(follows, "malformed", "The roster does not name the one before it.")
    ensure(is_text(relying_party), "malformed", "The roster has no relying party.")
    ensure(isinstance(origins, list) and bool(origins) and all(map(is_text, origins)), "malformed", "No origins.")
    ensure(isinstance(keys, list), "malformed", "The roster has no keys.")
    for key in keys:
        ensure(has_fields(key, ["id", "person", "publicKey"]), "malformed", "A key has other fields.")
        ensure(is_text(key["id"], maximum=1366) and is_text(key["person"]), "malformed", "A key has no id or person.")
        point = es256.read_public_key(_bytes_of(key["publicKey"], "publicKey"))
        ensure(point is not None, "malformed", "A public key is not one of P-256.")
    ensure(_are_unique([key["id"] for key in keys]), "malformed", "An id is there twice.")
    decoded = [_bytes_of(key["publicKey"], "publicKey") for key in keys]
    ensure(_are_unique(decoded), "malformed", "A key is there twice.")
    ensure(is_integer(threshold, 2), "malformed", "The threshold is below two.")
    ensure(len({key["person"] for key in keys}) >= threshold, "malformed", "The roster has too few persons.")
    return HeldRoster(version, previous, threshold, relying_party, origins, keys, digest_of(text))


def accept_roster(held: HeldRoster, text: str, signatures: Any) -> HeldRoster:
    """Returns the next roster. Enough persons of the held one must have signed it; the threshold never falls."""
    following = pin_roster(text)
    ensure(following.version == held.version + 1, "roster_version", f"The held roster is version {held.version}.")
    ensure(following.previous == held.digest, "roster_version", "The roster does not follow the held one.")
    ensure(following.threshold >= held.threshold, "threshold", "The threshold must not fall.")
    verify_consents(held, following.digest, signatures)
    return following


def verify_consents(roster: HeldRoster, digest: str, signatures: Any) -> List[Dict[str, Any]]:
    """Verifies that enough distinct persons of the roster signed the text with this digest. Returns the consents."""
    ensure(isinstance(signatures, list), "unsigned", "There are no signatures.")
    ensure(len(signatures) >= roster.threshold, "threshold", f"{roster.threshold} signatures are needed.")
    ensure(len(signatures) <= len(roster.keys), "threshold", "There are more signatures than keys.")
    consents = [_verify_consent(roster, signature) for signature in signatures]
    for consent in consents:
        ensure(digest in consent["digests"], "differs", "A signature is for other texts.")
    ensure(_are_unique([one["person"] for one in consents]), "same_person", "A person signed more than once.")
    return consents


def _verify_consent(roster: HeldRoster, signature: Any) -> Dict[str, Any]:
    ensure(isinstance(signature, dict), "malformed", "A signature is missing.")
    text = signature.get("consent")
    consent = parse_text(text, "consent", ["person", "roster", "at", "digests"])
    ensure(is_text(consent["person"]) and is_integer(consent["at"]), "malformed", "A consent has no person or time.")
    digests = consent["digests"]
    ensure(isinstance(digests, list) and all(map(is_digest, digests)), "malformed", "A consent has no digests.")
    same = is_integer(consent["roster"]) and consent["roster"] == roster.version
    ensure(same, "roster_version", f"The held roster is version {roster.version}.")
    key = next((one for one in roster.keys if one["id"] == signature.get("key")), None)
    if key is None or key["person"] != consent["person"]:
        raise NotVerified("unknown_key", "A key is not in the roster, or belongs to another person.")
    client_data = _bytes_of(signature.get("clientDataJSON"), "clientDataJSON")
    _check_client_data(roster, client_data, hashlib.sha256(text.encode()).digest())
    data = _bytes_of(signature.get("authenticatorData"), "authenticatorData")
    ensure(len(data) >= 37, "malformed", "authenticatorData is too short.")
    party = hashlib.sha256(roster.relying_party.encode()).digest()
    ensure(data[:32] == party, "relying_party", "It was signed for another relying party.")
    verified = data[32] & PRESENT and data[32] & VERIFIED
    ensure(bool(verified), "user_verification", "The user was not verified.")
    signed = data + hashlib.sha256(client_data).digest()
    proof = _bytes_of(signature.get("signature"), "signature")
    ensure(es256.verify(_bytes_of(key["publicKey"], "publicKey"), signed, proof), "signature", "A signature is wrong.")
    return consent


def _check_client_data(roster: HeldRoster, client_data: bytes, challenge: bytes) -> None:
    try:
        data = json.loads(client_data.decode())
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise NotVerified("client_data", "clientDataJSON is not an object.")
    ensure(data.get("type") == "webauthn.get", "client_data", "The signature is not an assertion.")
    expected = base64.urlsafe_b64encode(challenge).rstrip(b"=").decode()
    ensure(data.get("challenge") == expected, "challenge", "The signature is for another consent.")
    ensure(data.get("origin") in roster.origins, "client_data", "It was signed on a page that is not in the roster.")
    alone = data.get("crossOrigin", False) is False and "topOrigin" not in data
    ensure(alone, "client_data", "It was signed inside a page of another origin.")
