/** What the console asks of the page. The page answers its opener only. */
export interface SignRequest {
  type: 'hengtai.signing.sign';
  person: string;
  /** Version of the roster that the key is in. */
  roster: number;
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

const FIELDS: { [T in Request as T['type']]: Record<keyof T, Check> } = {
  'hengtai.signing.sign': {
    type: isText,
    person: isText,
    roster: (value) => Number.isSafeInteger(value) && (value as number) > 0,
    relyingParty: isText,
    keys: areTexts,
    texts: areTexts,
    previous: (value) => value === null || isText(value),
  },
  'hengtai.signing.enrol': { type: isText, person: isText, relyingParty: isText },
};

/** The request in a message; undefined if it has not exactly the fields of one. */
export function readRequest(data: unknown): Request | undefined {
  if (typeof data !== 'object' || data === null || !('type' in data)) return undefined;
  const fields = FIELDS[data.type as Request['type']] as Record<string, Check> | undefined;
  if (!fields || Object.keys(data).length !== Object.keys(fields).length) return undefined;
  const values = data as Record<string, unknown>;
  return Object.entries(fields).every(([name, check]) => check(values[name])) ? (data as Request) : undefined;
}
