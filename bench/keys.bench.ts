/**
 * What reading an account costs a request of a withdrawal: calls with one event each, with an address that TRON reads and with
 * a text that it does not read, which is kept as it is, in alternating rounds against one server.
 */
import { createAddress } from '../simulator/src/address.ts';
import { createRandom } from '../simulator/src/random.ts';
import { sql } from 'kysely';
import { eventsRequest, startServer } from './lib/child.ts';
import type { BenchDatabase } from './lib/database.ts';
import { FIRST_UNUSED_OFFSET, allocateIds, loadDecisionData } from './lib/decision-data.ts';
import { type LoadMeasurement, medianOf, runLoad } from './lib/load.ts';
import { ROUNDS, bench, ensure, runInterleaved, scaleCount } from './lib/run.ts';

const CALLS = scaleCount(400, 10);
/** Milliseconds that an event may take longer at the median. */
const LIMIT_MS = 1;
const AT = Date.now();

const readable = (id: number): string => createAddress('TRC20', createRandom('keys', id));
const unread = (id: number): string => `T${id}`;

await bench('keys', async (database) => {
  const count = FIRST_UNUSED_OFFSET + 2 * (ROUNDS + 1) * CALLS;
  await loadDecisionData(database, count, false);
  const ids = allocateIds(count);
  const server = await startServer(database);
  try {
    const runs = { readable: [] as LoadMeasurement[], unread: [] as LoadMeasurement[] };
    for (const addressOf of [readable, unread]) await measure(database, server.port, addressOf, ids.take(CALLS));
    await runInterleaved([
      async () => void runs.readable.push(await measure(database, server.port, readable, ids.take(CALLS))),
      async () => void runs.unread.push(await measure(database, server.port, unread, ids.take(CALLS))),
    ]);
    const [withKey, without] = [medianOf(runs.readable), medianOf(runs.unread)];
    return [
      {
        name: 'keys, a withdrawal whose account is read',
        unit: 'ms p50 more',
        ours: withKey.p50 - without.p50,
        limit: LIMIT_MS,
        against: 'target',
        detail: `p50 ${withKey.p50.toFixed(2)} ms, of an unread text ${without.p50.toFixed(2)} ms`,
      },
    ];
  } finally {
    await server.stop();
  }
});

/** Sends one call after the other. Throws unless each withdrawal has the key that its text demands. */
async function measure(
  database: BenchDatabase,
  port: number,
  addressOf: (id: number) => string,
  first: number,
): Promise<LoadMeasurement> {
  const calls = Array.from({ length: CALLS }, (_, n) => {
    const id = first + n;
    const data = {
      no: `W${id}`,
      account: `bench${id}`,
      market: 'USDT',
      network: 'TRC20',
      address: addressOf(id),
      amount: '100.5',
      fee: '1',
    };
    return eventsRequest([{ eventId: `event-${id}`, type: 'withdraw.requested', at: AT, data }]);
  });
  const measured = await runLoad({
    port,
    connections: 1,
    next: () => calls.pop(),
    check: ({ status, body }) => ensure(status === 200 && body.includes('"applied"'), body.slice(0, 300)),
  });
  const family = addressOf === readable ? 'tron:' : 'opaque:';
  const [row] = await database.query(sql<{ n: number }>`
    select count(*) as n from withdraw where no = any(${Array.from({ length: CALLS }, (_, n) => `W${first + n}`)}::text[])
      and starts_with(account_key, ${family})`);
  ensure(row?.n === CALLS, `${row?.n} of ${CALLS} withdrawals have a key of ${family}`);
  return measured;
}
