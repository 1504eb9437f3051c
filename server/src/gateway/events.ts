import { EVENT_AHEAD_MS, EVENT_TYPES, type EventType } from '@hengtai/contract/gateway';
import { type Event, type EventAnswer, type EventData, eventData } from '@hengtai/contract/gateway.schema';
import type { Static, TSchema } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import { agentEvents } from '../agent/agent.events.ts';
import { kycEvents } from '../kyc/kyc.events.ts';
import type { App } from '../context.ts';
import { brokenConstraint, inTransaction, retried, sqlState } from '../db/connect.ts';
import { futureEvents } from '../future/future.events.ts';
import { HoldExceeded } from '../ledger/hold.ts';
import { AccountClosed, InsufficientBalance } from '../ledger/post.ts';
import { followEvents } from '../follow/follow.events.ts';
import { ieoEvents } from '../ieo/ieo.events.ts';
import { marketEvents } from '../market/market.events.ts';
import { rechargeEvents } from '../recharge/recharge.events.ts';
import { transferEvents } from '../internal-transfer/internal-transfer.events.ts';
import { binaryContractEvents } from '../binary-contract/binary-contract.events.ts';
import { supportEvents } from '../support/support.events.ts';
import { spotEvents } from '../spot/spot.events.ts';
import { userEvents } from '../user/user.events.ts';
import { withdrawEvents } from '../withdraw/withdraw.events.ts';
import { takeEvent } from './inbox.store.ts';
import { type EventCtx, Rejected, reject } from './rejected.ts';

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

/** Applies one event exactly once, in a transaction of its own. A rejected one leaves nothing behind, not even its id. */
export async function applyEvent(app: App, event: AnyEvent): Promise<EventAnswer> {
  try {
    return await retried(() =>
      inTransaction(app.system, async (db) => {
        const now = app.clock.now();
        return applyTaken({ db, now }, event, await takeEvent(db, event, now));
      }),
    );
  } catch (error) {
    return { eventId: event.eventId, result: 'rejected', reason: reasonFor(error, event) };
  }
}

/**
 * Does what an event says, in the transaction that has taken its id.
 *
 * @param fresh false: the id was taken before, by another transaction or by an event ahead of it
 */
export async function applyTaken(
  { db, now }: Pick<EventCtx, 'db' | 'now'>,
  event: AnyEvent,
  fresh: boolean,
): Promise<EventAnswer> {
  if (!fresh) return { eventId: event.eventId, result: 'duplicate' };
  const fault = faultOf(event, now);
  if (fault) throw fault;
  const handle = handlers[event.type as EventType] as (ctx: EventCtx, data: unknown) => Promise<void>;
  await handle({ db, at: Math.min(event.at, now), now }, event.data);
  return { eventId: event.eventId, result: 'applied' };
}

/** What is wrong with an event whatever the state of things is. */
export function faultOf(event: AnyEvent, now: number): Rejected | undefined {
  const check = checks.get(event.type);
  if (!check) return reject('unsupported');
  // Saying what is wrong takes long, and hardly ever anything is.
  if (!check.Check(event.data)) return reject('invalid', check.Errors(event.data).First()?.path.slice(1) || 'data');
  return event.at > now + EVENT_AHEAD_MS ? reject('ahead') : undefined;
}

const REJECTED_STATES = new Set(['22003', '22021', '23505', '23514']);

/** Whether an error says what is wrong with an event, and not that something is wrong here. */
export const isRejection = (error: unknown): boolean =>
  error instanceof Rejected ||
  error instanceof InsufficientBalance ||
  error instanceof HoldExceeded ||
  error instanceof AccountClosed ||
  REJECTED_STATES.has(sqlState(error));

/** What went wrong in the platform's words; what is not its doing is thrown on, and the whole call may be sent again. */
function reasonFor(error: unknown, event: AnyEvent): string {
  if (!isRejection(error)) throw error;
  if (error instanceof Rejected) return error.message;
  if (error instanceof InsufficientBalance || error instanceof HoldExceeded) return reject('insufficient').message;
  if (error instanceof AccountClosed) return reject('unknown', 'account').message;
  // A sum past what an amount can hold.
  if (sqlState(error) === '22003') return reject('invalid', 'amount').message;
  // A zero character, which no text of the database can hold.
  if (sqlState(error) === '22021') return reject('invalid', fieldWithZero(event)).message;
  if (sqlState(error) === '23505') return reject('exists').message;
  return reject('invalid', brokenConstraint(error)).message;
}

const fieldWithZero = ({ data }: AnyEvent): string =>
  Object.entries(data).find(([, value]) => typeof value === 'string' && value.includes('\0'))?.[0] ?? 'type';
