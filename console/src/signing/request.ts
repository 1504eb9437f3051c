/** What the console asks of the page. The page answers its opener only. */
export interface SignRequest {
  type: 'hengtai.signing.sign';
  person: string;
  /** Version of the roster that the key is in. */
  roster: number;
  /** Digest of that roster, if the consent must carry it. */
  rosterDigest?: string;
  relyingParty: string;
  /** Ids of the person's keys. */
  keys: string[];
  texts: string[];
  /** The roster before the one that is signed; null for everything else. */
  previous: string | null;
}

export interface EnrolRequest {
  type: 'hengtai.signing.enrol';
  person: string;
  relyingParty: string;
}

export type Request = SignRequest | EnrolRequest;

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string' && value !== '';
const areTexts: Check = (value) => Array.isArray(value) && value.length > 0 && value.every(isText);

const FIELDS: { [T in Request as T['type']]: Readonly<Record<keyof T, Check>> } = {
  'hengtai.signing.sign': {
    type: isText,
    person: isText,
    roster: (value) => Number.isSafeInteger(value) && (value as number) > 0,
    rosterDigest: (value) => value === undefined || isText(value),
    relyingParty: isText,
    keys: areTexts,
    texts: areTexts,
    previous: (value) => value === null || isText(value),
  },
  'hengtai.signing.enrol': { type: isText, person: isText, relyingParty: isText },
};

/** The request in a message; undefined if it has not exactly the fields of one. */
export function readRequest(data: unknown): Request | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const values = data as Readonly<Record<string, unknown>>;
  const fields = Object.entries(FIELDS).find(([type]) => type === values['type'])?.[1];
  if (!fields || Object.keys(values).some((name) => !Object.hasOwn(fields, name))) return undefined;
  return Object.entries(fields).every(([name, check]) => check(values[name])) ? (data as Request) : undefined;
}
