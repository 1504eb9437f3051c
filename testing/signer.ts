import { type KeyObject, createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** JSON with sorted fields, written apart from the product's, so that a test notices a change of the format. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, one]) => `${JSON.stringify(name)}:${canonicalJson(one)}`).join(',')}}`;
}

export const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();
export const digestOf = (text: string): string => sha256(text).toString('hex');

/** A signed consent as it travels. */
export interface Signed {
  key: string;
  consent: string;
  authenticatorData: string;
  clientDataJSON: string;
  signature: string;
}

/** What an attack signs differently. */
export interface SignerLies {
  person?: string;
  key?: string;
  roster?: number;
  rosterDigest?: string;
  at?: number;
  type?: string;
  origin?: string;
  challenge?: string;
  relyingParty?: string;
  crossOrigin?: boolean;
  topOrigin?: string;
  flags?: number;
}

export const RELYING_PARTY = 'sign.example.com';
export const ORIGIN = 'https://sign.example.com';

/** A person with a software passkey for a signing page. */
export interface Signer {
  id: string;
  person: string;
  publicKey: string;
  privateKey: KeyObject;
  /** Signs one consent to these texts. */
  sign: (texts: readonly string[], when: { at: number; roster?: NamedRoster }, lies?: SignerLies) => Signed;
  /** Signs a consent as it is. */
  signConsent: (consent: string, lies?: SignerLies) => Signed;
}

/** The text of a roster, which a consent or mandate names by version and digest; a number is the form of before. */
export type NamedRoster = string | number;

/** The fields by which a consent or mandate names a roster. */
export const nameRoster = (roster: NamedRoster): { roster: number; rosterDigest?: string } =>
  typeof roster === 'number'
    ? { roster }
    : { roster: (JSON.parse(roster) as { version: number }).version, rosterDigest: digestOf(roster) };

const PRESENT_AND_VERIFIED = 5;

/** @param page of the signing page; the example's by default */
export function makeSigner(
  person: string,
  page: { relyingParty: string; origin: string } = { relyingParty: RELYING_PARTY, origin: ORIGIN },
): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32).toString('base64url');
  const signConsent = (consent: string, lies: SignerLies = {}): Signed => {
    const clientData = JSON.stringify({
      type: lies.type ?? 'webauthn.get',
      challenge: lies.challenge ?? sha256(consent).toString('base64url'),
      origin: lies.origin ?? page.origin,
      crossOrigin: lies.crossOrigin ?? false,
      ...(lies.topOrigin !== undefined && { topOrigin: lies.topOrigin }),
    });
    const data = Buffer.concat([
      sha256(lies.relyingParty ?? page.relyingParty),
      Buffer.from([lies.flags ?? PRESENT_AND_VERIFIED, 0, 0, 0, 0]),
    ]);
    return {
      key: lies.key ?? id,
      consent,
      authenticatorData: data.toString('base64url'),
      clientDataJSON: Buffer.from(clientData).toString('base64url'),
      signature: sign('sha256', Buffer.concat([data, sha256(clientData)]), privateKey).toString('base64url'),
    };
  };
  return {
    id,
    person,
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64url'),
    privateKey,
    signConsent,
    sign: (texts, { at, roster = 1 }, lies = {}) => {
      const consent = canonicalJson({
        kind: 'consent',
        person: lies.person ?? person,
        ...nameRoster(roster),
        ...(lies.roster !== undefined && { roster: lies.roster }),
        ...(lies.rosterDigest !== undefined && { rosterDigest: lies.rosterDigest }),
        at: lies.at ?? at,
        digests: texts.map(digestOf),
      });
      return signConsent(consent, lies);
    },
  };
}

/** The text of a roster of these keys. */
export const makeRoster = (
  signers: readonly Signer[],
  fields: { version?: number; previous?: string | null; threshold?: number; origins?: string[] } = {},
  relyingParty: string = RELYING_PARTY,
): string =>
  canonicalJson({
    kind: 'roster',
    version: 1,
    previous: null,
    threshold: 2,
    origins: [ORIGIN],
    ...fields,
    relyingParty,
    keys: signers.map(({ id, person, publicKey }) => ({ id, person, publicKey })),
  });
