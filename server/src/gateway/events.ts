import { EVENT_AHEAD_MS, EVENT_TYPES, type EventType } from '@hengtai/contract/gateway';
import { type Event, type EventAnswer, type EventData, eventData } from '@hengtai/contract/gateway.schema';
import type { Static, TSchema } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import { agentEvents } from '../modules/agent/agent.events.ts';
import { kycEvents } from '../modules/kyc/kyc.events.ts';
import type { App } from '../core/context.ts';
import { brokenConstraint, inTransaction, withRetries, sqlState } from '../postgres/connect.ts';
import { futureEvents } from '../modules/future/future.events.ts';
import { HoldExceeded } from '../ledger/hold.ts';
import { AccountClosed, InsufficientBalance } from '../ledger/post.ts';
import { followEvents } from '../modules/follow/follow.events.ts';
import { ieoEvents } from '../modules/ieo/ieo.events.ts';
import { marketEvents } from '../modules/market/market.events.ts';
import { rechargeEvents } from '../modules/recharge/recharge.events.ts';
import { transferEvents } from '../modules/internal-transfer/internal-transfer.events.ts';
import { binaryContractEvents } from '../modules/binary-contract/binary-contract.events.ts';
import { supportEvents } from '../modules/support/support.events.ts';
import { spotEvents } from '../modules/spot/spot.events.ts';
import { userEvents } from '../modules/user/user.events.ts';
import { withdrawEvents } from '../modules/withdraw/withdraw.events.ts';
import { takeEvent } from './inbox.store.ts';
import { EventBatch, type EventCtx } from './event-batch.ts';
import { Rejected, Undone, reject } from './rejected.ts';

export type EventHandlers<T extends EventType> = { [K in T]: (ctx: EventCtx, data: EventData[K]) => Promise<void> };

const handlers: EventHandlers<EventType> = {
  ...agentEvents,
  ...userEvents,
  ...rechargeEvents,
  ...withdrawEvents,
  ...transferEvents,
  ...marketEvents,
  ...kycEvents,
  ...spotEvents,
  ...ieoEvents,
  ...binaryContractEvents,
  ...followEvents,
  ...futureEvents,
  ...supportEvents,
};

const checks = new Map<string, TypeCheck<TSchema>>(
  EVENT_TYPES.map((type) => [type, TypeCompiler.Compile<TSchema>(eventData[type])]),
);

export type AnyEvent = Static<typeof Event>;

/**
 * Applies one event exactly once, in its own transaction. A rejected event leaves no rows, so its id can be sent again.
 *
 * @throws errors that do not concern the event; the platform may repeat the whole call
 */
export async function applyEvent(app: App, event: AnyEvent): Promise<EventAnswer> {
  try {
    return await withRetries(() =>
      inTransaction(app.system, async (db): Promise<EventAnswer> => {
        const now = app.clock.now();
        if (!(await takeEvent(db, event, now))) return { eventId: event.eventId, result: 'duplicate' };
        await applyInBatch(new EventBatch(db, now, false), event, now);
        return { eventId: event.eventId, result: 'applied' };
      }),
    );
  } catch (error) {
    return { eventId: event.eventId, result: 'rejected', reason: reasonFor(error, event) };
  }
}

/**
 * Applies an event as part of a batch. The caller inserts its id into the inbox in the same transaction.
 *
 * @throws Rejected and what `isRejection` recognizes
 */
export async function applyInBatch(batch: EventBatch, event: AnyEvent, now: number): Promise<void> {
  const fault = findFault(event, now);
  if (fault) throw fault;
  const handle = handlers[event.type as EventType] as (ctx: EventCtx, data: unknown) => Promise<void>;
  await handle({ batch, db: batch.db, at: Math.min(event.at, now), now }, event.data);
}

/** Checks that depend on the event alone: type, fields and time. */
function findFault(event: AnyEvent, now: number): Rejected | undefined {
  const check = checks.get(event.type);
  if (!check) return reject('unsupported');
  // Errors() is slow, so it runs only after the compiled check has failed.
  if (!check.Check(event.data)) return reject('invalid', check.Errors(event.data).First()?.path.slice(1) || 'data');
  return event.at > now + EVENT_AHEAD_MS ? reject('ahead') : undefined;
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
function reasonFor(error: unknown, event: AnyEvent): string {
  if (!isRejection(error)) throw error;
  if (error instanceof Rejected) return error.message;
  if (error instanceof InsufficientBalance || error instanceof HoldExceeded) return reject('insufficient').message;
  if (error instanceof AccountClosed) return reject('unknown', 'account').message;
  // numeric_value_out_of_range: a sum exceeds the column's precision.
  if (sqlState(error) === '22003') return reject('invalid', 'amount').message;
  // PostgreSQL text cannot contain NUL.
  if (sqlState(error) === '22021') return reject('invalid', fieldWithNul(event)).message;
  if (sqlState(error) === '23505') return reject('exists').message;
  return reject('invalid', brokenConstraint(error)).message;
}

const fieldWithNul = ({ data }: AnyEvent): string =>
  Object.entries(data).find(([, value]) => typeof value === 'string' && value.includes('\0'))?.[0] ?? 'type';
