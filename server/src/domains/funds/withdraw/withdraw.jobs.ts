import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../../../app/context.ts';
import { underLease } from '../../../app/lease.store.ts';
import type { Db } from '../../../database/connect.ts';
import { type KeyedTable, hasUnkeyed, keyRows, renewKeys } from './key-backfill.store.ts';

/** Rows of one transaction. */
const STEP = 200;
/** The pause after a step is this many times its duration, so that it takes at most a tenth of one core. */
const PAUSE_FACTOR = 9;
/** While other transactions lock the last rows, the job looks again after this pause. */
const LOCKED_PAUSE_MS = 100;
/** Time of one run, in milliseconds. */
const RUN_MS = 60_000;
const tables: readonly KeyedTable[] = ['withdraw', 'recharge'];

/**
 * Makes the keys of destinations of older rows, of those that servers of the last release wrote, and again those of older rules
 * and of coins whose networks were given other families. Each step is a transaction of its own that writes how far it came: a
 * run that was killed is continued by any process.
 */
export async function backfillKeys(app: App, stopping?: AbortSignal): Promise<boolean> {
  const end = Date.now() + RUN_MS;
  for (const table of tables) {
    while (await hasUnkeyed(app.system, table)) {
      if (Date.now() >= end || stopping?.aborted === true) return true;
      const start = performance.now();
      const keyed = await underLease(app, 'destination-keys', (db) => keyStep(db, table));
      if (keyed === undefined) return false;
      const pause = keyed === 0 ? LOCKED_PAUSE_MS : (performance.now() - start) * PAUSE_FACTOR;
      await sleep(pause, undefined, stopping && { signal: stopping }).catch(() => {});
    }
  }
  return false;
}

/** @returns how many rows were keyed */
async function keyStep(db: Db, table: KeyedTable): Promise<number> {
  const keyed = await keyRows(db, table, STEP);
  return keyed > 0 ? keyed : ((await renewKeys(db, table, STEP)) ?? 0);
}
