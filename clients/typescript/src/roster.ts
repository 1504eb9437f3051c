import { type KeyObject, createHash, createPublicKey, verify } from 'node:crypto';
import {
  type Consent,
  type ConsentSignature,
  type Roster,
  type RosterKey,
  InvalidText,
  parseConsent,
  parseHeldRoster,
  parseRoster,
  personKey,
} from './signing-text.ts';

/** A payout, mandate or roster that the wallet must not accept. */
export class NotVerified extends Error {
  /** One word for programs; the message is for people. */
  readonly fault: VerificationFault;

  constructor(fault: VerificationFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

export type VerificationFault =
  | 'unsigned'
  | 'malformed'
  | 'differs'
  | 'unknown_key'
  | 'challenge'
  | 'client_data'
  | 'relying_party'
  | 'user_verification'
  | 'signature'
  | 'roster_version'
  | 'roster_digest'
  | 'same_person'
  | 'threshold'
  | 'maker'
  | 'platform'
  | 'age'
  | 'mandate'
  | 'budget'
  | 'repeated';

/** @throws NotVerified unless the condition is true */
export function ensure(condition: boolean, fault: VerificationFault, message: string): asserts condition {
  if (!condition) throw new NotVerified(fault, message);
}

/** Runs a parser of texts. @throws NotVerified `malformed` instead of InvalidText */
export function parsed<T>(parse: (source: string) => T, source: unknown): T {
  ensure(typeof source === 'string', 'malformed', 'A text is missing.');
  try {
    return parse(source);
  } catch (error) {
    if (error instanceof InvalidText) throw new NotVerified('malformed', error.message);
    throw error;
  }
}

/** SHA-256 of a text, lower-case hexadecimal. */
export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();

/** A roster that the wallet trusts, with the digest of its text: the fingerprint that people compare with paper. */
export interface HeldRoster extends Roster {
  digest: string;
  /**
   * Consents and mandates must carry the digest. Keep it in the store of the wallet beside the text: only a roster that an
   * earlier version of this client pinned or accepted is without it, and both forms are valid under that one.
   */
  needsDigest: boolean;
}

/**
 * Reads the first roster. A person must have compared its fingerprint with the paper before.
 *
 * @throws NotVerified
 */
export function pinRoster(text: string): HeldRoster {
  return hold(parsed(parseRoster, text), text, true);
}

/**
 * Reads the held roster from the store of the wallet.
 *
 * @param needsDigest as it was stored beside the text; false if nothing was, as by versions of this client before the field
 * @throws NotVerified
 */
export function restoreRoster(text: string, needsDigest: boolean): HeldRoster {
  return hold(parsed(needsDigest ? parseRoster : parseHeldRoster, text), text, needsDigest);
}

function hold(roster: Roster, text: string, needsDigest: boolean): HeldRoster {
  for (const key of roster.keys) ensure(isOnCurve(key), 'malformed', 'A public key is not a point of the curve.');
  return { ...roster, digest: digestOf(text), needsDigest };
}

/** @throws NotVerified unless a consent or mandate names the held roster in a form that is valid under it */
export function requireRoster(held: HeldRoster, named: { roster: number; rosterDigest?: string }, what: string): void {
  ensure(named.roster === held.version, 'roster_version', `${what} is of another version than ${held.version}.`);
  if (named.rosterDigest === undefined) ensure(!held.needsDigest, 'roster_digest', `${what} names no roster.`);
  else ensure(named.rosterDigest === held.digest, 'roster_digest', `${what} names another roster.`);
}

function isOnCurve(key: RosterKey): boolean {
  try {
    return readKey(key).type === 'public';
  } catch {
    return false;
  }
}

/** Throws for a point that is not on the curve. */
const readKey = ({ publicKey }: RosterKey): KeyObject =>
  createPublicKey({ key: Buffer.from(publicKey, 'base64url'), format: 'der', type: 'spki' });

/**
 * Returns the next roster. Enough persons of the held one must have signed it; the threshold never falls.
 *
 * @throws NotVerified
 */
export function acceptRoster(held: HeldRoster, text: string, signatures: readonly ConsentSignature[]): HeldRoster {
  const next = pinRoster(text);
  ensure(next.version === held.version + 1, 'roster_version', `The held roster is version ${held.version}.`);
  ensure(next.previous === held.digest, 'roster_version', 'The roster does not follow the held one.');
  ensure(next.threshold >= held.threshold, 'threshold', 'The threshold must not fall.');
  verifyConsents(held, next.digest, signatures);
  return next;
}

/** Flags of the authenticator: the user was present, and gave a PIN, a fingerprint or the like. */
const PRESENT = 1;
const VERIFIED = 4;

const BASE64URL = /^[A-Za-z0-9_-]{1,4096}$/;

function bytesOf(value: unknown, what: string): Buffer {
  ensure(typeof value === 'string' && BASE64URL.test(value), 'malformed', `${what} is not base64url.`);
  // One digit too many: no encoder writes it, and decoders differ.
  ensure(value.length % 4 !== 1, 'malformed', `${what} is not base64url.`);
  return Buffer.from(value, 'base64url');
}

/**
 * Verifies that enough persons of the roster signed the text with this digest: distinct ones, each with an own key.
 *
 * @returns the consents, in order
 * @throws NotVerified
 */
export function verifyConsents(
  roster: HeldRoster,
  digest: string,
  signatures: readonly ConsentSignature[] | undefined,
): Consent[] {
  ensure(Array.isArray(signatures), 'unsigned', 'There are no signatures.');
  ensure(signatures.length >= roster.threshold, 'threshold', `${roster.threshold} signatures are needed.`);
  ensure(signatures.length <= roster.keys.length, 'threshold', 'There are more signatures than keys.');
  const consents = signatures.map((signature) => verifyConsent(roster, signature));
  for (const consent of consents)
    ensure(consent.digests.includes(digest), 'differs', 'A signature is for other texts.');
  ensure(
    new Set(consents.map(({ person }) => personKey(person))).size === consents.length,
    'same_person',
    'A person signed more than once.',
  );
  return consents;
}

/** Verifies one signature. @throws NotVerified */
function verifyConsent(roster: HeldRoster, signature: ConsentSignature): Consent {
  ensure(typeof signature === 'object' && signature !== null, 'malformed', 'A signature is missing.');
  const consent = parsed(parseConsent, signature.consent);
  requireRoster(roster, consent, 'A consent');
  const key = roster.keys.find(({ id }) => id === signature.key);
  ensure(key !== undefined, 'unknown_key', 'A key is not in the roster.');
  ensure(key.person === consent.person, 'unknown_key', 'A key belongs to another person.');
  const authenticatorData = bytesOf(signature.authenticatorData, 'authenticatorData');
  const clientData = bytesOf(signature.clientDataJSON, 'clientDataJSON');
  checkClientData(roster, clientData, sha256(signature.consent).toString('base64url'));
  checkAuthenticatorData(roster, authenticatorData);
  const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
  ensure(isSignature(key, signed, bytesOf(signature.signature, 'signature')), 'signature', 'A signature is wrong.');
  return consent;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function checkClientData(roster: Roster, clientData: Buffer, challenge: string): void {
  let data: unknown;
  try {
    data = JSON.parse(utf8.decode(clientData));
  } catch {
    data = null;
  }
  ensure(typeof data === 'object' && data !== null, 'client_data', 'clientDataJSON is not an object.');
  const { type, challenge: signed, origin, crossOrigin, topOrigin } = data as Record<string, unknown>;
  ensure(type === 'webauthn.get', 'client_data', 'The signature is not an assertion.');
  ensure(signed === challenge, 'challenge', 'The signature is for another consent.');
  ensure(
    typeof origin === 'string' && roster.origins.includes(origin),
    'client_data',
    'It was signed on a page that is not in the roster.',
  );
  ensure(
    (crossOrigin === undefined || crossOrigin === false) && topOrigin === undefined,
    'client_data',
    'It was signed inside a page of another origin.',
  );
}

function checkAuthenticatorData(roster: Roster, data: Buffer): void {
  ensure(data.length >= 37, 'malformed', 'authenticatorData is too short.');
  ensure(
    data.subarray(0, 32).equals(sha256(roster.relyingParty)),
    'relying_party',
    'It was signed for another relying party.',
  );
  const flags = data[32] ?? 0;
  ensure((flags & PRESENT) !== 0 && (flags & VERIFIED) !== 0, 'user_verification', 'The user was not verified.');
}

/** Whether it is a signature by ES256. Some malformed signatures make OpenSSL throw. */
function isSignature(key: RosterKey, signed: Buffer, signature: Buffer): boolean {
  try {
    return verify('sha256', signed, { key: readKey(key), dsaEncoding: 'der' }, signature);
  } catch {
    return false;
  }
}
