import type { App } from '../../../app/context.ts';
import { underLease } from '../../../app/lease.store.ts';
import { fetchUnkeyed, writeKeys } from './identity-key.store.ts';
import { identityKey, nameKey } from './identity-key.rules.ts';

/** Submissions of one transaction. */
const STEP = 500;
/** Time of one run, so that the job leaves half of one connection's time to others. */
const RUN_MS = 4_000;

/**
 * Fills the keys of submissions that were recorded before the columns existed, or by a server of the last release. The rows
 * themselves say which are left, so any process goes on at any time.
 */
export async function fillIdentityKeys(app: App, stopSignal?: AbortSignal): Promise<boolean> {
  const end = Date.now() + RUN_MS;
  const mustStop = (): boolean => Date.now() >= end || stopSignal?.aborted === true;
  let after = 0;
  while (!mustStop()) {
    const last = await underLease(app, 'identity-keys', async (db) => {
      const rows = await fetchUnkeyed(db, after, STEP);
      if (rows.length === 0) return undefined;
      await writeKeys(
        db,
        rows.map(({ id, name, idNumber }) => ({ id, nameKey: nameKey(name), numberKey: identityKey(idNumber) })),
      );
      return rows.at(-1)?.id;
    });
    if (last === undefined) break;
    after = last;
  }
  return false;
}
