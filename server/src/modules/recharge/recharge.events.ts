import { reasonFields } from '@hengtai/contract/reason-code';
import type { EventData } from '@hengtai/contract/gateway-events.schema';
import { canonical, ENTRY } from '@hengtai/contract/money';
import { RECHARGE } from '@hengtai/contract/recharge';
import { makeKeys } from '../../destination/keys.ts';
import { raiseAlarm } from '../alarm/alarm.store.ts';
import { enqueue } from '../../gateway/command.store.ts';
import type { EventBatch, EventCtx } from '../../gateway/event-batch.ts';
import type { EventHandlers } from '../../gateway/handlers.ts';
import { type EventMarket, mustFindCoin, mustFindUser, networkOpen, takeNetworks } from '../../gateway/lookup.store.ts';
import { type Rejected, isDuplicateNumber, reject, rejectField } from '../../gateway/rejected.ts';
import { leg } from '../../ledger/post.ts';
import { creditLegs, custodyOf, fundAccount } from './recharge.rules.ts';
import { type RechargeRecord, insertRecharge, lockReversible, moveRecharge, recharges } from './recharge.store.ts';
import { prefetchRows } from '../../gateway/prefetch.ts';

type RechargeEvent = 'recharge.detected' | 'recharge.credited' | 'recharge.failed' | 'recharge.reversed';

export const rechargeEvents: EventHandlers<RechargeEvent> = {
  'recharge.detected': async (ctx, data) => {
    await insertDetected(ctx, data);
  },

  'recharge.credited': async (ctx, data) => {
    const known = await ctx.batch.lockRow(recharges, data.no);
    const row = known ?? (await insertCredited(ctx, data));
    if (!row) return;
    requireSameMoney(row, data);
    if (row.state === RECHARGE.credited) throw reject('exists');
    const held = row.state === RECHARGE.held && row.arrivedAt === null;
    if (row.state !== RECHARGE.waiting && !held) throw reject('state');
    await credit(ctx, row, data, held);
  },

  'recharge.failed': async ({ batch, db, at, now }, data) => {
    const row = await mustLock(batch, data.no);
    const hasMoved = await moveRecharge(db, row.id, {
      from: [RECHARGE.waiting, RECHARGE.held],
      to: RECHARGE.failed,
      at,
      now,
      remark: data.remark ?? '',
    });
    if (!hasMoved) throw reject('state');
  },

  'recharge.reversed': async (ctx, data) => {
    const row = await mustLock(ctx.batch, data.no);
    const { at, now } = ctx;
    const move = { from: [RECHARGE.credited], to: RECHARGE.reversed, at, now, remark: data.remark ?? '' };
    if (!(await moveRecharge(ctx.db, row.id, move))) throw reject('state');
    await reverse(ctx, row);
  },
};

/**
 * @param hasArrived whether the money has arrived, so that the recharge is credited or held at once
 * @throws Rejected if the number exists
 */
async function insertDetected(
  { batch, at, now }: EventCtx,
  data: EventData['recharge.detected'],
  hasArrived = false,
): Promise<RechargeRecord> {
  const user = await mustFindUser(batch, data.account);
  const market = await mustFindCoin(batch, data.market);
  const { no, account, network, address, amount, voucher = '', txHash = '', memo = '', index = null } = data;
  const owner = { userId: user.id, agentId: user.agentId, marketId: market.id };
  const texts = { memo, txHash, index, ...makeKeys(await takeNetworks(batch, market), { network, address, memo }) };
  const state = isOpen(user.state, market, network) ? RECHARGE.credited : RECHARGE.held;
  const arrived = hasArrived ? { state, at } : undefined;
  const id = await insertRecharge(batch, { ...data, ...owner, ...texts, voucher, createdAt: at, now }, arrived);
  const row = { id, no, ...owner, account, userState: user.state, marketName: market.marketName, network };
  const status = { state: arrived?.state ?? RECHARGE.waiting, arrivedAt: arrived?.at ?? null };
  return { ...row, amount: canonical(amount), ...status };
}

