// @module-tag full
import { sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkBook } from '../src/ledger/check.ts';
import { checkBinaryContracts } from '../src/binary-contract/binary-contract-check.store.ts';
import { World } from './crash-world.ts';

const USERS = ['ada', 'bob', 'cleo', 'dan'] as const;
const EACH = 12;
const START = 1_000_000;

/**
 * The tables that a settlement writes, in write order. The test locks one so that the settlement waits there; `end` is
 * the process that is killed meanwhile.
 */
const POINTS = [
  { table: 'hold', mode: 'share row exclusive', end: 'server' },
  { table: 'account', mode: 'exclusive', end: 'backend' },
  { table: 'entry', mode: 'share row exclusive', end: 'server' },
  { table: 'command', mode: 'share row exclusive', end: 'backend' },
  { table: 'command', mode: 'share row exclusive', end: 'server' },
] as const;
type Point = (typeof POINTS)[number];

let world: World;
/** Balance that each user must have at the end. */
const expected = new Map<string, number>(USERS.map((account) => [account, START]));
const numbers = { next: 0 };
let lastTick = 0;

beforeAll(async () => {
  world = await World.start();
  await sql`insert into second_config (market_id, seconds, payout_rate, min_amount, max_amount, sort, state, created_at, recorded_at,
    updated_at) values (null, 1, 50, 1, 0, 1, 1, 1, 1, 1)`.execute(world.db);
  const paid = { network: 'TRC20', address: 'T', confirmations: 20, source: 1, market: 'USDT', amount: `${START}` };
  for (const account of USERS) {
    const move = { account, toAccount: account, market: 'USDT', platform: 1, toPlatform: 4, amount: `${START}` };
    await tell('user.registered', { account });
    await tell('recharge.credited', { no: `R-${account}`, account, ...paid });
    await tell('transfer.made', { no: `T-${account}`, ...move });
  }
}, 240_000);
afterAll(() => world.stop(), 120_000);

async function tell(type: string, data: object): Promise<void> {
  const eventId = `event-${(numbers.next += 1)}`;
  const [answer] = await world.events({ eventId, type, data });
  expect(answer).toMatchObject({ result: 'applied' });
}

const ask = async <T>(statement: ReturnType<typeof sql<T>>): Promise<T[]> => (await statement.execute(world.db)).rows;

/** Opens contracts of one second that cannot settle yet. The returned function sends the tick that settles them. */
async function openMany(): Promise<() => Promise<void>> {
  // Ticks must not go back in time, and the last one may be slightly in the future.
  await until(async () => Date.now() > lastTick);
  const events = USERS.flatMap((account) =>
    Array.from({ length: EACH }, (_, index) => {
      const no = `C-${(numbers.next += 1)}`;
      const [side, amount] = [index % 2 === 0 ? 1 : 2, 2 * (index + 1)];
      expected.set(account, (expected.get(account) ?? 0) + (side === 1 ? amount / 2 : -amount));
      const data = { no, account, market: 'BTC', side, seconds: 1, amount: `${amount}` };
      return { eventId: `event-${no}`, type: 'second.opened', data };
    }),
  );
  const answers = await world.events(...events);
  expect(new Set(answers.map(({ result }) => result))).toEqual(new Set(['applied']));
  const [made] = await ask(sql<{ at: number }>`select max(created_at) as at from second_contract`);
  const opened = made?.at ?? 0;
  await tell('tick', { market: 'BTC', price: '100', at: opened });
  lastTick = opened + 1_000;
  return () => tell('tick', { market: 'BTC', price: '101', at: lastTick });
}

/** Backend pid of the settlement that waits for the lock of a table. */
async function stoppedAt({ table }: Point): Promise<number> {
  for (let tries = 0; tries < 2_000; tries += 1) {
    // The settlement has written to the contracts and waits for this table.
    const [found] = await ask(sql<{ pid: number }>`
      select w.pid from pg_locks w join pg_locks h on h.pid = w.pid and h.granted and h.mode = 'RowExclusiveLock'
        and h.relation = 'second_contract'::regclass
      where not w.granted and w.relation = ${table}::regclass limit 1`);
    if (found) return found.pid;
    await sleep(10);
  }
  throw new Error(`No settlement comes to ${table}.`);
}

async function until(what: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 2_000; tries += 1) {
    if (await what()) return;
    await sleep(20);
  }
  throw new Error('It did not come about.');
}

const running = async (): Promise<number> =>
  (await ask(sql<{ n: number }>`select count(*) as n from second_contract where state = 0`))[0]?.n ?? -1;

test.each(POINTS)(
  'settles every contract exactly once if the $end is killed while it waits for $table',
  async (point) => {
    const close = await openMany();
    const ends = await world.db.transaction().execute(async (held) => {
      await sql`lock table ${sql.ref(point.table)} in ${sql.raw(point.mode)} mode`.execute(held);
      const closing = close();
      const pid = await stoppedAt(point);
      // The settlement has written but not committed, so every contract still looks open.
      expect(await running()).toBe(USERS.length * EACH);
      if (point.end === 'backend') await sql`select pg_terminate_backend(${pid})`.execute(held);
      else await world.killServer();
      return closing;
    });
    expect(ends).toBeUndefined();
    await until(async () => (await running()) === 0);

    const settled = await ask(sql<{ transfers: number; commands: number; n: number }>`
    select (select count(*) from transfer t where t.ref_type = 'second' and t.ref_id = c.id) as transfers,
      (select count(*) from command o where o.ref_type = 'second' and o.ref_id = c.id) as commands, count(*) as n
    from second_contract c where c.state = 1 group by 1, 2`);
    // One transfer freezes the stake, one settles it.
    expect(settled).toEqual([{ transfers: 2, commands: 1, n: expect.any(Number) as number }]);
    const balances = await ask(sql<{ account: string; bucket: string; balance: string }>`
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
