import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { rebuildRollups } from '../../server/src/db/rollup-compact.ts';
import { keptDatabase } from './database.ts';
import { loadLarge } from './large-data.ts';
import { say } from './run.ts';

/** Recreates the database of `npm run bench:data`; a half-made one has no mark and is not measured. */
const [directory = '', rows = ''] = process.argv.slice(2);
rmSync(directory, { recursive: true, force: true });
mkdirSync(directory, { recursive: true });
const database = await keptDatabase(directory);
try {
  const started = Date.now();
  const took = (what: string): void => say(`${what}: ${Math.round((Date.now() - started) / 1_000)} s`);
  await loadLarge(database, Number(rows), took);
  await rebuildRollups(database.db);
  took('rollups');
  await database.query(sql`vacuum analyze`);
  await database.query(sql`checkpoint`);
  // As docs/operations.md has it for such lists; it counts from the next start on.
  await database.query(
    sql`alter system set shared_buffers = ${sql.lit(`${Math.floor(totalmem() / 4 / 1024 ** 2)}MB`)}`,
  );
  took('done');
  writeFileSync(join(directory, 'rows'), rows);
} finally {
  await database.drop();
}
