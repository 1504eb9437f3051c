import { stableJson } from '../../wire/stable-json.ts';

// Texts that people sign with a passkey, so that the platform's wallet can verify a payout without trusting the server. Each is
// canonical JSON: `stableJson` of its value gives the same text. The browser and the signing page load this file.

/** The keys that may sign. The wallet pins the first roster; each later one is signed by keys of the one before. */
export interface Roster {
  kind: 'roster';
  version: number;
  /** Digest of the roster before; null for the first. */
  previous: string | null;
  /** Number of persons who must sign. */
  threshold: number;
  /** Host name of the signing page, and its addresses. */
  relyingParty: string;
  origins: string[];
  keys: RosterKey[];
}

export interface RosterKey {
  /** Id of the credential, base64url. */
  id: string;
  /** Account of the operator. */
  person: string;
  /** SPKI of a P-256 key in DER, base64url. */
  publicKey: string;
}

/** One payout. The maker and the checkers sign the same text. */
export interface PayoutText {
  kind: 'payout';
  command: 'withdraw.payout';
  platform: number;
  no: string;
  attempt: number;
  account: string;
  market: string;
  network: string;
  address: string;
  memo: string;
  amount: string;
  fee: string;
  /** What the wallet pays. */
  received: string;
  /** State of the withdrawal in which the maker decided. */
  state: number;
  maker: string;
}

/** A budget for payouts that nobody signs one by one. Valid under one version of the roster only. */
export interface Mandate {
  kind: 'mandate';
  id: string;
  roster: number;
  /** Digest of the roster. A first roster is always version 1, so the version alone names none. Absent in the form of before. */
  rosterDigest?: string;
  platform: number;
  /** Unix milliseconds; the end is exclusive. */
  from: number;
  until: number;
  coins: { market: string; networks: string[]; largest: string; perDay: string }[];
}

export type Signable = Roster | PayoutText | Mandate;

/** What one touch signs: the digests of all texts that were shown. Its SHA-256 is the challenge. */
export interface Consent {
  kind: 'consent';
  person: string;
  /** Version of the roster that the key is in. */
  roster: number;
  /** Digest of that roster. Absent in the form of before. */
  rosterDigest?: string;
  /** Unix milliseconds. */
  at: number;
  digests: string[];
}

/** A consent with what the authenticator answered; all but `consent` are base64url. */
export interface ConsentSignature {
  key: string;
  consent: string;
  authenticatorData: string;
  clientDataJSON: string;
  signature: string;
}

export const CONSENT_MAX = 200;
/** An approval has at most two checkers. */
export const THRESHOLD_MIN = 2;
export const THRESHOLD_MAX = 3;
const KEYS_MAX = 50;
/** Longest validity of a mandate; the same as in `scripts/verify-payout.mjs`. */
const MANDATE_MS_MAX = 366 * 86_400_000;

export class InvalidText extends Error {}

type Check = (value: unknown) => boolean;

const matches =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const is =
  (expected: unknown): Check =>
  (value) =>
    value === expected;
const text =
  (max: number, min = 1): Check =>
  (value) =>
    typeof value === 'string' && value.length >= min && value.length <= max && !/\p{Surrogate}/u.test(value);
const integer =
  (min: number, max = Number.MAX_SAFE_INTEGER): Check =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
const list =
  (max: number, check: Check, min = 1): Check =>
  (value) =>
    Array.isArray(value) && value.length >= min && value.length <= max && value.every(check);
const record = (fields: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check => {
  const checks = new Map(Object.entries({ ...fields, ...optional }));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const given = new Map<string, unknown>(Object.entries(value));
    return (
      Object.keys(fields).every((name) => given.has(name)) &&
      [...given].every(([name, one]) => checks.get(name)?.(one) ?? false)
    );
  };
};

const account = text(64);
const market = text(32);
const version = integer(1);
const digest = matches(/^[0-9a-f]{64}$/);
/** Sums of amounts are exact: at most 18 digits behind the point, no trailing zeros. */
const amount = matches(/^(0|[1-9][0-9]{0,23})(\.[0-9]{0,17}[1-9])?$/);
const positive: Check = (value) => amount(value) && value !== '0';
export const isCredentialId = matches(/^[A-Za-z0-9_-]{16,1366}$/);
/** The fixed head of an uncompressed P-256 key, then its 64 bytes in their only encoding. */
export const isPublicKey = matches(/^MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE[A-Za-z0-9_-]{85}[AQgw]$/);

