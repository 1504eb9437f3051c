"""Rosters of signing keys, and the consents that people sign with them."""

import base64
import binascii
import hashlib
import json
import re
from typing import Any, Callable, Dict, List, NamedTuple, NoReturn, Optional, Sequence

from . import es256

DIGEST = re.compile(r"[0-9a-f]{64}")
AMOUNT = re.compile(r"(0|[1-9][0-9]{0,23})(\.[0-9]{0,17}[1-9])?")
_PERSON = re.compile(r"[A-Za-z0-9._@+-]{2,64}")
_CREDENTIAL_ID = re.compile(r"[A-Za-z0-9_-]{16,1366}")
_PUBLIC_KEY = re.compile(r"MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE[A-Za-z0-9_-]{85}[AQgw]")
_RELYING_PARTY = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?")
_ORIGIN = re.compile(r"(https://[a-z0-9.-]+|http://localhost)(:[0-9]{1,5})?")
_BASE64URL = re.compile(r"[A-Za-z0-9_-]{1,4096}")
_INTEGER_MAX = 2**53 - 1
_DIGESTS_MAX = 200
_ORIGINS_MAX = 5
_KEYS_MAX = 50
_THRESHOLD_MAX = 3

PRESENT = 1
VERIFIED = 4


class NotVerified(Exception):
    """A payout, mandate or roster that the wallet must not accept. ``fault`` is one word for programs."""

    def __init__(self, fault: str, message: str) -> None:
        super().__init__(message)
        self.fault = fault


class HeldRoster(NamedTuple):
    """A roster that the wallet trusts. ``digest`` is the fingerprint that people compare with paper.

    needs_digest: consents and mandates must carry the digest. Keep it in the store of the wallet beside the text: only a
    roster that an earlier version of this client pinned or accepted is without it, and both forms are valid under that one
    """

    version: int
    previous: Optional[str]
    threshold: int
    relying_party: str
    origins: List[str]
    keys: List[Dict[str, str]]
    digest: str
    needs_digest: bool = False


def ensure(condition: bool, fault: str, message: str) -> None:
    if not condition:
        raise NotVerified(fault, message)


def is_text(value: Any, minimum: int = 1, maximum: int = 256) -> bool:
    """Whether it is a text of such a length, which counts as in JavaScript: a letter beyond U+FFFF is two."""
    if not isinstance(value, str) or any("\ud800" <= letter <= "\udfff" for letter in value):
        return False
    return minimum <= len(value.encode("utf-16-le")) // 2 <= maximum


