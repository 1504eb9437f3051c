import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../../../app/context.ts';
import { underLease } from '../../../app/lease.store.ts';
import type { Db } from '../../../database/connect.ts';
import { type KeyedTable, type Position, hasUnkeyed, keyRows, renewKeys } from './key-backfill.store.ts';

/** Rows of one transaction. */
const STEP = 200;
/** The pause after a step is this many times its duration, so that it takes at most a tenth of one core. */
const PAUSE_FACTOR = 9;
/** When only rows are left that other transactions lock, or that came meanwhile, the job begins again after this pause. */
const AGAIN_PAUSE_MS = 100;
/** Time of one run, in milliseconds. */
const RUN_MS = 60_000;
const tables: readonly KeyedTable[] = ['withdraw', 'recharge'];
const START: Position = { userId: 0, id: 0 };

/**
 * Makes the keys of destinations of older rows, of those that servers of the last release wrote, and again those of older rules
 * and of coins whose networks were given other families. Each step is a transaction of its own that writes how far it came: a
 * run that was killed is continued by any process.
 */
export async function backfillKeys(app: App, stopSignal?: AbortSignal): Promise<boolean> {
  const end = Date.now() + RUN_MS;
  for (const table of tables) {
    let after = START;
    while (await hasUnkeyed(app.system, table)) {
      if (Date.now() >= end || stopSignal?.aborted === true) return true;
      const start = performance.now();
      const step = await underLease(app, 'destination-keys', (db) => keyStep(db, table, after));
      if (step === undefined) return false;
      after = step.after;
      const pause = step.keyed ? (performance.now() - start) * PAUSE_FACTOR : AGAIN_PAUSE_MS;
      await sleep(pause, undefined, stopSignal && { signal: stopSignal }).catch(() => {});
    }
  }
  return false;
}

/** @returns whether rows were keyed, and where the next step begins */
async function keyStep(db: Db, table: KeyedTable, after: Position): Promise<{ keyed: boolean; after: Position }> {
  const reached = await keyRows(db, table, { after, limit: STEP });
  if (reached) return { keyed: true, after: reached };
  return { keyed: ((await renewKeys(db, table, STEP)) ?? 0) > 0, after: START };
}
