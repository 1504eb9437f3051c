import { WALLET_ITEM } from '@hengtai/contract/funds/wallet/item';
import { Decimal } from '@hengtai/contract/values/decimal';
import { canonical } from '@hengtai/contract/values/money';
import type { Db } from '../../../database/connect.ts';
import { raiseAlarm } from '../../house/alarm/alarm.store.ts';
import type { Bounds } from './bound.store.ts';
import { closeItems, findRootAgentId, isBetweenWallets, openMoveItem } from './item.store.ts';
import { nextTry } from './judge.rules.ts';
import { matchMoves, recordTypeOf } from './match.rules.ts';
import { type WaitingMove, closeMove, findOpenRecords, insertMatch, postponeMoves } from './match.store.ts';
import { orderMoves } from './order.rules.ts';
import { findOpenAttempts, insertOrders } from './order.store.ts';

/** Raises the alarm about an outflow that nobody ordered, or adds to that of its transaction. Returns its id. */
async function alarmOutflow(db: Db, move: WaitingMove, now: number): Promise<number> {
  const { id, platformId, no, networkKey, txHash, address, marketName: market, walletNo: wallet, keyId } = move;
  const amount = canonical(move.amount);
  return raiseAlarm(db, {
    kind: 'chain.unordered',
    refType: 'chainMove',
    refId: id,
    agentId: await findRootAgentId(db),
    cause: `${platformId} ${networkKey} ${txHash}`,
    detail: { amount, market, txHash, wallet, address, platformId },
    occurrence: { key: `move ${id}`, detail: { move: no, amount, market, wallet, address }, keyId },
    now,
  });
}

/** Alarms about payouts for which no program was given an attempt. Each payout is asked for once. */
async function judgePayouts(db: Db, platformId: number, moves: readonly WaitingMove[], now: number): Promise<void> {
  const payouts = moves.filter(({ kind, isJudged }) => kind === 'payout' && !isJudged);
  if (payouts.length === 0) return;
  const orders = orderMoves(payouts, await findOpenAttempts(db, platformId, payouts));
  await insertOrders(db, orders);
  const ordered = new Set(orders.map(({ move }) => move.id));
  for (const move of payouts) {
    if (ordered.has(move.id)) continue;
    const alarmId = await alarmOutflow(db, move, now);
    await openMoveItem(db, move, { why: 'unordered', state: WALLET_ITEM.waiting, alarmId }, now);
  }
}

/** Gives moves the records that they belong to. Returns the moves that have none. */
async function matchRecords(
  db: Db,
  platformId: number,
  moves: readonly WaitingMove[],
  now: number,
): Promise<WaitingMove[]> {
  const open = new Map(moves.map((move) => [move.id, move]));
  const records = await findOpenRecords(db, platformId, moves);
  for (const match of matchMoves(moves, records)) {
    const move = open.get(match.move.id);
    if (!move || !(await insertMatch(db, match, now))) continue;
    open.delete(move.id);
    await closeItems(db, match);
    if (match.differences.length > 0)
      await openMoveItem(db, move, { why: 'differs', state: WALLET_ITEM.different }, now);
  }
  return [...open.values()];
}

/** Opens the item of a move whose bound has ended. What is between wallets of the platform needs none. */
async function judgeAfterBound(db: Db, move: WaitingMove, now: number): Promise<void> {
  if (recordTypeOf(move) !== undefined)
    return openMoveItem(db, move, { why: 'noRecord', state: WALLET_ITEM.waiting }, now);
  await closeMove(db, move.id);
  if (await isBetweenWallets(db, move)) return;
  const isOut = new Decimal(move.signed).isNegative();
  const alarm = isOut ? { alarmId: await alarmOutflow(db, move, now) } : {};
  await openMoveItem(db, move, { why: 'foreign', state: WALLET_ITEM.waiting, ...alarm }, now);
}

/** Judges the moves of one platform that the transaction has locked: whether they were ordered, and to which record they belong. */
export async function judgeMoves(
  db: Db,
  platformId: number,
  moves: readonly WaitingMove[],
  { bounds, now }: { bounds: Bounds; now: number },
): Promise<void> {
  await judgePayouts(db, platformId, moves, now);
  const withRecord = moves.filter((move) => recordTypeOf(move) !== undefined);
  const others = moves.filter((move) => recordTypeOf(move) === undefined);
  const unmatched = [...(await matchRecords(db, platformId, withRecord, now)), ...others];
  const waiting = [];
  for (const move of unmatched) {
    const boundMs = bounds(move);
    const isOver = move.openedAt + boundMs <= now;
    if (isOver && !move.isDue) await judgeAfterBound(db, move, now);
    waiting.push({ id: move.id, nextAt: nextTry(move, { boundMs, now }), isDue: isOver });
  }
  await postponeMoves(db, waiting);
}
