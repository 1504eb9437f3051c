import type { AckState, CommandType, EventType } from '@hengtai/contract/gateway/gateway';
import type { GatewayError } from '@hengtai/contract/gateway/errors';
import type { EventData } from '@hengtai/contract/gateway/events.schema';
import type { Event } from '@hengtai/contract/gateway/schema';
import type { Static, TSchema } from '@sinclair/typebox';
import type { App, Caller } from '../app/context.ts';
import type { Db } from '../database/connect.ts';
import type { FinishedCommand } from './command.store.ts';
import type { EventBatch, EventCtx } from './event-batch.ts';
import type { Right } from './keyring.ts';
import type { PlatformScope } from './platform-scope.ts';

export type EventHandlers<T extends EventType> = { [K in T]: (ctx: EventCtx, data: EventData[K]) => Promise<void> };

/** An event that is not validated yet. */
export type AnyEvent = Static<typeof Event>;

/** Reads and locks the rows that the events of a batch name. */
export type Prefetch = (batch: EventBatch, events: readonly AnyEvent[]) => Promise<void>;

/**
 * Applies the answer to a command to the record that it refers to. The platform or an operator gives the answer.
 *
 * @param keyId the key of the platform's call, 0 for a key of the environment; undefined if the platform did not answer
 */
export type AnswerHandler = (
  db: Db,
  command: FinishedCommand,
  answer: AckState,
  reason: string,
  now: number,
  keyId?: number,
) => Promise<void>;

/** The handlers of answers. Answers to other commands change no record. */
export type AnswerHandlers = Partial<Record<CommandType, AnswerHandler>>;

/** A call of the platform that one module answers. */
export interface PlatformCall extends PlatformCallSpec {
  answer: (app: App, input: unknown, scope: PlatformScope, origin: Origin) => Promise<unknown>;
}

interface PlatformCallSpec<S extends TSchema = TSchema> {
  method: 'GET' | 'POST';
  path: string;
  /** What the key of the caller must have. */
  right: Right;
  /** One line for the OpenAPI document, in English. */
  summary: string;
  /** Schema of the query of a GET or the body of a POST. */
  input?: S;
  /** The error for a body that is a list with too many entries. */
  tooMany?: GatewayError;
  /** Schema of the data of the answer. */
  output: TSchema;
}

type Origin = Pick<Caller, 'requestId' | 'ip' | 'userAgent'>;

/** Makes a call whose `answer` gets the validated input. */
export const platformCall = <S extends TSchema>(
  spec: PlatformCallSpec<S>,
  answer: (app: App, input: Static<S>, scope: PlatformScope, origin: Origin) => Promise<unknown>,
): PlatformCall => ({ ...spec, answer: (app, value, scope, origin) => answer(app, value, scope, origin) });

/** Keeps what a rejected event said. Later events of the call see it, so such an event shares no transaction with them. */
export type KeepRejected = (
  db: Db,
  event: AnyEvent,
  rejection: { reason: string; scope: PlatformScope; now: number },
) => Promise<void>;

/** What the modules add to the gateway. */
export interface PlatformHandlers {
  events: EventHandlers<EventType>;
  prefetches: readonly Prefetch[];
  answers: AnswerHandlers;
  calls: readonly PlatformCall[];
  /** For types of events that must not be lost if they are rejected. */
  keepRejected: ReadonlyMap<string, KeepRejected>;
  /** Raises an alarm because an applied eventId came again with other content. */
  reportConflict: (app: App, eventId: string) => Promise<void>;
}
