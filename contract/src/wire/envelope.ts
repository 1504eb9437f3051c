/** The codes of the envelope. 400 means only that the session is invalid. */
export const CODE = {
  ok: 200,
  submitted: 202,
  sessionInvalid: 400,
  wrongCredentials: 401,
  forbidden: 403,
  notFound: 404,
  conflict: 409,
  tooLarge: 413,
  mediaType: 415,
  invalid: 422,
  fresh: 428,
  tooMany: 429,
  internalError: 500,
  unavailable: 503,
} as const;

export type Code = (typeof CODE)[keyof typeof CODE];

export interface Envelope<T = unknown> {
  code: Code;
  msg: string;
  data: T;
  /** A new session token if the sent one is due for renewal. */
  token?: string;
}

export interface FieldError {
  field: string;
  msg: string;
}

/** A field of a record that others saved since the caller read it. Times are texts of unix milliseconds. */
export interface ConflictField {
  label: string;
  before: string | null;
  after: string | null;
  kind: 'text' | 'code' | 'time';
  /** Null for the system, and for operators outside the caller's scope. */
  by: string | null;
  at: number;
}

/** What others saved in a record since the caller read it: the data of a 409 of a save. */
export interface RecordConflict {
  state?: number;
  by: string | null;
  at: number | null;
  /** Empty if only the time of the change is known. */
  fields: readonly ConflictField[];
}

/** Who changed a record that is no longer in the state the operator saw, and when. */
export interface StateConflict {
  state: number;
  by: string | null;
  at: number | null;
}
