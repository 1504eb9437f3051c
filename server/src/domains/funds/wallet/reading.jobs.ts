import { canonical } from '@hengtai/contract/values/money';
import type { App } from '../../../app/context.ts';
import { underLease } from '../../../app/lease.store.ts';
import type { Db } from '../../../database/connect.ts';
import { raiseAlarm } from '../../house/alarm/alarm.store.ts';
import { fetchBounds } from './bound.store.ts';
import {
  type WalletEntry,
  findWaitingFees,
  insertFeeEntries,
  insertMoveEntries,
  insertRevertEntries,
} from './entry.store.ts';
import {
  addToBalances,
  addToJudgements,
  fetchReadings,
  fetchWalletPlaces,
  judgeReading,
  refreshBalances,
  takeDueReadings,
} from './reading.store.ts';
import { PENDING_KINDS, type Pending, lockPending, postponePending, removePending } from './pending.store.ts';

/** Statements of wallets of one run. */
const LIMIT = 1_000;
/** A fee without a wallet is tried again after this time, because its move or its wallet may come later. */
const AGAIN_MS = 60_000;

/** Compares the readings of wallets with their moves, and raises alarms for those that still differ after the bound. */
export async function judgeWallets(app: App): Promise<boolean> {
  const count = await underLease(app, 'wallet-judge', async (db) => {
    const now = app.clock.now();
    const pending = await lockPending(db, now, LIMIT);
    if (pending.length > 0) await takePending(db, pending, now);
    return Math.max(pending.length, await reportWrongReadings(db, now));
  });
  return count === LIMIT;
}

async function takePending(db: Db, pending: readonly Pending[], now: number): Promise<void> {
  const idsOf = (kind: Pending['kind']): number[] =>
    pending.filter((one) => one.kind === kind).map(({ refId }) => refId);
  const entries = [
    ...(await insertMoveEntries(db, idsOf('move'))),
    ...(await insertRevertEntries(db, idsOf('revert'))),
    ...(await insertFees(db, idsOf('fee'), now)),
  ];
  const readings = await fetchReadings(db, idsOf('reading'));
  const walletIds = [...new Set([...entries, ...readings].map(({ walletId }) => walletId))];
  const bounds = await fetchBounds(db);
  const places = new Map((await fetchWalletPlaces(db, walletIds)).map((wallet) => [wallet.id, wallet]));
  const withDue = <T extends { walletId: number }>(one: T) => {
    const place = places.get(one.walletId);
    if (!place) throw new Error(`There is no wallet ${one.walletId}.`);
    return { ...one, dueAt: now + bounds(place) };
  };
  await addToJudgements(db, entries.map(withDue));
  await addToBalances(
    db,
    entries.map(({ id }) => id),
  );
  for (const { id, dueAt } of readings.map(withDue)) await judgeReading(db, id, dueAt);
  await refreshBalances(db, walletIds);
  for (const kind of PENDING_KINDS.filter((one) => one !== 'fee')) await removePending(db, kind, idsOf(kind));
}

/** A fee waits for its wallet as long as its platform has wallets on its network. */
async function insertFees(db: Db, feeIds: readonly number[], now: number): Promise<WalletEntry[]> {
  const entries = await insertFeeEntries(db, feeIds);
  const withEntry = new Set(entries.map(({ refId }) => refId));
  const waiting = await findWaitingFees(
    db,
    feeIds.filter((id) => !withEntry.has(id)),
  );
  await postponePending(db, { kind: 'fee', ids: waiting, until: now + AGAIN_MS });
  await removePending(
    db,
    'fee',
    feeIds.filter((id) => !waiting.includes(id)),
  );
  return entries;
}

/** @returns how many readings were looked at */
async function reportWrongReadings(db: Db, now: number): Promise<number> {
  const { taken, wrong } = await takeDueReadings(db, now, LIMIT);
  for (const { readingId, walletId, rootId, difference, amount, ...detail } of wrong)
    await raiseAlarm(db, {
      kind: 'wallet.differs',
      refType: 'wallet',
      refId: walletId,
      agentId: rootId,
      detail: { ...detail, amount: canonical(difference), reading: canonical(amount) },
      cause: `wallet ${walletId}`,
      occurrence: {
        key: `reading ${readingId}`,
        detail: { amount: canonical(difference), reading: canonical(amount) },
      },
      now,
    });
  return taken;
}
