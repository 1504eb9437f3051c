import type { EventData } from '@hengtai/contract/gateway.schema';
import { canonical, ENTRY } from '@hengtai/contract/money';
import { RECHARGE } from '@hengtai/contract/recharge';
import { raiseAlarm } from '../alarm/alarm.store.ts';
import type { Db } from '../db/connect.ts';
import { enqueue } from '../gateway/command.store.ts';
import type { EventHandlers } from '../gateway/events.ts';
import { type EventMarket, mustFindMarket, mustFindUser, networkOpen } from '../gateway/lookup.store.ts';
import { type EventCtx, isExists, reject } from '../gateway/rejected.ts';
import { postSoon, writeGatheredOf } from '../ledger/gather.ts';
import { creditLegs, fundAccount } from './recharge.rules.ts';
import { type RechargeRecord, insertRecharge, lockRecharge, lockReversible, moveRecharge } from './recharge.store.ts';

type RechargeEvent = 'recharge.detected' | 'recharge.credited' | 'recharge.failed' | 'recharge.reversed';

export const rechargeEvents: EventHandlers<RechargeEvent> = {
  'recharge.detected': async (ctx, data) => {
    await detect(ctx, data);
  },

  'recharge.credited': async (ctx, data) => {
    const known = await lockRecharge(ctx.db, data.no);
    const row = known ?? (await arrive(ctx, data));
    if (!row) return;
    agreeOn(row, data);
    if (row.state === RECHARGE.credited) throw reject('exists');
    const held = row.state === RECHARGE.held && row.arrivedAt === null;
    if (row.state !== RECHARGE.waiting && !held) throw reject('state');
    await credit(ctx, row, data, held);
  },

  'recharge.failed': async ({ db, at, now }, data) => {
    const row = await mustLock(db, data.no);
    const moved = await moveRecharge(db, row.id, {
      from: [RECHARGE.waiting, RECHARGE.held],
      to: RECHARGE.failed,
      at,
      now,
      remark: data.remark ?? '',
    });
    if (!moved) throw reject('state');
  },

  'recharge.reversed': async (ctx, data) => {
    const row = await mustLock(ctx.db, data.no);
    const { at, now } = ctx;
    const move = { from: [RECHARGE.credited], to: RECHARGE.reversed, at, now, remark: data.remark ?? '' };
    if (!(await moveRecharge(ctx.db, row.id, move))) throw reject('state');
    await reverse(ctx, row);
  },
};

/**
 * @param arrives whether the money is there already
 * @throws Rejected when the number is known already
 */
async function detect(
  { db, at, now }: EventCtx,
  data: EventData['recharge.detected'],
  arrives = false,
): Promise<RechargeRecord> {
  const user = await mustFindUser(db, data.account);
  const market = await mustFindMarket(db, data.market);
  const { no, account, network, amount, voucher = '', txHash = '' } = data;
  const whose = { userId: user.id, agentId: user.agentId, marketId: market.id };
  const state = isOpen(user.state, market, network) ? RECHARGE.credited : RECHARGE.held;
  const arrived = arrives ? { state, at } : undefined;
  const id = await insertRecharge(db, { ...data, ...whose, voucher, txHash, createdAt: at, now }, arrived);
  const row = { id, no, ...whose, account, userState: user.state, marketName: market.marketName, network };
  const stands = { state: arrived?.state ?? RECHARGE.waiting, arrivedAt: arrived?.at ?? null };
  return { ...row, amount: canonical(amount), ...stands };
}

/**
 * Credited without having been detected: then the event brings every field itself.
 *
 * @returns the recharge if it was detected meanwhile after all
 */
async function arrive(ctx: EventCtx, data: EventData['recharge.credited']): Promise<RechargeRecord | undefined> {
  const { account, market, network, address, amount, confirmations, source } = data;
  const missing = Object.entries({ account, market, network, address, amount, confirmations, source }).find(
    ([, value]) => value === undefined,
  );
  if (missing) throw reject('invalid', missing[0]);
  // Nothing is undefined here; the entries above have been looked through.
  let row: RechargeRecord;
  try {
    row = await detect(ctx, data as EventData['recharge.detected'], true);
  } catch (error) {
    if (isExists(error)) return mustLock(ctx.db, data.no);
    throw error;
  }
  await follow(ctx, row, row.state === RECHARGE.held);
  return undefined;
}

async function mustLock(db: Db, no: string): Promise<RechargeRecord> {
  const row = await lockRecharge(db, no);
  if (!row) throw reject('unknown', 'no');
  return row;
}

/** A credit may repeat what was detected, but not change whose money it is or how much. */
function agreeOn(row: RechargeRecord, data: EventData['recharge.credited']): void {
  if (data.amount !== undefined && canonical(data.amount) !== row.amount) throw reject('invalid', 'amount');
  if (data.account !== undefined && data.account.toLowerCase() !== row.account.toLowerCase())
    throw reject('invalid', 'account');
  if (data.market !== undefined && data.market !== row.marketName) throw reject('invalid', 'market');
}

/**
 * Credits the fund account, or withholds the credit: where an operator holds it, the user is frozen, or recharges of the
 * coin are off.
 */
async function credit(
  { db, at, now }: EventCtx,
  row: RechargeRecord,
  data: EventData['recharge.credited'],
  heldBefore: boolean,
): Promise<void> {
  const market = await mustFindMarket(db, row.marketName);
  const open = isOpen(row.userState, market, row.network);
  const held = heldBefore || !open;
  await moveRecharge(db, row.id, {
    from: [RECHARGE.waiting, RECHARGE.held],
    to: held ? RECHARGE.held : RECHARGE.credited,
    at,
    now,
    arrivedAt: at,
    ...(held ? {} : { creditedAt: at }),
    ...(data.confirmations === undefined ? {} : { confirmations: data.confirmations }),
    ...(data.txHash === undefined ? {} : { txHash: data.txHash }),
  });
  if (!heldBefore) await follow({ db, at, now }, row, held);
}

/** Whether what arrives may be credited at once. */
const isOpen = (userState: number, market: EventMarket, network: string): boolean =>
  userState === 1 && market.rechargeState === 1 && networkOpen(market, network, 'recharge');

/** The money, or that it is withheld. */
async function follow({ db, at, now }: EventCtx, row: RechargeRecord, held: boolean): Promise<void> {
  if (held) {
    const told = { no: row.no, state: RECHARGE.held, reason: row.userState === 1 ? 'closed' : 'frozen' };
    await enqueue(db, { type: 'recharge.reviewed', refType: 'recharge', refId: row.id, data: told, now });
    return;
  }
  await postSoon(db, { refType: 'recharge', refId: row.id, at, now }, creditLegs(row));
}

/** The chain took the recharge back: what is still there goes, and what is missing needs a person. */
async function reverse({ db, at, now }: EventCtx, row: RechargeRecord): Promise<void> {
  await writeGatheredOf(db, row.userId);
  const { taken, missing, transferId } = await lockReversible(db, row);
  if (taken !== '0') {
    await postSoon(db, { refType: 'recharge', refId: row.id, at, now, reverses: transferId }, [
      {
        debit: fundAccount(row),
        credit: { house: 'custody', stripe: row.userId, marketId: row.marketId },
        amount: taken,
        debitType: ENTRY.reversal,
        creditType: ENTRY.reversal,
      },
    ]);
  }
  if (missing !== '0') {
    const alarm = { refType: 'recharge', refId: row.id, agentId: row.agentId, userId: row.userId };
    await raiseAlarm(db, { kind: 'recharge.reversed', ...alarm, detail: { missing }, now });
  }
}
