import type { Ability } from './ability.ts';
import type { ListSpec, Page } from './list.ts';

/** Nouns whose rows a call can name, and that are looked up inside the operator's scope before anything is decided. */
export type TargetNoun =
  | 'agent'
  | 'user'
  | 'recharge'
  | 'withdraw'
  | 'fund'
  | 'auth'
  | 'approval'
  | 'view'
  | 'session'
  | 'export'
  | 'plan'
  | 'trade'
  | 'ieo'
  | 'second'
  | 'follow'
  | 'future'
  | 'service'
  | 'message'
  | 'reply'
  | 'alarm'
  | 'command';

/**
 * What one call is, as plain values: the server mounts it, the console calls it, the OpenAPI document and the tests are
 * derived from it. Paths are below `API_BASE`. Nothing here needs the schema library, so the browser can hold it.
 */
export interface CallSpec {
  method: 'GET' | 'POST';
  path: string;
  summary: string;
  /**
   * read: one answer; list: a page; export: a whole list as a file; action: changes something; session: about one's own
   * session; stream: events without end; image: a picture; file: a file that was made before.
   */
  kind: 'read' | 'list' | 'export' | 'action' | 'session' | 'stream' | 'image' | 'file';
  /** No session needed. Only the login has this. */
  public?: true;
  /** Answered also to an operator who has yet to set up the one-time codes that a policy demands. */
  unready?: true;
  /** Ability without which the call is refused with 403. */
  ability?: Ability;
  /** A second ability that is needed as well: that of the list which an export reads. */
  also?: Ability;
  /** The list call of the same noun that an export reads. */
  of?: string;
  /** The row that the input names; outside the operator's scope it is answered with 404. */
  target?: TargetNoun;
  /** The input field that names the target. */
  targetBy?: string;
  /**
   * Whether a reason is taken. `required`: the call is refused without one. `expected`: the console asks for one, the call
   * works without, and the audit row then says that none was given.
   */
  reason?: 'optional' | 'expected' | 'required';
  /** A one-time code at most five minutes old is needed where the operator has set one up. */
  fresh?: true;
  /** Name of the policy under which the call may be put to a second person (code 202). */
  approvable?: string;
  /** Unmasked personal data in the answer; the call is audited for it. */
  reveals?: readonly string[];
  /** The action that is done once for each of `ids`. */
  bulk?: true;
  /** The answer holds a secret, so a repeated call with the same key is answered without it. */
  secret?: true;
  /** A field of the answer that is a secret, so a repeated call with the same key is answered without it. */
  secretField?: string;
  list?: ListSpec;
}

declare const io: unique symbol;

/** A call together with the types of what it takes and answers; the types exist at compile time only. */
export type Call<I, O> = CallSpec & { readonly [io]?: (input: I) => O };

export type InputOf<C> = C extends Call<infer I, infer _O> ? I : never;
export type OutputOf<C> = C extends Call<infer _I, infer O> ? O : never;
/** A row of a list call. */
export type RowOf<C> = OutputOf<C> extends Page<infer Row, infer _Sum> ? Row : never;

/** Declares a call; `call<Input, Output>()({...})`, so that the two types are given and the rest is inferred. */
export const call =
  <I, O>() =>
  <const S extends CallSpec>(spec: S): S & Call<I, O> =>
    spec;

export const API_BASE = '/api/v1/admin/';
export const TIMEOUT_MS = 60_000;
