import { underLease } from '../../../app/lease.store.ts';
import type { App } from '../../../app/context.ts';
import { matchMoves } from './match.rules.ts';
import { findOpenRecords, insertMatches, lockOpenMoves, postponeMoves } from './match.store.ts';

/** Moves of one run. */
const LIMIT = 200;
/** A move without a record is tried again after this time, because its record may come later. */
const AGAIN_MS = 15_000;

/** Gives moves that wait the records that they belong to. */
export async function matchOpenMoves(app: App): Promise<boolean> {
  const count = await underLease(app, 'chain-match', async (db) => {
    const now = app.clock.now();
    const moves = await lockOpenMoves(db, now, LIMIT);
    for (const platformId of new Set(moves.map((move) => move.platformId))) {
      const own = moves.filter((move) => move.platformId === platformId);
      await postponeMoves(db, own, now + AGAIN_MS);
      await insertMatches(db, matchMoves(own, await findOpenRecords(db, platformId, own)), now);
    }
    return moves.length;
  });
  return count === LIMIT;
}
