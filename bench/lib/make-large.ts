import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { rebuildFundDays } from '../../server/src/domains/desk/report/fund-day.store.ts';
import { rebuildCounters } from '../../server/src/books/lists/counters.ts';
import { openPersistentDatabase } from './database.ts';
import { loadLarge } from './large-data.ts';
import { loadRecords } from './large-records.ts';
import { logProgress } from './run.ts';

/** Recreates the database of `npm run bench:data`. The file `rows` marks a complete one; others are not measured. */
const [directory = '', rows = '', users = ''] = process.argv.slice(2);
rmSync(directory, { recursive: true, force: true });
mkdirSync(directory, { recursive: true });
const database = await openPersistentDatabase(directory);
try {
  const started = Date.now();
  const logStep = (step: string): void => logProgress(`${step}: ${Math.round((Date.now() - started) / 1_000)} s`);
  await loadLarge(database, Number(rows), logStep, { users: Number(users) });
  await loadRecords(database, Number(rows), Number(users));
  logStep('reviews, subscriptions, fills');
  await rebuildCounters(database.db);
  logStep('counters');
  await rebuildFundDays(database.db);
  logStep('daily funds');
  await database.query(sql`vacuum analyze`);
  await database.query(sql`checkpoint`);
  // The value that docs/operations.md recommends for large lists. It takes effect at the next start.
  await database.query(
    sql`alter system set shared_buffers = ${sql.lit(`${Math.floor(totalmem() / 4 / 1024 ** 2)}MB`)}`,
  );
  logStep('done');
  writeFileSync(join(directory, 'rows'), rows);
} finally {
  await database.drop();
}
