"""Verification of ES256 signatures (ECDSA on P-256 with SHA-256) without dependencies.

It only reads public data, so it need not run in constant time.
"""

import hashlib
from typing import Optional, Tuple

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
"""The prime of the field."""
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of the base point."""
A = P - 3
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)

Point = Tuple[int, int]
Jacobian = Tuple[int, int, int]
"""The point (X / Z^2, Y / Z^3); Z is 0 at infinity."""

SPKI_HEAD = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d03010703420004")
"""What precedes the coordinates in the DER of an uncompressed P-256 key."""


def read_public_key(der: bytes) -> Optional[Point]:
    """Returns the point of a key in SPKI; None unless it is one of P-256 and on the curve."""
    head = len(SPKI_HEAD)
    if len(der) != head + 64 or der[:head] != SPKI_HEAD:
        return None
    x, y = int.from_bytes(der[head : head + 32], "big"), int.from_bytes(der[head + 32 :], "big")
    if x >= P or y >= P or (y * y - (x * x * x + A * x + B)) % P != 0:
        return None
    return x, y


def read_signature(der: bytes) -> Optional[Tuple[int, int]]:
    """Returns r and s of a signature in DER; None unless it is the only encoding of two positive numbers."""
    if len(der) < 8 or len(der) > 72 or der[0] != 0x30 or der[1] != len(der) - 2:
        return None
    numbers = []
    rest = der[2:]
    for _ in range(2):
        if len(rest) < 3 or rest[0] != 0x02:
            return None
        size = rest[1]
        digits = rest[2 : 2 + size]
        if size == 0 or size > 33 or len(digits) != size or digits[0] & 0x80:
            return None
        if size > 1 and digits[0] == 0 and not digits[1] & 0x80:
            return None
        numbers.append(int.from_bytes(digits, "big"))
        rest = rest[2 + size :]
    return (numbers[0], numbers[1]) if not rest else None


def _double(point: Jacobian) -> Jacobian:
    x, y, z = point
    if z == 0 or y == 0:
        return 0, 1, 0
    yy = y * y % P
    s = 4 * x * yy % P
    zz = z * z % P
    # The slope uses that A is -3.
    m = 3 * (x - zz) * (x + zz) % P
    x3 = (m * m - 2 * s) % P
    return x3, (m * (s - x3) - 8 * yy * yy) % P, 2 * y * z % P


def _add(left: Jacobian, right: Jacobian) -> Jacobian:
    if left[2] == 0:
        return right
    if right[2] == 0:
        return left
    x1, y1, z1 = left
    x2, y2, z2 = right
    z1z1, z2z2 = z1 * z1 % P, z2 * z2 % P
    u1, u2 = x1 * z2z2 % P, x2 * z1z1 % P
    s1, s2 = y1 * z2 * z2z2 % P, y2 * z1 * z1z1 % P
    if u1 == u2:
        return _double(left) if s1 == s2 else (0, 1, 0)
    h, r = (u2 - u1) % P, (s2 - s1) % P
    hh = h * h % P
    hhh, v = h * hh % P, u1 * hh % P
    x3 = (r * r - hhh - 2 * v) % P
    return x3, (r * (v - x3) - s1 * hhh) % P, z1 * z2 * h % P


def _add_products(a: int, first: Point, b: int, second: Point) -> Jacobian:
    """Returns a * first + b * second, by one pass over the bits of both."""
    one, other = (*first, 1), (*second, 1)
    both = _add(one, other)
    total: Jacobian = (0, 1, 0)
    for bit in range(max(a.bit_length(), b.bit_length()) - 1, -1, -1):
        total = _double(total)
        pair = (a >> bit & 1, b >> bit & 1)
        if pair == (1, 1):
            total = _add(total, both)
        elif pair == (1, 0):
            total = _add(total, one)
        elif pair == (0, 1):
            total = _add(total, other)
    return total


def verify(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the signature (DER) of the message is one by the key (SPKI in DER)."""
    point = read_public_key(public_key)
    numbers = read_signature(signature)
    if point is None or numbers is None:
        return False
    r, s = numbers
    if not (0 < r < N and 0 < s < N):
        return False
    digest = int.from_bytes(hashlib.sha256(message).digest(), "big")
    inverse = pow(s, -1, N)
    x, _, z = _add_products(digest * inverse % N, G, r * inverse % N, point)
    if z == 0:
        return False
    return x * pow(z * z, -1, P) % P % N == r
