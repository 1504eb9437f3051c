import { underLease } from '../../../app/lease.store.ts';
import type { App } from '../../../app/context.ts';
import { type Bounds, fetchBounds } from './bound.store.ts';
import { openFeeItems } from './item.store.ts';
import { judgeMoves } from './judge.steps.ts';
import { lockOpenMoves } from './match.store.ts';
import { type WaitingRecord, lockOpenRecords, openRecordItem, postponeRecords, wakeMoves } from './record.store.ts';
import type { Db } from '../../../database/connect.ts';

/** Moves, and records, of one run. */
const LIMIT = 200;
/** A record that was read late, because no job ran, has this time for its move to be read as well. */
const LATE_MS = 60_000;

/** Gives moves that wait the records that they belong to, and opens items for what does not fit. */
export async function matchOpenMoves(app: App): Promise<boolean> {
  const hasMore = await underLease(app, 'chain-match', async (db) => {
    const now = app.clock.now();
    const bounds = await fetchBounds(db);
    const records = await lockOpenRecords(db, now, LIMIT);
    await wakeMoves(
      db,
      records.filter(({ isNew }) => isNew),
      now,
    );
    const moves = await lockOpenMoves(db, now, LIMIT);
    for (const platformId of new Set(moves.map((move) => move.platformId))) {
      const own = moves.filter((move) => move.platformId === platformId);
      await judgeMoves(db, platformId, own, { bounds, now });
    }
    await judgeRecords(db, records, { bounds, now });
    await openFeeItems(db, now);
    return moves.length === LIMIT || records.length === LIMIT;
  });
  return hasMore ?? false;
}

/** Opens items for records whose bound has ended, and lets the others wait until then. Those that were matched wait no longer. */
async function judgeRecords(
  db: Db,
  records: readonly WaitingRecord[],
  { bounds, now }: { bounds: Bounds; now: number },
): Promise<void> {
  for (const record of records) if (!record.isNew) await openRecordItem(db, record, now);
  const fresh = records.filter(({ isNew }) => isNew);
  const waiting = fresh.map((record) => ({
    ...record,
    nextAt: Math.max(record.openedAt + bounds(record), now + LATE_MS),
  }));
  await postponeRecords(db, waiting);
}
