import { reasonFields } from '@hengtai/contract/wire/reason-code';
import type { EventData } from '@hengtai/contract/gateway/events.schema';
import { canonical, ENTRY } from '@hengtai/contract/values/money';
import { HOLD_REPEATED } from '@hengtai/contract/desk/approval/calls';
import { RECHARGE_SOURCE } from '@hengtai/contract/funds/recharge/calls';
import { RECHARGE } from '@hengtai/contract/funds/recharge/facts';
import { isSettingOn } from '../../../app/setting.store.ts';
import { makeKeys } from '../../../destination/keys.ts';
import { raiseAlarm } from '../../house/alarm/alarm.store.ts';
import { enqueue } from '../../../gateway/command.store.ts';
import type { EventBatch, EventCtx } from '../../../gateway/event-batch.ts';
import type { EventHandlers } from '../../../gateway/handlers.ts';
import {
  type EventMarket,
  findNetwork,
  isFrozen,
  mustFindCoin,
  mustFindUser,
  isNetworkOpen,
  takeNetworks,
} from '../../../gateway/lookup.store.ts';
import { type Rejected, isDuplicateNumber, reject, rejectField } from '../../../gateway/rejected.ts';
import { leg } from '../../../books/ledger/post.ts';
import type { Db } from '../../../database/connect.ts';
import {
  type ChainPayment,
  type HoldCause,
  creditLegs,
  custodyOf,
  fundAccount,
  holdCauses,
  outputOf,
  reasonOfHold,
} from './recharge.rules.ts';
import {
  type RechargeRecord,
  findArrived,
  insertRecharge,
  lockReversible,
  moveRecharge,
  recharges,
} from './recharge.store.ts';
import { prefetchRows } from '../../../gateway/prefetch.ts';

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
  { batch, db, at, now }: EventCtx,
  data: EventData['recharge.detected'],
  hasArrived = false,
): Promise<{ row: RechargeRecord; arrival: Arrival | undefined }> {
  const user = await mustFindUser(batch, data.account);
  const market = await mustFindCoin(batch, data.market);
  const { no, account, network, address, amount, source, voucher = '', txHash = '', memo = '', index = null } = data;
  const owner = { userId: user.id, agentId: user.agentId, marketId: market.id };
  const texts = { memo, txHash, index, ...makeKeys(await takeNetworks(batch, market), { network, address, memo }) };
  const received = { userState: user.state, network, source, txHash, index, beneficiary: texts.beneficiary };
  const arrival = hasArrived ? await judgeArrival(db, market, received) : undefined;
  const arrived = arrival && { state: stateAfter(arrival), at, remark: remarkOf(arrival) };
  const id = await insertRecharge(batch, { ...data, ...owner, ...texts, voucher, createdAt: at, now }, arrived);
  const row = { id, no, ...owner, account, marketName: market.marketName, ...received, amount: canonical(amount) };
  const status = { state: arrived?.state ?? RECHARGE.waiting, arrivedAt: arrived?.at ?? null };
  return { row: { ...row, ...status }, arrival };
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
  let inserted: Awaited<ReturnType<typeof insertDetected>>;
  try {
    inserted = await insertDetected(ctx, data as EventData['recharge.detected'], true);
  } catch (error) {
    if (isDuplicateNumber(error)) return mustLock(ctx.batch, data.no);
    throw error;
  }
  const { row, arrival } = inserted;
  if (arrival) await follow(ctx, row, arrival);
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

/** Credits the fund account, or holds the recharge, if an operator does not hold it already. */
async function credit(
  ctx: EventCtx,
  row: RechargeRecord,
  data: EventData['recharge.credited'],
  heldBefore: boolean,
): Promise<void> {
  const { batch, db, at, now } = ctx;
  const market = await mustFindCoin(batch, row.marketName);
  const { txHash = row.txHash, index = row.index } = data;
  const arrived = { ...row, txHash, index };
  const arrival = await judgeArrival(db, market, arrived);
  const to = heldBefore ? RECHARGE.held : stateAfter(arrival);
  await moveRecharge(db, row.id, {
    from: [RECHARGE.waiting, RECHARGE.held],
    to,
    at,
    now,
    arrivedAt: at,
    ...(to === RECHARGE.credited && { creditedAt: at }),
    ...(!heldBefore && arrival.cause !== undefined && { remark: remarkOf(arrival) }),
    ...(data.confirmations === undefined ? {} : { confirmations: data.confirmations }),
    ...(data.txHash === undefined ? {} : { txHash: data.txHash }),
    ...(data.index === undefined ? {} : { index: data.index }),
  });
  if (heldBefore) await alarmRepeated(ctx, arrived, arrival);
  else await follow(ctx, arrived, arrival);
}

/** How the arrival of a recharge is judged. */
interface Arrival {
  /** Why it is held; undefined if it is credited. */
  cause: HoldCause | undefined;
  /** Ids of the recharges as which the same output has arrived before. */
  repeats: readonly number[];
}

const stateAfter = ({ cause }: Arrival) => (cause === undefined ? RECHARGE.credited : RECHARGE.held);
const remarkOf = ({ cause }: Arrival): string => (cause === undefined ? '' : holdCauses[cause]);

async function judgeArrival(db: Db, market: EventMarket, received: Received): Promise<Arrival> {
  const output = outputOf(received);
  const repeats = output ? await findArrived(db, output) : [];
  const isHeld = repeats.length > 0 && (await isSettingOn(db, HOLD_REPEATED));
  // Comes first: what was held for another cause is released, perhaps many at a time, once that cause has ended.
  return { repeats, cause: isHeld ? 'repeated' : findClosed(received, market) };
}

type Received = Pick<RechargeRecord, 'userState' | 'network' | keyof ChainPayment>;

function findClosed({ userState, network, source }: Received, market: EventMarket): HoldCause | undefined {
  if (isFrozen({ state: userState })) return 'frozen';
  if (market.rechargeState !== 1) return 'closed';
  // A voucher names a bank or the like, which coins need not list.
  const open =
    source === RECHARGE_SOURCE.chain
      ? isNetworkOpen(market, network, 'recharge')
      : findNetwork(market, network)?.recharge !== 0;
  return open ? undefined : 'networkClosed';
}

/** Posts the credit, or reports to the platform that the recharge is held. */
async function follow(ctx: EventCtx, row: RechargeRecord, arrival: Arrival): Promise<void> {
  const { batch, db, at, now } = ctx;
  await alarmRepeated(ctx, row, arrival);
  if (arrival.cause === undefined) {
    await batch.post({ refType: 'recharge', refId: row.id, at, now }, creditLegs(row));
    return;
  }
  const data = { no: row.no, state: RECHARGE.held, ...reasonFields(reasonOfHold(arrival.cause)) };
  await enqueue(db, { type: 'recharge.reviewed', refType: 'recharge', refId: row.id, data, now });
}

/** About the user and not the recharge, because either of them may be the wrong one. */
async function alarmRepeated({ db, now }: EventCtx, row: RechargeRecord, { repeats }: Arrival): Promise<void> {
  if (repeats.length === 0) return;
  const { userId, agentId, no, txHash } = row;
  const detail = { no, txHash, recharge: `#${row.id}`, arrived: repeats.map((id) => `#${id}`).join('、') };
  await raiseAlarm(db, { kind: 'recharge.repeated', refType: 'user', refId: userId, userId, agentId, detail, now });
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
