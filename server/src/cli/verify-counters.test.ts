import { sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { provideServer } from '../../test/server.ts';
import { compactCounters } from '../books/lists/counters.ts';
import { inTransaction } from '../database/connect.ts';
import { EXIT } from './exit.ts';
import { verifyCounters } from './verify-counters.ts';

const server = provideServer({ jobs: false });
beforeAll(async () => {
  await compactCounters(server.app);
});

/** The lock that compaction and the rebuild of all counters but those of addresses take. */
const COUNTERS_LOCK = 5_300_002;

test('a rebuild of addresses does not wait for that of the other counters, however long it takes', async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await server.query(sql`insert into counter_address values (1, 'wrong', 'TRC20', 1, 1, 1, 1, 1, 1, 'wrong', '')`);
  const rebuilding = await inTransaction(server.owner, async (db) => {
    await sql`select pg_advisory_xact_lock(${COUNTERS_LOCK})`.execute(db);
    const running = verifyCounters(server.urls.owner, { rebuild: true });
    await expect.poll(() => server.query(sql`select from counter_address where address = 'wrong'`)).toEqual([]);
    return { running };
  });
  expect(await rebuilding.running).toBe(EXIT.done);
});
