import { createHash, createPublicKey, verify } from 'node:crypto';
import {
  type Consent,
  type ConsentSignature,
  InvalidText,
  type Roster,
  parseConsent,
  parseHeldRoster,
} from '@hengtai/contract/risk/signing/text';

/** A roster that signatures are verified against, with the digest of its text. */
export interface HeldRoster extends Roster {
  digest: string;
  /** Consents and mandates must carry the digest. False for a roster of before, under which wallets take both forms. */
  needsDigest: boolean;
  /** What is signed now carries the digest. */
  signsDigest: boolean;
}

/** A roster in force, whose persons may be of before they had to have a form. */
export const readRoster = ({
  text,
  digest,
  needsDigest,
  signsDigest,
}: Pick<HeldRoster, 'digest' | 'needsDigest' | 'signsDigest'> & { text: string }): HeldRoster => ({
  ...parseHeldRoster(text),
  digest,
  needsDigest,
  signsDigest,
});

/** Whether a consent or mandate names the roster as a wallet that holds it demands. */
export const namesRoster = (named: { roster: number; rosterDigest?: string }, roster: HeldRoster): boolean =>
  named.roster === roster.version &&
  (named.rosterDigest === undefined ? !roster.needsDigest : named.rosterDigest === roster.digest);

/** Why a signature is refused, in Chinese. */
export class InvalidSignature extends Error {}

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();

/** SHA-256 of a text, lower-case hexadecimal. */
export const textDigest = (text: string): string => sha256(text).toString('hex');

/** Flags of the authenticator: the user was present, and gave a PIN, a fingerprint or the like. */
const PRESENT = 1;
const VERIFIED = 4;

function ensure(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new InvalidSignature(problem);
}

/**
 * Verifies one signature as the wallet will: key and person of the roster, challenge, page, user verification.
 *
 * @throws InvalidSignature
 */
export function verifyConsent(roster: HeldRoster, signature: ConsentSignature): Consent {
  const consent = readConsent(signature.consent);
  ensure(namesRoster(consent, roster), '签名所用的名册不是当前名册');
  const key = roster.keys.find(({ id }) => id === signature.key);
  ensure(key !== undefined, '签名密钥不在名册中');
  ensure(key.person === consent.person, '签名密钥不属于该签名人');
  const clientData = bytesOf(signature.clientDataJSON);
  const authenticatorData = bytesOf(signature.authenticatorData);
  const client = readClientData(clientData);
  ensure(client?.['type'] === 'webauthn.get', '不是签名');
  ensure(client['challenge'] === sha256(signature.consent).toString('base64url'), '签名与所示内容不符');
  ensure(
    roster.origins.some((origin) => origin === client['origin']),
    '签名页的地址不在名册中',
  );
  ensure(
    (client['crossOrigin'] === undefined || client['crossOrigin'] === false) && client['topOrigin'] === undefined,
    '签名页被嵌入在其他页面中',
  );
  ensure(authenticatorData.length >= 37, '验证器数据不完整');
  ensure(authenticatorData.subarray(0, 32).equals(sha256(roster.relyingParty)), '签名不属于该签名页的域名');
  const flags = authenticatorData[32] ?? 0;
  ensure((flags & PRESENT) !== 0 && (flags & VERIFIED) !== 0, '验证器没有核验指纹、面容或 PIN');
  const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
  ensure(isSignature(key.publicKey, signed, bytesOf(signature.signature)), '签名不正确');
  return consent;
}

function readConsent(text: string): Consent {
  try {
    return parseConsent(text);
  } catch (error) {
    if (error instanceof InvalidText) throw new InvalidSignature('签名内容的格式不正确');
    throw error;
  }
}

/** Refuses what no encoder writes and decoders read differently: one digit too many. */
function bytesOf(value: string): Buffer {
  ensure(value.length % 4 !== 1, '不是 base64url');
  return Buffer.from(value, 'base64url');
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function readClientData(clientData: Buffer): Record<string, unknown> | undefined {
  try {
    const data: unknown = JSON.parse(utf8.decode(clientData));
    return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** OpenSSL throws for a point that is not on the curve. */
function isSignature(publicKey: string, signed: Buffer, signature: Buffer): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64url'), format: 'der', type: 'spki' });
    return verify('sha256', signed, { key, dsaEncoding: 'der' }, signature);
  } catch {
    return false;
  }
}

/** Whether the text is a P-256 key in SPKI whose point is on the curve. */
export function isUsableKey(publicKey: string): boolean {
  try {
    createPublicKey({ key: Buffer.from(publicKey, 'base64url'), format: 'der', type: 'spki' });
    return true;
  } catch {
    return false;
  }
}
