import { type KeyObject, randomUUID, sign, verify } from 'node:crypto';

/** A JSON Web Signature in the general form of RFC 7515, which Peatio uses for events and for its Management API. */
export interface SignedToken {
  payload: string;
  signatures: { protected: string; header: { kid: string }; signature: string }[];
}

/** The only algorithm that is accepted; a token cannot choose a weaker one. */
const ALGORITHM = 'RS256';
const DIGEST = 'sha256';
const LIFE_SECONDS = 60;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (text: string): unknown => JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown;

/** Signs claims, with an id and times of their own. */
export function signToken(claims: Record<string, unknown>, signer: string, key: KeyObject): SignedToken {
  const now = Math.floor(Date.now() / 1_000);
  const payload = encode({ iat: now, exp: now + LIFE_SECONDS, jti: randomUUID(), ...claims });
  const head = encode({ alg: ALGORITHM });
  const signature = sign(DIGEST, Buffer.from(`${head}.${payload}`), key).toString('base64url');
  return { payload, signatures: [{ protected: head, header: { kid: signer }, signature }] };
}

/** A token that is not authentic, or not a token. */
export class BadToken extends Error {
  override readonly name = 'BadToken';
}

/**
 * Returns the claims of a token. Its expiry is not checked: a message waits in the queue while the adapter is down, and expires
 * a minute after it was made.
 *
 * @throws BadToken
 */
export function verifyToken(text: string, signer: string, key: KeyObject): Record<string, unknown> {
  try {
    const { payload, signatures } = JSON.parse(text) as SignedToken;
    const own = signatures.find(({ header }) => header.kid === signer);
    if (!own) throw new BadToken(`it has no signature of ${signer}`);
    const { alg } = decode(own.protected) as { alg?: unknown };
    if (alg !== ALGORITHM) throw new BadToken(`its algorithm is ${String(alg)}`);
    const signed = Buffer.from(`${own.protected}.${payload}`);
    const signature = Buffer.from(own.signature, 'base64url');
    if (!verify(DIGEST, signed, key, signature)) throw new BadToken('its signature is wrong');
    return decode(payload) as Record<string, unknown>;
  } catch (error) {
    throw error instanceof BadToken ? error : new BadToken(`it is no token: ${String(error)}`);
  }
}
