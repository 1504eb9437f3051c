import type { App } from '../core/context.ts';
import { reportKeys } from '../core/known-key.store.ts';
import { inTransaction } from '../postgres/connect.ts';

/** Reads the key files again and reports which keys this process holds. */
export async function refreshKeys(app: App): Promise<boolean> {
  app.reloadKeys();
  await inTransaction(app.system, (db) => reportKeys(db, app));
  return false;
}
