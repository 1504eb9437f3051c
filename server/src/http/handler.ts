import type { FileHandle } from 'node:fs/promises';
import type { Answer } from './idempotency.ts';
import type { CallSpec, InputOf, OutputOf } from '@hengtai/contract/endpoint';
import type { Exportable } from '@hengtai/contract/export';
import type { App, Caller, Ctx } from '../context.ts';
import type { ListReader } from '../db/list.ts';
import type { SealedAction } from './action.ts';
import type { Sink } from './stream.ts';

/** Answers a read or a list inside a transaction that sees one snapshot of the caller's scope. */
export type ReadHandler<I, O> = (ctx: Ctx, input: I, app: App) => Promise<O>;

/** What a call about one's own session gets: it opens its transactions itself. */
export interface SessionCall {
  app: App;
  /** Absent for the login. */
  caller: Caller | undefined;
  expiresAt: number;
  origin: Pick<Caller, 'requestId' | 'ip' | 'userAgent'>;
  /** The header `device`, if it is one of ours by its form. */
  device: string | undefined;
}
export type SessionHandler<I> = (call: SessionCall, input: I) => Promise<Answer & { token?: string }>;

/** What a stream gets: who asks, and the way to begin, before which it may refuse as any call does. */
export interface StreamCall {
  app: App;
  caller: Caller;
  open: () => Sink;
}
export type Streamer<I> = (stream: StreamCall, input: I) => Promise<void>;

/** Answers with a picture, inside a transaction that may write that it was looked at. */
export type Imager<I> = (ctx: Ctx, input: I) => Promise<{ type: string; bytes: Buffer }>;

/** A file that lies ready; `recordEnd` says how it ended where it did not get to its end. */
export interface Download {
  file: FileHandle;
  size: number;
  type: string;
  disposition: string;
  recordEnd: (result: number) => Promise<void>;
}

/** Finds a file for who may have it, and writes that it was taken; opens its transactions itself. */
export type Filer<I> = (call: { app: App; caller: Caller }, input: I) => Promise<Download>;

/** The handler that a call needs, from what the contract says of it. */
export type HandlerOf<C extends CallSpec> = C extends { kind: 'session' }
  ? SessionHandler<InputOf<C>>
  : C extends { kind: 'stream' }
    ? Streamer<InputOf<C>>
    : C extends { kind: 'image' }
      ? Imager<InputOf<C>>
      : C extends { kind: 'file' }
        ? Filer<InputOf<C>>
        : C extends { bulk: true }
          ? { each: SealedAction<EachOf<InputOf<C>>, unknown> }
          : C extends { kind: 'action' }
            ? SealedAction<InputOf<C>, OutputOf<C>>
            : C extends Exportable
              ? ListReader<InputOf<C>, OutputOf<C>>
              : ReadHandler<InputOf<C>, OutputOf<C>>;

/** The input of one of the actions of a bulk call: its `ids` become one `id`. */
type EachOf<I> = Omit<I, 'ids'> & { id: number };

export type AnyHandler =
  | SessionHandler<never>
  | Streamer<never>
  | Imager<never>
  | Filer<never>
  | { each: SealedAction<never, unknown> }
  | SealedAction<never, unknown>
  | ReadHandler<never, unknown>;