def matches(pattern: "re.Pattern[str]", value: Any) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def is_list(value: Any, maximum: int, check: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and 1 <= len(value) <= maximum and all(map(check, value))


def is_integer(value: Any, minimum: int = 0) -> bool:
    # True is an int in Python, but not in JSON.
    return type(value) is int and minimum <= value <= _INTEGER_MAX


def is_amount(value: Any) -> bool:
    return matches(AMOUNT, value)


def is_positive(value: Any) -> bool:
    return is_amount(value) and value != "0"


def is_digest(value: Any) -> bool:
    return matches(DIGEST, value)


def person_key(person: str) -> str:
    """The same for two persons that differ only in case: they count as one."""
    return person.upper().lower()


def digest_of(text: str) -> str:
    """SHA-256 of a text, lower-case hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def load_json(text: str) -> Any:
    """Parses JSON. Python would take NaN and Infinity as well. Raises ValueError or RecursionError."""
    return json.loads(text, parse_constant=_refuse_constant)


def parse_text(text: Any, kind: str, names: Sequence[str], optional: Optional[str] = None) -> Dict[str, Any]:
    """Parses a text of a kind. Raises NotVerified unless it is canonical JSON with exactly these fields."""
    ensure(isinstance(text, str), "malformed", f"The {kind} is missing.")
    try:
        text.encode()
        value = load_json(text)
    except (ValueError, RecursionError):
        raise NotVerified("malformed", f"The {kind} is not JSON.") from None
    given = [optional] if optional is not None and isinstance(value, dict) and optional in value else []
    ensure(has_fields(value, ["kind", *names, *given]), "malformed", f"The {kind} has other fields.")
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
    return restore_roster(text, True)


def restore_roster(text: str, needs_digest: bool) -> HeldRoster:
    """Reads the held roster from the store of the wallet. Raises NotVerified.

    needs_digest: as it was stored beside the text; False if nothing was, as by versions of this client before the field
    """
    names = ["version", "previous", "threshold", "relyingParty", "origins", "keys"]
    value = parse_text(text, "roster", names)
    version, previous, threshold, relying_party, origins, keys = (value[name] for name in names)
    ensure(is_integer(version, 1), "malformed", "The version is not a number.")
    follows = previous is None if version == 1 else is_digest(previous)
    ensure(follows, "malformed", "The roster does not name the one before it.")
    ensure(matches(_RELYING_PARTY, relying_party), "malformed", "The roster has no relying party.")
    valid = is_list(origins, _ORIGINS_MAX, lambda one: matches(_ORIGIN, one) and _is_origin_of(one, relying_party))
    ensure(valid and _are_unique(origins), "malformed", "The roster has no origins of the relying party.")
    ensure(is_list(keys, _KEYS_MAX, _is_key), "malformed", "The roster has no keys.")
    ensure(_are_unique([key["id"] for key in keys]), "malformed", "An id is there twice.")
    ensure(_are_unique([key["publicKey"] for key in keys]), "malformed", "A key is there twice.")
    ensure(is_integer(threshold, 2) and threshold <= _THRESHOLD_MAX, "malformed", "The threshold is not 2 or 3.")
    persons = {key["person"] for key in keys}
    ensure(len(persons) >= threshold, "malformed", "The roster has too few persons.")
    if needs_digest:
        named = all(matches(_PERSON, person) for person in persons)
        ensure(named, "malformed", "A person is not 2 to 64 letters, digits or . _ @ + - of ASCII.")
        ensure(_are_unique(list(map(person_key, persons))), "malformed", "Two persons differ only in case.")
    return HeldRoster(version, previous, threshold, relying_party, origins, keys, digest_of(text), needs_digest)


def _is_origin_of(origin: str, relying_party: str) -> bool:
    host = origin.partition("://")[2].partition(":")[0]
    return host == relying_party or host.endswith(f".{relying_party}")


def _is_key(key: Any) -> bool:
    return (
        has_fields(key, ["id", "person", "publicKey"])
        and matches(_CREDENTIAL_ID, key["id"])
        and is_text(key["person"], maximum=64)
        and matches(_PUBLIC_KEY, key["publicKey"])
        and es256.read_public_key(_bytes_of(key["publicKey"], "publicKey")) is not None
    )


def require_roster(held: HeldRoster, named: Dict[str, Any], what: str) -> None:
    """Raises NotVerified unless a consent or mandate names the held roster in a form that is valid under it."""
    ensure(is_integer(named["roster"], 1), "malformed", f"{what} names no version of a roster.")
    ensure(named["roster"] == held.version, "roster_version", f"{what} is of another version than {held.version}.")
    if "rosterDigest" not in named:
        ensure(not held.needs_digest, "roster_digest", f"{what} names no roster.")
        return
    ensure(is_digest(named["rosterDigest"]), "malformed", f"{what} has no digest of a roster.")
    ensure(named["rosterDigest"] == held.digest, "roster_digest", f"{what} names another roster.")


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
    persons = [person_key(one["person"]) for one in consents]
    ensure(_are_unique(persons), "same_person", "A person signed more than once.")
    return consents


def _verify_consent(roster: HeldRoster, signature: Any) -> Dict[str, Any]:
    ensure(isinstance(signature, dict), "malformed", "A signature is missing.")
    text = signature.get("consent")
    consent = parse_text(text, "consent", ["person", "roster", "at", "digests"], "rosterDigest")
    named = is_text(consent["person"], maximum=64) and is_integer(consent["at"])
    ensure(named, "malformed", "A consent has no person or time.")
    digests = consent["digests"]
    listed = is_list(digests, _DIGESTS_MAX, is_digest) and _are_unique(digests)
    ensure(listed, "malformed", "A consent has no digests, or one twice.")
    require_roster(roster, consent, "A consent")
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
        data = load_json(client_data.decode())
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