/**
 * Inserts a recharge that was credited without a detection; the event must have every field.
 *
 * @returns the recharge if a concurrent event has detected it; undefined if this call inserted it
 * @throws Rejected with the name of a missing field
 */
async function insertCredited(
  ctx: EventCtx,
  data: EventData['recharge.credited'],
): Promise<RechargeRecord | undefined> {
  const { account, market, network, address, amount, confirmations, source } = data;
  const missing = Object.entries({ account, market, network, address, amount, confirmations, source }).find(
    ([, value]) => value === undefined,
  );
  if (missing) throw rejectField(missing[0], 'every field of a recharge that was not detected');
  // The cast is safe: the check above found no undefined field.
  let row: RechargeRecord;
  try {
    row = await insertDetected(ctx, data as EventData['recharge.detected'], true);
  } catch (error) {
    if (isDuplicateNumber(error)) return mustLock(ctx.batch, data.no);
    throw error;
  }
  await postOrReportHeld(ctx, row, row.state === RECHARGE.held);
  return undefined;
}

async function mustLock(batch: EventBatch, no: string): Promise<RechargeRecord> {
  const row = await batch.lockRow(recharges, no);
  if (!row) throw reject('unknown', 'no');
  return row;
}

/** @throws Rejected if a credit has another account, coin or amount than the detection */
function requireSameMoney(row: RechargeRecord, data: EventData['recharge.credited']): void {
  const asDetected = (field: string): Rejected => rejectField(field, 'the value that was detected');
  if (data.amount !== undefined && canonical(data.amount) !== row.amount) throw asDetected('amount');
  if (data.account !== undefined && data.account.toLowerCase() !== row.account.toLowerCase())
    throw asDetected('account');
  if (data.market !== undefined && data.market !== row.marketName) throw asDetected('market');
}

/**
 * Credits the fund account. Holds the recharge instead if an operator holds it, the user is disabled, or recharges of
 * the coin or network are disabled.
 */
async function credit(
  ctx: EventCtx,
  row: RechargeRecord,
  data: EventData['recharge.credited'],
  heldBefore: boolean,
): Promise<void> {
  const { batch, db, at, now } = ctx;
  const market = await mustFindCoin(batch, row.marketName);
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
    ...(data.index === undefined ? {} : { index: data.index }),
  });
  if (!heldBefore) await postOrReportHeld(ctx, row, held);
}

/** Whether an arrived recharge may be credited at once. */
const isOpen = (userState: number, market: EventMarket, network: string): boolean =>
  userState === 1 && market.rechargeState === 1 && networkOpen(market, network, 'recharge');

/** Posts the credit, or reports to the platform that the recharge is held. */
async function postOrReportHeld({ batch, db, at, now }: EventCtx, row: RechargeRecord, held: boolean): Promise<void> {
  if (held) {
    const data = { no: row.no, state: RECHARGE.held, ...reasonFields(row.userState === 1 ? 'closed' : 'frozen') };
    await enqueue(db, { type: 'recharge.reviewed', refType: 'recharge', refId: row.id, data, now });
    return;
  }
  await batch.post({ refType: 'recharge', refId: row.id, at, now }, creditLegs(row));
}

/** Debits a recharge that the chain reversed. An amount that the user no longer has raises an alarm. */
async function reverse({ batch, db, at, now }: EventCtx, row: RechargeRecord): Promise<void> {
  const { taken, missing, transferId } = await lockReversible(db, row);
  if (taken !== '0') {
    await batch.post({ refType: 'recharge', refId: row.id, at, now, reverses: transferId }, [
      leg(fundAccount(row), custodyOf(row), taken, ENTRY.reversal),
    ]);
  }
  if (missing !== '0') {
    const alarm = { refType: 'recharge', refId: row.id, agentId: row.agentId, userId: row.userId };
    await raiseAlarm(db, { kind: 'recharge.reversed', ...alarm, detail: { missing }, now });
  }
}

export const prefetchRecharges = prefetchRows(
  recharges,
  new Map([
    ['recharge.credited', 'no'],
    ['recharge.failed', 'no'],
    ['recharge.reversed', 'no'],
  ]),
);
