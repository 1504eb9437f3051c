import type { Ability } from '../authority/ability.ts';
import type { ActionFacts } from '../authority/action.ts';
import type { ListInput, ListSpec, Page } from './list.ts';

/**
 * One call as plain values: the server mounts it, the console calls it, and the OpenAPI document and tests derive from it.
 * Paths are relative to `API_BASE`. It needs no schema library, so the browser can load it.
 */
export interface CallSpec extends Partial<ActionFacts> {
  method: 'GET' | 'POST';
  path: string;
  summary: string;
  /**
   * read: one answer; list: a page; export: a whole list as a file; action: a mutation; session: the caller's own session;
   * stream: server-sent events; image: a picture; file: a file generated earlier.
   */
  kind: 'read' | 'list' | 'export' | 'action' | 'session' | 'stream' | 'image' | 'file';
  /** An image that never changes under its address, so that the browser may keep it. */
  immutable?: true;
  /** Maximum bytes of the body, if it is above that of other calls. */
  bodyBytesMax?: number;
  /**
   * Takes a file of at most so many bytes as the raw body instead of JSON. Its fields are then in the query string; its
   * ability is checked before the body is read.
   */
  fileBytesMax?: number;
  /** Needs no session. */
  public?: true;
  /** Allowed before the operator has set up required one-time codes or changed an initial password. */
  allowedBeforeSetup?: true;
  /** A second required ability: that of the list which an export reads. */
  also?: Ability;
  /** Name of the list call of the same noun that an export reads. */
  listName?: string;
  /** The input field that names the target. */
  targetBy?: string;
  /** Fields of unmasked personal data in the answer. The call is audited for them. */
  reveals?: readonly string[];
  /**
   * Of a save: where the record is in an answer of the same noun, such as `detail`, or `list.keys`; lists and arrays stand for
   * their rows. The record may be sent back whole: fields that the save cannot set are ignored if they are unchanged.
   */
  record?: string;
  /** A bulk action: runs once for each of `ids`. */
  bulk?: true;
  /** The answer is secret: a repeated call with the same idempotency key gets none. */
  secret?: true;
  /** A secret field of the answer: a repeated call with the same idempotency key does not get it. */
  secretField?: string;
  /** An action that only looks something up. A key of a repeated call is ignored: neither its input nor its answer is stored. */
  lookup?: true;
  list?: ListSpec;
}

declare const io: unique symbol;

/** A call with the types of its input and output, which exist at compile time only. */
export type Call<I, O> = CallSpec & { readonly [io]?: (input: I) => O };

export type InputOf<C> = C extends Call<infer I, infer _O> ? I : never;
export type OutputOf<C> = C extends Call<infer _I, infer O> ? O : never;
/** A row of a list call. */
export type RowOf<C> = OutputOf<C> extends Page<infer Row, infer _Sum> ? Row : never;

/** Declares a call: `call<Input, Output>()({...})`. Currying lets TypeScript infer the spec's own type. */
export const call =
  <I, O>() =>
  <const S extends CallSpec>(spec: S): S & Call<I, O> =>
    spec;

/** What a call that reads may name besides its path and summary. */
type ReadCall = Pick<CallSpec, 'ability' | 'target' | 'targetBy'>;

/** Declares a call that reads one answer: `read<Input, Output>()(path, summary, {...})`. The field `id` names its target. */
export const read =
  <I, O>() =>
  <const S extends ReadCall = object>(
    path: string,
    summary: string,
    spec?: S,
  ): { method: 'GET'; kind: 'read'; path: string; summary: string } & S & Call<I, O> => ({
    method: 'GET',
    kind: 'read',
    path,
    summary,
    ...(spec?.target !== undefined && { targetBy: 'id' }),
    ...(spec as S),
  });

/** Declares the call of a list: `listCall<Row, Sum>()(path, summary, list)`. Its input derives from the filters. */
export const listCall =
  <Row, Sum = never>() =>
  <const L extends ListSpec, const S extends ReadCall = object>(
    path: string,
    summary: string,
    list: L,
    spec?: S,
  ): { method: 'GET'; kind: 'list'; path: string; summary: string; list: L } & S &
    Call<ListInput<L>, Page<Row, Sum>> => ({
    method: 'GET',
    kind: 'list',
    path,
    summary,
    list,
    ...(spec as S),
  });

/** What the call of an action may add to its facts. */
type ActionCall = Pick<
  CallSpec,
  'bodyBytesMax' | 'fileBytesMax' | 'targetBy' | 'record' | 'reveals' | 'secret' | 'secretField' | 'lookup'
>;

/**
 * Declares the call of an action by its facts: `action<Input, Output>()(facts, path, {...})`. The field `id` names its
 * target, if it has one.
 */
export const action =
  <I, O>() =>
  <A extends ActionFacts, const S extends ActionCall = object>(
    facts: A,
    path: string,
    spec?: S,
  ): { method: 'POST'; kind: 'action'; path: string } & A & S & Call<I, O> => ({
    method: 'POST',
    kind: 'action',
    path,
    ...(facts.target !== undefined && { targetBy: 'id' }),
    ...facts,
    ...(spec as S),
  });

/** Declares the call that runs an action once for each of `ids`. */
export const bulkAction =
  <I, O>() =>
  <A extends ActionFacts>(
    facts: A,
    path: string,
  ): { method: 'POST'; kind: 'action'; bulk: true; targetBy: 'ids' } & Omit<A, 'summary'> & Call<I, O> => ({
    method: 'POST',
    kind: 'action',
    ...facts,
    summary: `批量${facts.summary}`,
    path,
    targetBy: 'ids',
    bulk: true,
  });

export const API_BASE = '/api/v1/admin/';
export const CALL_TIMEOUT_MS = 60_000;
