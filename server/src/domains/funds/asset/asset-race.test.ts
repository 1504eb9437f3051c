import type { AssetRow } from '@hengtai/contract/people/user/schema';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { formatUnits, parseUnits } from '../../../../test/ledger-model.ts';
import { fetchBalance, findUser, makeUser } from '../../../../test/factories.ts';
import { countDeadlocks, setPolicy } from '../../../../test/inspect.ts';
import { call, login, provideServer, unique } from '../../../../test/server.ts';
import { checkBook } from '../../../books/ledger/check.ts';

const server = provideServer({ jobs: false });
let admin: string;

beforeAll(async () => {
  admin = await login(server);
  await setPolicy(server, 'asset.active', 0);
});

/** The entries of one account in their order. */
const chainOf = (account: string, bucket: string) =>
  server.query(sql<{ amount: string; balance: string }>`
    select e.amount, e.balance from entry e join users u on u.id = e.user_id
    where u.account = ${account} and e.bucket = ${bucket} order by e.id`);

async function expectConsistentEntries(account: string, bucket: 'active' | 'frozen', last: bigint): Promise<void> {
  let balance = 0n;
  for (const entry of await chainOf(account, bucket)) {
    balance += parseUnits(entry.amount);
    expect(parseUnits(entry.balance)).toBe(balance);
    expect(balance).toBeGreaterThanOrEqual(0n);
  }
  expect(balance).toBe(last);
}

/** Runs `count` adjustments concurrently, alternating the kinds; returns the total amount that each kind moved. */
async function adjustConcurrently(
  account: string,
  paths: readonly string[],
  count: number,
  amountOf: (n: number) => bigint,
) {
  const { id } = await findUser(server, admin, account);
  const moved: Record<string, bigint> = {};
  const codes = new Map<number, number>();
  await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const path = paths[n % paths.length] ?? '';
      const amount = amountOf(n);
      const input = { userId: id, marketId: 1, platform: 1, amount: formatUnits(amount), state: 0, reason: '压力测试' };
      const answer = await call<AssetRow>(server, 'POST', `asset/${path}`, input, { token: admin, key: unique('k') });
      codes.set(answer.code, (codes.get(answer.code) ?? 0) + 1);
      if (answer.code === 200) moved[path] = (moved[path] ?? 0n) + amount;
    }),
  );
  expect([...codes.keys()].filter((code) => code !== 200 && code !== 422)).toEqual([]);
  return { moved: (path: string) => moved[path] ?? 0n, codes };
}

test('200 concurrent additions and subtractions of one account lose none and never go below zero', async () => {
  const account = await makeUser(server, { amount: '50' });
  const before = await countDeadlocks(server);
  const { moved, codes } = await adjustConcurrently(
    account,
    ['active/sub', 'active/add', 'active/sub'],
    200,
    (n) => 10n ** 18n * BigInt(1 + (n % 7)) + BigInt(n),
  );
  // The subtractions exceed the balance, so both outcomes must occur.
  expect(codes.get(200)).toBeGreaterThan(70);
  expect(codes.get(422)).toBeGreaterThan(0);
  const expected = parseUnits('50') + moved('active/add') - moved('active/sub');
  expect(parseUnits((await fetchBalance(server, admin, account)).active)).toBe(expected);
  await expectConsistentEntries(account, 'active', expected);
  const [{ count } = { count: 0 }] = await server.query(sql<{ count: number }>`
    select count(*) as count from adjustment a join users u on u.id = a.user_id where u.account = ${account}`);
  expect(count).toBe(codes.get(200));
  expect(await countDeadlocks(server)).toBe(before);
  expect(await checkBook(server.owner)).toEqual([]);
});

test('100 concurrent freezes and releases never release more than was frozen manually', async () => {
  const account = await makeUser(server, { amount: '40' });
  const { moved } = await adjustConcurrently(
    account,
    ['frozen/sub', 'frozen/add'],
    100,
    (n) => 10n ** 17n * BigInt(1 + (n % 23)) + 1n,
  );
  const frozen = moved('frozen/add') - moved('frozen/sub');
  expect(frozen).toBeGreaterThanOrEqual(0n);
  await expectConsistentEntries(account, 'frozen', frozen);
  await expectConsistentEntries(account, 'active', parseUnits('40') - frozen);
  expect(await checkBook(server.owner)).toEqual([]);
});
