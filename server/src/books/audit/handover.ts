import { createPublicKey, sign, verify } from 'node:crypto';
import { type SigningKey, fingerprintOf } from '../../host/audit-key.ts';
import { type AuditFields, encodeFields } from './chain.ts';

/** Action and target of the audit row by which one key of the chain hands over to the next. */
export const HANDOVER = { action: 'audit.key', targetType: 'installation' } as const;
/** Positions among the fields of a row. */
const ACTION = 6;
const TARGET_TYPE = 7;
const AFTER = 13;

/** Content of the row: both public keys (SPKI in base64), and a signature of each key over both. */
export interface Handover {
  from: string;
  to: string;
  /** By the old key: somebody with only the new key cannot write this row. */
  signature: string;
  /** By the new key, which shows that somebody holds it. */
  acceptance: string;
}

const handoverText = ({ from, to }: Pick<Handover, 'from' | 'to'>): Buffer =>
  Buffer.from(encodeFields(['hengtai.audit.key', '1', from, to]));

export function signHandover(from: SigningKey, to: SigningKey): Handover {
  const keys = { from: from.publicKey, to: to.publicKey };
  const signedBy = ({ privateKey }: SigningKey): string =>
    sign(null, handoverText(keys), privateKey).toString('base64');
  return { ...keys, signature: signedBy(from), acceptance: signedBy(to) };
}

/** The handover of an audit row with valid signatures; undefined for every other row. */
export function handoverIn(fields: AuditFields): Handover | undefined {
  if (fields[ACTION] !== HANDOVER.action || fields[TARGET_TYPE] !== HANDOVER.targetType) return undefined;
  try {
    const { from, to, signature, acceptance } = JSON.parse(fields[AFTER] ?? '') as Partial<Handover>;
    if (![from, to, signature, acceptance].every((text) => typeof text === 'string')) return undefined;
    const handover = { from, to, signature, acceptance } as Handover;
    return isSignedBy(handover.from, handover.signature, handover) &&
      isSignedBy(handover.to, handover.acceptance, handover)
      ? handover
      : undefined;
  } catch {
    return undefined;
  }
}

function isSignedBy(publicKey: string, signature: string, handover: Handover): boolean {
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  return (
    key.asymmetricKeyType === 'ed25519' && verify(null, handoverText(handover), key, Buffer.from(signature, 'base64'))
  );
}

/**
 * The keys that may sign the heads of a chain, in its order. The first head is signed by the first root. A handover in a row
 * that a head covers makes the next head that of the new key, and no key returns. Where a key was lost, the next root follows
 * without a handover.
 */
export class Signers {
  readonly #roots: readonly string[];
  /** Index of the first root that may still follow. */
  #nextRoot = 0;
  #current: string | undefined;
  readonly #used = new Set<string>();
  #offers: Handover[] = [];

  /** @param roots fingerprints of the keys that are accepted without a handover, the oldest first */
  constructor(roots: readonly string[]) {
    this.#roots = roots;
  }

  /** Whether the next head may be signed by this public key. */
  accepts(key: string): boolean {
    const fingerprint = fingerprintOf(key);
    if (fingerprint === this.#current) return true;
    return this.#current === undefined
      ? fingerprint === this.#roots[0]
      : this.#roots.indexOf(fingerprint, this.#nextRoot) >= 0;
  }

  /** Whether heads of this public key were or are accepted, so that a copy signed by it is evidence. */
  isKnown(key: string): boolean {
    const fingerprint = fingerprintOf(key);
    return this.#used.has(fingerprint) || this.#roots.includes(fingerprint);
  }

  /** Takes a row of the batch that the next head covers. */
  takeRow(fields: AuditFields): void {
    const handover = handoverIn(fields);
    if (handover) this.#offers.push(handover);
  }

  /** Takes an accepted head, which makes a handover among its rows effective. */
  takeHead(key: string): void {
    const signer = fingerprintOf(key);
    const root = this.#roots.indexOf(signer, this.#nextRoot);
    if (root >= 0) this.#nextRoot = root + 1;
    this.#used.add(signer);
    const handover = this.#offers.find(({ from, to }) => from === key && !this.#used.has(fingerprintOf(to)));
    this.#offers = [];
    this.#current = handover ? fingerprintOf(handover.to) : signer;
    this.#used.add(this.#current);
  }

  /** Fingerprint of the key that signs the next head; undefined before the first. */
  get current(): string | undefined {
    return this.#current;
  }
}
