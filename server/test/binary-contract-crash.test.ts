// @module-tag full
import { sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkBook } from '../src/books/ledger/check.ts';
import { checkBinaryContracts } from '../src/domains/trading/binary-contract/binary-contract-check.store.ts';
import { onTron } from './address.ts';
import { World } from './crash-world.ts';

const USERS = ['ada', 'bob', 'cleo', 'dan'] as const;
const CONTRACTS_PER_USER = 12;
const START = 1_000_000;

/**
 * The tables that a settlement writes, in write order. The test locks one so that the settlement waits there; `victim` is
 * the process that is killed meanwhile.
 */
const LOCK_POINTS = [
  { table: 'hold', mode: 'share row exclusive', victim: 'server' },
  { table: 'account', mode: 'exclusive', victim: 'backend' },
  { table: 'entry', mode: 'share row exclusive', victim: 'server' },
  { table: 'command', mode: 'share row exclusive', victim: 'backend' },
  { table: 'command', mode: 'share row exclusive', victim: 'server' },
] as const;
type LockPoint = (typeof LOCK_POINTS)[number];

let world: World;
/** Balance that each user must have at the end. */
const expected = new Map<string, number>(USERS.map((account) => [account, START]));
const sequence = { next: 0 };
let lastTick = 0;

beforeAll(async () => {
  world = await World.start();
  await sql`insert into second_config (market_id, seconds, payout_rate, min_amount, max_amount, sort, state, created_at, recorded_at,
    updated_at) values (null, 1, 50, 1, 0, 1, 1, 1, 1, 1)`.execute(world.db);
  const deposit = { ...onTron('any'), confirmations: 20, source: 1, market: 'USDT', amount: `${START}` };
  for (const account of USERS) {
    const transfer = { account, toAccount: account, market: 'USDT', platform: 1, toPlatform: 4, amount: `${START}` };
    await sendEvent('user.registered', { account });
    await sendEvent('recharge.credited', { no: `R-${account}`, account, ...deposit });
    await sendEvent('transfer.made', { no: `T-${account}`, ...transfer });
  }
}, 240_000);
afterAll(() => world.stop(), 120_000);

async function sendEvent(type: string, data: object): Promise<void> {
  const eventId = `event-${(sequence.next += 1)}`;
  const [answer] = await world.events({ eventId, type, data });
  expect(answer).toMatchObject({ result: 'applied' });
}

const query = async <T>(statement: ReturnType<typeof sql<T>>): Promise<T[]> => (await statement.execute(world.db)).rows;

/** Opens contracts of one second that cannot settle yet. The returned function sends the tick that settles them. */
async function openContracts(): Promise<() => Promise<void>> {
  // Ticks must not go back in time, and the last one may be slightly in the future.
  await waitUntil(async () => Date.now() > lastTick);
  const events = USERS.flatMap((account) =>
    Array.from({ length: CONTRACTS_PER_USER }, (_, index) => {
      const no = `C-${(sequence.next += 1)}`;
      const [side, amount] = [index % 2 === 0 ? 1 : 2, 2 * (index + 1)];
      expected.set(account, (expected.get(account) ?? 0) + (side === 1 ? amount / 2 : -amount));
      const data = { no, account, market: 'BTC', side, seconds: 1, amount: `${amount}` };
      return { eventId: `event-${no}`, type: 'second.opened', data };
    }),
  );
  const answers = await world.events(...events);
  expect(new Set(answers.map(({ result }) => result))).toEqual(new Set(['applied']));
  const [latest] = await query(sql<{ at: number }>`select max(created_at) as at from second_contract`);
  const openedAt = latest?.at ?? 0;
  await sendEvent('tick', { market: 'BTC', price: '100', at: openedAt });
  lastTick = openedAt + 1_000;
  return () => sendEvent('tick', { market: 'BTC', price: '101', at: lastTick });
}

/** Backend pid of the settlement that waits for the lock of a table. */
async function waitForBlockedSettlement({ table }: LockPoint): Promise<number> {
  for (let tries = 0; tries < 2_000; tries += 1) {
    // The settlement has written to the contracts and waits for this table.
    const [lock] = await query(sql<{ pid: number }>`
      select w.pid from pg_locks w join pg_locks h on h.pid = w.pid and h.granted and h.mode = 'RowExclusiveLock'
        and h.relation = 'second_contract'::regclass
      where not w.granted and w.relation = ${table}::regclass limit 1`);
    if (lock) return lock.pid;
    await sleep(10);
  }
  throw new Error(`No settlement comes to ${table}.`);
}

async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 2_000; tries += 1) {
    if (await condition()) return;
    await sleep(20);
  }
  throw new Error('The condition was not met in time.');
}

const countOpenContracts = async (): Promise<number> =>
  (await query(sql<{ n: number }>`select count(*) as n from second_contract where state = 0`))[0]?.n ?? -1;

test.each(LOCK_POINTS)(
  'settles every contract exactly once if the $victim is killed while it waits for $table',
  async (point) => {
    const sendClosingTick = await openContracts();
    const response = await world.db.transaction().execute(async (transaction) => {
      await sql`lock table ${sql.ref(point.table)} in ${sql.raw(point.mode)} mode`.execute(transaction);
      const closingTick = sendClosingTick();
      const pid = await waitForBlockedSettlement(point);
      // The settlement has written but not committed, so every contract still looks open.
      expect(await countOpenContracts()).toBe(USERS.length * CONTRACTS_PER_USER);
      if (point.victim === 'backend') await sql`select pg_terminate_backend(${pid})`.execute(transaction);
      else await world.killServer();
      return closingTick;
    });
    expect(response).toBeUndefined();
    await waitUntil(async () => (await countOpenContracts()) === 0);

    const settlements = await query(sql<{ transfers: number; commands: number; n: number }>`
    select (select count(*) from transfer t where t.ref_type = 'second' and t.ref_id = c.id) as transfers,
      (select count(*) from command o where o.ref_type = 'second' and o.ref_id = c.id) as commands, count(*) as n
    from second_contract c where c.state = 1 group by 1, 2`);
    // One transfer freezes the stake, one settles it.
    expect(settlements).toEqual([{ transfers: 2, commands: 1, n: expect.any(Number) as number }]);
    const balances = await query(sql<{ account: string; bucket: string; balance: string }>`
    select u.account, a.bucket, a.balance from account a join users u on u.id = a.user_id where a.platform = 4`);
    for (const { account, bucket, balance } of balances) {
      expect([account, bucket, balance]).toEqual([
        account,
        bucket,
        bucket === 'active' ? `${expected.get(account)}` : '0',
      ]);
    }
    expect(await checkBook(world.db)).toEqual([]);
    expect((await checkBinaryContracts(world.db)).discrepancies).toEqual([]);
  },
  120_000,
);