const shapes: Readonly<Record<(Signable | Consent)['kind'], Check>> = {
  roster: record({
    kind: is('roster'),
    version,
    previous: (value) => value === null || digest(value),
    threshold: integer(THRESHOLD_MIN, THRESHOLD_MAX),
    relyingParty: matches(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/),
    origins: list(5, matches(/^(https:\/\/[a-z0-9.-]+|http:\/\/localhost)(:[0-9]{1,5})?$/)),
    keys: list(KEYS_MAX, record({ id: isCredentialId, person: account, publicKey: isPublicKey }), THRESHOLD_MIN),
  }),
  payout: record({
    kind: is('payout'),
    command: is('withdraw.payout'),
    platform: version,
    no: text(64),
    attempt: version,
    account,
    market,
    network: market,
    address: text(256),
    memo: text(256, 0),
    amount,
    fee: amount,
    received: positive,
    state: integer(0, 99),
    maker: account,
  }),
  mandate: record(
    {
      kind: is('mandate'),
      id: matches(/^[A-Za-z0-9-]{1,40}$/),
      roster: version,
      platform: version,
      from: integer(0),
      until: integer(0),
      coins: list(20, record({ market, networks: list(20, market), largest: amount, perDay: amount })),
    },
    { rosterDigest: digest },
  ),
  consent: record(
    {
      kind: is('consent'),
      person: account,
      roster: version,
      at: integer(0),
      digests: list(CONSENT_MAX, digest),
    },
    { rosterDigest: digest },
  ),
};

const areUnique = (values: readonly unknown[]): boolean => new Set(values).size === values.length;

/** Whether the browser would accept the relying party on that page. */
function isOriginOf(origin: string, relyingParty: string): boolean {
  const host = origin.replace(/^https?:\/\//, '').replace(/:\d+$/, '');
  return host === relyingParty || host.endsWith(`.${relyingParty}`);
}

/** Rules that concern several fields. */
function isConsistent(value: Signable | Consent): boolean {
  switch (value.kind) {
    case 'roster':
      return (
        (value.version === 1) === (value.previous === null) &&
        areUnique(value.origins) &&
        value.origins.every((origin) => isOriginOf(origin, value.relyingParty)) &&
        areUnique(value.keys.map(({ id }) => id)) &&
        areUnique(value.keys.map(({ publicKey }) => publicKey)) &&
        new Set(value.keys.map(({ person }) => person)).size >= value.threshold
      );
    case 'mandate':
      return (
        value.from < value.until &&
        value.until - value.from <= MANDATE_MS_MAX &&
        areUnique(value.coins.map((coin) => coin.market))
      );
    case 'consent':
      return areUnique(value.digests);
    default:
      return true;
  }
}

/** @throws InvalidText unless it is the canonical text of one of these kinds, with exactly its fields */
function parse(source: string, kinds: readonly (Signable | Consent)['kind'][]): Signable | Consent {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    throw new InvalidText('The text is not JSON.');
  }
  const kind = kinds.find((one) => shapes[one](value));
  if (!kind) throw new InvalidText(`The text has not exactly the fields of a ${kinds.join(', ')}.`);
  const parsed = value as Signable | Consent;
  // Refuses double fields, which programs read differently.
  if (stableJson(parsed) !== source) throw new InvalidText('The text is not canonical JSON.');
  if (!isConsistent(parsed)) throw new InvalidText(`The fields of the ${kind} contradict each other.`);
  return parsed;
}

const PERSON = /^[A-Za-z0-9._@+-]{2,64}$/;

/** The same for two persons that differ only in case: they count as one. */
export const personKey = (person: string): string => person.toUpperCase().toLowerCase();

/** @throws InvalidText unless each person can be told apart by eye from every other one */
function requireClearPersons(roster: Roster): Roster {
  const persons = [...new Set(roster.keys.map(({ person }) => person))];
  if (!persons.every((person) => PERSON.test(person)))
    throw new InvalidText('A person of the roster is not 2 to 64 letters, digits or . _ @ + - of ASCII.');
  if (!areUnique(persons.map(personKey))) throw new InvalidText('Two persons of the roster differ only in case.');
  return roster;
}

/** @throws InvalidText */
export function parseSignable(source: string): Signable {
  const parsed = parse(source, ['payout', 'roster', 'mandate']) as Signable;
  return parsed.kind === 'roster' ? requireClearPersons(parsed) : parsed;
}

/** @throws InvalidText */
export const parseRoster = (source: string): Roster => requireClearPersons(parseHeldRoster(source));

/** A roster that was in force before persons had to have a form, which stays valid. @throws InvalidText */
export const parseHeldRoster = (source: string): Roster => parse(source, ['roster']) as Roster;

/** @throws InvalidText */
export const parseConsent = (source: string): Consent => parse(source, ['consent']) as Consent;

/** A digest in groups of four, for comparison with paper or on the telephone. */
export const groupDigest = (hex: string): string => hex.match(/.{1,4}/g)?.join(' ') ?? '';
