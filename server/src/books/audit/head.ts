import { type KeyObject, createHash, createPublicKey, sign, verify } from 'node:crypto';
import { GENESIS, encodeFields } from './chain.ts';
import type { SigningKey } from '../../host/audit-key.ts';

/** A signed statement of the chain's hash after a number of rows, linked to the previous head. */
export interface Head {
  /** 1, 2, 3 … without gaps. */
  number: number;
  /** SHA-256 of the head before it, in hex. */
  previous: string;
  /** Number of sealed rows up to here. */
  rows: number;
  /** Hash of the last of these rows, in hex. */
  hash: string;
  /** The database's clock, in unix milliseconds. */
  at: number;
  /** Public key as SPKI in base64. */
  key: string;
  /** Ed25519 over the other fields, in base64. */
  signature: string;
}

const TYPE = 'audit.head';

/** The text that is signed, and hashed for the link of the next head. */
const headText = ({ number, previous, rows, hash, at, key }: Omit<Head, 'signature'>): string =>
  encodeFields(['hengtai.audit.head', '1', String(number), previous, String(rows), hash, String(at), key]);

/** The value of `previous` for the head after this one. */
export const linkTo = (head: Head | undefined): string =>
  head ? createHash('sha256').update(headText(head)).digest('hex') : GENESIS;

export function signHead(head: Omit<Head, 'key' | 'signature'>, { privateKey, publicKey }: SigningKey): Head {
  const unsigned = { ...head, key: publicKey };
  return { ...unsigned, signature: sign(null, Buffer.from(headText(unsigned)), privateKey).toString('base64') };
}

/** Whether the signature is valid for the key in the head. The caller must check that this key is trusted. */
export function isSigned(head: Head): boolean {
  try {
    const key = publicKeyOf(head.key);
    return verify(null, Buffer.from(headText(head)), key, Buffer.from(head.signature, 'base64'));
  } catch {
    return false;
  }
}

let lastKey: { text: string; key: KeyObject } | undefined;

/** Memoizes the last key, because usually all heads of a chain have the same key. */
function publicKeyOf(text: string): KeyObject {
  if (lastKey?.text === text) return lastKey.key;
  const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('not an Ed25519 key');
  lastKey = { text, key };
  return key;
}

export const isSameHead = (one: Head, other: Head): boolean =>
  headText(one) === headText(other) && one.signature === other.signature;

/** The head as one line of JSON, for files, exports and standard output. */
export const headLine = (head: Head): string => JSON.stringify({ type: TYPE, ...head });

/** Parses a line of JSON; undefined if it is not a head. */
export function parseHead(line: string): Head | undefined {
  try {
    const { type, number, previous, rows, hash, at, key, signature } = JSON.parse(line) as Partial<
      Head & { type: string }
    >;
    const isHead =
      type === TYPE &&
      [number, rows, at].every(Number.isSafeInteger) &&
      [previous, hash, key, signature].every((text) => typeof text === 'string');
    return isHead ? ({ number, previous, rows, hash, at, key, signature } as Head) : undefined;
  } catch {
    return undefined;
  }
}
