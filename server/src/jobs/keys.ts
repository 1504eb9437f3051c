import type { App } from '../app/context.ts';
import { reportKeys } from '../app/known-key.store.ts';
import { inTransaction } from '../database/connect.ts';

/** Reads the key files again and reports which keys this process holds. */
export async function refreshKeys(app: App): Promise<boolean> {
  app.reloadKeys();
  await inTransaction(app.system, (db) => reportKeys(db, app));
  return false;
}
