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

/** Who changed a record that is no longer in the state the operator saw, and when. */
export interface StateConflict {
  state: number;
  by: string | null;
  at: number | null;
}
