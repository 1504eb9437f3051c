import type { platformReads } from '@hengtai/contract/gateway/reads.schema';
import { ENTRY, PLATFORM, type Platform } from '@hengtai/contract/values/money';
import type { Static } from '@sinclair/typebox';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeUser, recharge } from '../../../../test/factories.ts';
import { type TestServer, apply, platformCall, testServer, unique } from '../../../../test/server.ts';
import type { AccountName } from '../../../books/ledger/account.ts';
import { checkBook } from '../../../books/ledger/check.ts';
import { leg, post } from '../../../books/ledger/post.ts';
import { type Db, inTransaction } from '../../../database/connect.ts';

type Snapshot = Static<typeof platformReads.snapshot>;

let server: TestServer;
let users: string[];

beforeAll(async () => {
  server = await testServer({ jobs: false });
  users = [];
  for (let n = 0; n < 7; n += 1) users.push(await makeUser(server, { amount: '1000' }));
  await recharge(server, users[0] ?? '', '0.000000000000000001', 'BTC');
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});

async function readPage(query = ''): Promise<Snapshot> {
  const answer = await platformCall<Snapshot>(server, 'GET', `balances/snapshot${query}`);
  if (answer.code !== 200) throw new Error(`${query}: ${answer.code} ${answer.msg}`);
  return answer.data;
}

/** Reads all pages of one entry. */
async function readAll(limit: number, fact?: number, between: () => Promise<void> = async () => undefined) {
  let page = await readPage(`?limit=${limit}${fact === undefined ? '' : `&fact=${fact}`}`);
  const all = { fact: page.fact, balances: page.balances };
  while (page.next !== null) {
    await between();
    page = await readPage(`?fact=${all.fact}&after=${page.next}&limit=${limit}`);
    expect(page.fact).toBe(all.fact);
    all.balances.push(...page.balances);
  }
  return all;
}

/** The balances as of an entry, from the sums of the entries up to it. */
const sumEntries = (fact: number): Promise<Snapshot['balances']> =>
  server.query(sql<Snapshot['balances'][number]>`
    select u.account, m.market_name as market, e.platform,
      coalesce(sum(e.amount) filter (where e.bucket = 'active'), 0) as active,
      coalesce(sum(e.amount) filter (where e.bucket = 'frozen'), 0) as frozen
    from entry e join users u on u.id = e.user_id join market m on m.id = e.market_id
    where e.id <= ${fact} group by u.id, m.id, e.platform order by u.id, m.id, e.platform`);

const transfer = (from: number, to: number, amount: string) =>
  apply(server, {
    type: 'transfer.made',
    data: {
      no: unique('T'),
      account: users[from % users.length],
      toAccount: users[to % users.length],
      market: 'USDT',
      platform: 1,
      toPlatform: (to % 4) + 1,
      amount,
    },
  });

test('has every balance as of the last entry', async () => {
  const own = await makeUser(server, { amount: '1000' });
  const { fact, balances, next } = await readPage();
  expect(next).toBeNull();
  expect(balances).toEqual(await sumEntries(fact));
  expect(balances).toContainEqual({ account: own, market: 'USDT', platform: 1, active: '1000', frozen: '0' });
  expect(balances).toContainEqual(
    expect.objectContaining({ account: users[0], market: 'BTC', active: '0.000000000000000001' }),
  );
});

test('pages of one entry agree, whatever happens between them', async () => {
  const { fact } = await readPage();
  const before = await sumEntries(fact);
  let step = 0;
  // Money moves to users of later pages and back, to accounts that did not exist, and to new users.
  const { balances } = await readAll(3, undefined, async () => {
    step += 1;
    await transfer(step, step + 3, '7.000000000000000001');
    await transfer(step + 3, step, '3');
    await makeUser(server, { amount: '1000' });
  });
  expect(step).toBeGreaterThan(1);
  expect(balances).toEqual(before);
  expect((await readAll(2, fact)).balances).toEqual(before);
});

test('pages agree while events are applied at the same time', async () => {
  const finished = new AbortController();
  const move = async (seed: number): Promise<void> => {
    for (let n = 0; n < 40; n += 1) await transfer(seed + n, seed + n + 1 + (n % 5), '0.5');
  };
  const moving = Promise.all([1, 2, 3].map(move)).finally(() => finished.abort());
  const snapshots: Awaited<ReturnType<typeof readAll>>[] = [];
  while (!finished.signal.aborted) snapshots.push(await readAll(4));
  await moving;
  expect(snapshots.length).toBeGreaterThan(1);
  for (const { fact, balances } of snapshots) expect(balances).toEqual(await sumEntries(fact));
});

test('waits for a transaction that took its numbers earlier and commits later', async () => {
  const [early, late] = [users[1] ?? '', users[2] ?? ''];
  const { reading, inside } = await inTransaction(server.owner, async (db) => {
    await postByHand(db, early);
    await recharge(server, late, '5');
    const inside = await server.query(sql<{ id: number }>`select max(id) as id from entry`);
    const reading = readPage();
    // It has found the writer and looks again.
    await vi.waitFor(
      async () =>
        expect(
          await server.query(
            sql`select from pg_stat_activity where query like '%pg_locks%' and query not like '%activity%'`,
          ),
        ).not.toHaveLength(0),
      { interval: 5, timeout: 3_000 },
    );
    return { reading, inside };
  });
  const { fact, balances } = await reading;
  expect(fact).toBe(inside[0]?.id);
  expect(balances).toEqual(await sumEntries(fact));
});

/** Moves money between two accounts of a user, in the caller's transaction. */
async function postByHand(db: Db, account: string): Promise<void> {
  const { rows } = await sql<{ id: number; agentId: number; marketId: number }>`
    select u.id, u.agent_id as "agentId", m.id as "marketId" from users u, market m
    where u.account = ${account} and m.market_name = 'USDT'`.execute(db);
  const [found] = rows;
  if (!found) throw new Error(`no user ${account}`);
  const { id, agentId, marketId } = found;
  const sideOf = (platform: Platform): AccountName => ({ user: { id, agentId }, marketId, platform, bucket: 'active' });
  const now = server.clock.now();
  const head = { refType: 'test', refId: 1, at: now, now };
  await post(db, head, [leg(sideOf(PLATFORM.fund), sideOf(PLATFORM.spot), '2', ENTRY.accountTransfer)]);
}

test('refuses an entry of the future and a wrong place', async () => {
  const { fact } = await readPage();
  for (const query of [`?fact=${fact + 1_000}`, '?after=1', '?limit=0', '?limit=1001', '?at=1']) {
    const answer = await platformCall(server, 'GET', `balances/snapshot${query}`);
    expect([query, answer]).toMatchObject([query, { code: 422, error: 'invalid' }]);
  }
});
