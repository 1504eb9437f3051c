import {
  EVENT_AHEAD_MS,
  EVENT_REASONS,
  EVENT_TYPES,
  type EventType,
  isInSeconds,
} from '@hengtai/contract/gateway/gateway';
import { eventData } from '@hengtai/contract/gateway/events.schema';
import { type EventAnswer } from '@hengtai/contract/gateway/schema';
import type { TSchema } from '@sinclair/typebox';
import type { App } from '../app/context.ts';
import { checkOf } from '../http/check-of.ts';
import { brokenConstraint, sqlState } from '../database/connect.ts';
import { HoldExceeded } from '../books/ledger/hold.ts';
import { AccountClosed, InsufficientBalance } from '../books/ledger/post.ts';
import type { AnyEvent, EventHandlers } from './handlers.ts';
import { findKnownEvents, isSameEvent, takeEvents } from './inbox.store.ts';
import { EventBatch, type EventCtx } from './event-batch.ts';
import { Rejected, Undone, reject, rejectField } from './rejected.ts';
import type { EventTransactions } from './event-transactions.ts';
import { findFaults } from './validate.ts';

const schemas = new Map<string, TSchema>(EVENT_TYPES.map((type) => [type, eventData[type]]));

/**
 * Applies one event exactly once, in its own transaction. A rejected event leaves no rows, so its id can be sent again.
 *
 * @throws errors that do not concern the event; the platform may repeat the whole call
 */
export async function applyEvent(
  app: App,
  handlers: EventHandlers<EventType>,
  event: AnyEvent,
  transactions: EventTransactions,
): Promise<EventAnswer> {
  const { scope } = transactions;
  try {
    return await transactions.single(async (db): Promise<EventAnswer> => {
      const now = app.clock.now();
      if ((await takeEvents(db, scope, [event], now)) === 0) {
        const known = await findKnownEvents(db, scope, [event.eventId]);
        return answerKnown(event, known.get(event.eventId) ?? null);
      }
      await applyInBatch(new EventBatch(db, now, false, scope), handlers, event, now);
      return { eventId: event.eventId, result: 'applied' };
    });
  } catch (error) {
    return toAnswer(event, reasonFor(error, event));
  }
}

/** The answer to an event whose id was applied before. */
export const answerKnown = (event: AnyEvent, digest: string | null): EventAnswer =>
  isSameEvent(event, digest) ? { eventId: event.eventId, result: 'duplicate' } : toAnswer(event, reject('conflict'));

export const toAnswer = ({ eventId }: AnyEvent, { message, detail }: Rejected): EventAnswer => ({
  eventId,
  result: 'rejected',
  reason: message,
  ...(detail === undefined ? {} : { detail }),
});

/**
 * Applies an event as part of a batch. The caller inserts its id into the inbox in the same transaction.
 *
 * @throws Rejected and what `isRejection` recognizes
 */
export async function applyInBatch(
  batch: EventBatch,
  handlers: EventHandlers<EventType>,
  event: AnyEvent,
  now: number,
): Promise<void> {
  const fault = findFault(event, now);
  if (fault) throw fault;
  const handle = handlers[event.type as EventType] as (ctx: EventCtx, data: unknown) => Promise<void>;
  await handle({ batch, db: batch.db, at: Math.min(event.at, now), now }, event.data);
}

/** Checks that depend on the event alone: type, fields and time. */
function findFault(event: AnyEvent, now: number): Rejected | undefined {
  const schema = schemas.get(event.type);
  if (!schema) return reject('unsupported');
  const check = checkOf(schema);
  // Errors() is slow, so it runs only after the compiled check has failed.
  if (!check.Check(event.data)) {
    const [fault] = findFaults(check, event.data);
    return new Rejected(`${EVENT_REASONS.invalid}: ${fault?.path.slice(1) || 'data'}`, `/data${fault?.text ?? ''}`);
  }
  if (isInSeconds(event.at)) return new Rejected(`${EVENT_REASONS.invalid}: at`, '/at: unix milliseconds expected');
  return event.at > now + EVENT_AHEAD_MS ? reject('inFuture') : undefined;
}

const REJECTED_STATES = new Set(['22003', '22021', '23505', '23514']);

/** Serialization failure, deadlock, and a lock timeout: another transaction was first. */
const RACES = new Set(['40001', '40P01', '55P03']);

/** Why a group of events starts again in another way; undefined for errors that no event and no race explains. */
export function fallbackReason(error: unknown): string | undefined {
  if (error instanceof Undone) return error.message;
  if (error instanceof Rejected) return error.message.split(':')[0];
  if (isRejection(error)) return sqlState(error) || (error as Error).name;
  return RACES.has(sqlState(error)) ? sqlState(error) : undefined;
}

/** Whether the event caused the error; false for errors of this server or its database. */
const isRejection = (error: unknown): boolean =>
  error instanceof Rejected ||
  error instanceof InsufficientBalance ||
  error instanceof HoldExceeded ||
  error instanceof AccountClosed ||
  REJECTED_STATES.has(sqlState(error));

/**
 * Rejection reason for the platform.
 *
 * @throws the error itself if the event did not cause it
 */
function reasonFor(error: unknown, event: AnyEvent): Rejected {
  if (!isRejection(error)) throw error;
  if (error instanceof Rejected) return error;
  if (error instanceof InsufficientBalance || error instanceof HoldExceeded) return reject('insufficient');
  if (error instanceof AccountClosed) return reject('unknown', 'account');
  // numeric_value_out_of_range: a sum exceeds the column's precision.
  if (sqlState(error) === '22003')
    return rejectField('amount', 'an amount whose sums have at most 18 digits before the point');
  // PostgreSQL text cannot contain NUL.
  if (sqlState(error) === '22021') return rejectField(fieldWithNul(event), 'text without NUL');
  if (sqlState(error) === '23505') return reject('exists');
  return rejectField(brokenConstraint(error), 'a value that the record accepts');
}

const fieldWithNul = ({ data }: AnyEvent): string =>
  Object.entries(data).find(([, value]) => typeof value === 'string' && value.includes('\0'))?.[0] ?? 'type';
