import type { FileHandle } from 'node:fs/promises';
import type { Answer } from '../actions/idempotency.ts';
import type { CallSpec, InputOf, OutputOf } from '@hengtai/contract/wire/endpoint';
import type { ExportSpec, Exportable } from '@hengtai/contract/desk/export/calls';
import type { nouns } from '@hengtai/contract/index';
import type { endpoints } from '@hengtai/contract/index.schema';
import type { App, Caller, Ctx } from '../app/context.ts';
import type { ListReader } from '../books/lists/list.ts';
import type { RegisteredAction } from '../actions/action.ts';
import type { Sink } from './stream.ts';

/** Answers a read or a list inside one read-only snapshot of the caller's scope. */
export type ReadHandler<I, O> = (ctx: Ctx, input: I, app: App) => Promise<O>;

/** Context of a call about the caller's own session. Its handler opens its own transactions. */
export interface SessionCall {
  app: App;
  /** Undefined for calls without a session, such as the login. */
  caller: Caller | undefined;
  expiresAt: number;
  origin: Pick<Caller, 'requestId' | 'ip' | 'userAgent'>;
  /** The header `device`; undefined when it is not a well-formed device token. */
  device: string | undefined;
}
export type SessionHandler<I> = (call: SessionCall, input: I) => Promise<Answer & { token?: string }>;

/** Context of a stream. Until it calls `open`, the handler may refuse like any other call. */
export interface StreamCall {
  app: App;
  caller: Caller;
  open: () => Sink;
}
export type StreamHandler<I> = (stream: StreamCall, input: I) => Promise<void>;

/** Answers with an image inside a transaction that may audit the access. */
export type ImageHandler<I> = (ctx: Ctx, input: I) => Promise<{ type: string; bytes: Buffer }>;

/** An open file to send. `recordEnd` audits a download that did not complete. */
export interface Download {
  file: FileHandle;
  size: number;
  type: string;
  disposition: string;
  recordEnd: (result: number) => Promise<void>;
}

/** Finds a file that the caller may download and audits the access; opens its own transactions. */
export type DownloadHandler<I> = (call: { app: App; caller: Caller }, input: I) => Promise<Download>;

/** The context in which a body is received, before the transaction of its action. */
export interface FileCall {
  app: App;
  caller: Caller;
}

/**
 * An action whose raw body may be a file. `receive` reads it in pieces and opens its own transactions; what it returns is the
 * input of the action, and equal for equal files, as the idempotency key needs. Without a file it gets the JSON body.
 */
export type FileAction<I, O> = RegisteredAction<never, O> & {
  receive: (call: FileCall, input: I, file: AsyncIterable<Buffer> | undefined) => Promise<object>;
};

/** The type of handler that a call of the contract needs. */
export type HandlerOf<C extends CallSpec> = C extends { kind: 'session' }
  ? SessionHandler<InputOf<C>>
  : C extends { kind: 'stream' }
    ? StreamHandler<InputOf<C>>
    : C extends { kind: 'image' }
      ? ImageHandler<InputOf<C>>
      : C extends { kind: 'file' }
        ? DownloadHandler<InputOf<C>>
        : C extends { bulk: true }
          ? { each: RegisteredAction<EachOf<InputOf<C>>, unknown> }
          : C extends { kind: 'action' }
            ? C extends { fileBytesMax: number }
              ? FileAction<InputOf<C>, OutputOf<C>>
              : RegisteredAction<InputOf<C>, OutputOf<C>>
            : C extends Exportable
              ? ListReader<InputOf<C>, OutputOf<C>>
              : ReadHandler<InputOf<C>, OutputOf<C>>;

/**
 * The handlers of a noun's calls; a missing or mismatched handler is a type error. An export has no handler, because it
 * reads the rows of its list.
 */
export type HandlersOf<N extends keyof typeof endpoints> = {
  [
    C in keyof (typeof nouns)[N] as (typeof nouns)[N][C] extends ExportSpec ? never : C
  ]: (typeof nouns)[N][C] extends CallSpec ? HandlerOf<(typeof nouns)[N][C]> : never;
};

/** The input of one action of a bulk call: `ids` becomes `id`. */
type EachOf<I> = Omit<I, 'ids'> & { id: number };

export type AnyHandler =
  | SessionHandler<never>
  | StreamHandler<never>
  | ImageHandler<never>
  | DownloadHandler<never>
  | { each: RegisteredAction<never, unknown> }
  | FileAction<never, unknown>
  | RegisteredAction<never, unknown>
  | ReadHandler<never, unknown>;
