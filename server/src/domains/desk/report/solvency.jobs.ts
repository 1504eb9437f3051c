import { PERIOD } from '@hengtai/contract/desk/schedule/calls';
import type { App } from '../../../app/context.ts';
import { underLease } from '../../../app/lease.store.ts';
import { findSlots } from '../schedule/slot.store.ts';
import { findProofHour, insertNightly } from './solvency.store.ts';

/** Requests the proof of the night once its hour has come. One that was missed while no server ran is made up for. */
export async function requestNightly(app: App): Promise<boolean> {
  await underLease(app, 'nightly-proof', async (db) => {
    const hour = await findProofHour(db);
    if (hour === undefined) return;
    const now = app.clock.now();
    const { latest } = await findSlots(db, { period: PERIOD.daily, day: 1, hour }, now);
    await insertNightly(db, latest, now);
  });
  return false;
}
