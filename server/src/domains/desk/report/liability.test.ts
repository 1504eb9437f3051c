// @module-tag full
import type { LiabilityProof, LiabilityRow } from '@hengtai/contract/desk/report/schema';
import type { Page } from '@hengtai/contract/wire/list';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verify } from '../../../../../scripts/verify-liability.mjs';
import { findUser, makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { type TestServer, call, login, platformCall, testServer } from '../../../../test/server.ts';
import { makeLiabilities } from './liability.jobs.ts';
import { takeLiability } from './liability.store.ts';
import { amountOf, leafOf, nodeOf, padOf, rootOf, shuffleUsers, unitsOf } from './liability-tree.ts';

let server: TestServer;
let admin: string;

const runJob = () => makeLiabilities(server.app, new AbortController().signal);
const requestProof = (token = admin) =>
  call<LiabilityRow>(server, 'POST', 'report/liability/make', { reason: '月度披露' }, { token });
const findListed = async (id: number) =>
  (await call<Page<LiabilityRow>>(server, 'GET', 'report/liability/list', {}, { token: admin })).data.list.find(
    (row) => row.id === id,
  );
const fetchProof = (id: number, userId: number, token = admin) =>
  call<LiabilityProof>(server, 'GET', 'report/liability/proof', { id, userId }, { token });

/** Builds the proof of the user at an index in memory, from the balances of all users. */
function buildProof(
  users: readonly (readonly string[])[],
  coins: readonly string[],
  userIndex: number,
): LiabilityProof {
  const id = 7;
  const at = 1_700_000_000_000;
  const shuffled = shuffleUsers(
    users.map((sums, index) => ({ id: index, account: `user${index}`, sums: sums.map(unitsOf) })),
  );
  const leaves = shuffled.map((user, index) => leafOf(id, index, coins, user));
  const user = shuffled[userIndex];
  const leaf = leaves[userIndex];
  if (!user || !leaf) throw new Error('no such user');
  const path: LiabilityProof['path'] = [];
  let nodes: { hash: string; sums: readonly bigint[] }[] = leaves;
  for (let level = 0, index = userIndex; nodes.length > 1; level += 1, index >>= 1) {
    if (nodes.length % 2 === 1) nodes = [...nodes, padOf(id, level, nodes.length, coins.length)];
    const sibling = nodes[index ^ 1];
    if (sibling) path.push({ hash: sibling.hash, sums: sibling.sums.map(amountOf) });
    nodes = nodes.flatMap((left, n) => {
      const right = nodes[n + 1];
      return n % 2 === 0 && right ? [nodeOf(level + 1, left, right)] : [];
    });
  }
  const [top] = nodes;
  if (!top) throw new Error('no tree');
  const withCoins = (sums: readonly bigint[]) =>
    coins.map((marketName, n) => ({ marketName, amount: amountOf(sums[n] ?? 0n) }));
  return {
    format: 'hengtai.liability',
    version: 1,
    id,
    at,
    users: users.length,
    index: userIndex,
    account: user.account,
    salt: user.salt,
    balances: withCoins(leaf.sums),
    path,
    totals: withCoins(top.sums),
    root: rootOf({ id, at, users: users.length, coins, top }),
  };
}

const units = fc.bigInt(0n, 10n ** 33n).map(amountOf);
const treeInput = fc
  .record({
    coins: fc.constantFrom(['USDT'], ['USDT', 'BTC'], ['BTC', 'ETH', 'USDT']),
    count: fc.integer({ min: 1, max: 12 }),
  })
  .chain(({ coins, count }) =>
    fc.record({
      coins: fc.constant(coins),
      users: fc.array(fc.array(units, { minLength: coins.length, maxLength: coins.length }), {
        minLength: count,
        maxLength: count,
      }),
      userIndex: fc.nat(count - 1),
    }),
  );

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Path = readonly (string | number)[];

/** The paths of a value and of all values inside it. */
const pathsIn = (value: Json, path: Path = []): Path[] =>
  value !== null && typeof value === 'object'
    ? [
        path,
        ...Object.entries(value).flatMap(([name, one]) =>
          pathsIn(one, [...path, Array.isArray(value) ? Number(name) : name]),
        ),
      ]
    : [path];

function changeAt(value: Json, [name, ...rest]: Path, change: (old: Json) => Json): Json {
  if (name === undefined) return change(value);
  if (Array.isArray(value)) return value.map((one, index) => (index === name ? changeAt(one, rest, change) : one));
  const record = value as Record<string, Json>;
  return { ...record, [name]: changeAt(record[String(name)] ?? null, rest, change) };
}

/** Values that differ from the given one, of the same type and of other types. */
function othersOf(value: Json): Json[] {
  if (typeof value === 'number') return [value + 1, value - 1, -value - 1, String(value), value + 0.5];
  if (typeof value === 'string') {
    const digits = [...value.matchAll(/[0-9a-f]/g)].map(({ index }) => {
      const digit = value[index] === '1' ? '2' : '1';
      return value.slice(0, index) + digit + value.slice(index + 1);
    });
    return [
      ...digits,
      `-${value}`,
      `${value}0`,
      `0${value}`,
      `+${value}`,
      `${value}e1`,
      ` ${value}`,
      '',
      '1e9999',
      null,
    ].filter((one) => one !== value);
  }
  if (Array.isArray(value))
    return [[...value, ...value.slice(0, 1)], value.slice(1), value.slice(0, -1), value.toReversed(), {}].filter(
      (one) => JSON.stringify(one) !== JSON.stringify(value),
    );
  return [null, [], { ...(value as object), more: 1 }];
}

const isAccepted = (proof: unknown, root: string): boolean => {
  try {
    verify(proof, root);
    return true;
  } catch {
    return false;
  }
};

describe('scripts/verify-liability.mjs', () => {
  test('accepts a valid proof, and rejects it after a change of any value', () => {
    fc.assert(
      fc.property(treeInput, ({ coins, users, userIndex }) => {
        const proof = buildProof(users, coins, userIndex);
        expect(verify(proof, proof.root)).toMatchObject({ account: proof.account, totals: proof.totals });
        for (const path of pathsIn(proof)) {
          for (const other of othersOf(path.reduce<Json>((value, name) => (value as never)[name], proof))) {
            const forged = changeAt(proof, path, () => other);
            expect([path, other, isAccepted(forged, proof.root)]).toEqual([path, other, false]);
          }
        }
        expect(
          isAccepted(
            proof,
            proof.root.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
          ),
        ).toBe(false);
      }),
      { numRuns: 25 },
    );
  });

  test('rejects negative sums, sums out of bounds, and an inner node presented as a user', () => {
    expect(() => leafOf(1, 0, ['USDT'], { id: 1, account: 'a', salt: '', owner: '', sums: [-1n] })).toThrow();
    const max = `${'9'.repeat(24)}.${'9'.repeat(18)}`;
    expect(() => buildProof([[max], ['1']], ['USDT'], 0)).toThrow();
    const proof = buildProof([['5'], ['3']], ['USDT'], 0);
    // A sibling with a negative sum would reduce the total.
    const negative = {
      ...proof,
      path: [{ ...proof.path[0], sums: ['-3'] }],
      totals: [{ marketName: 'USDT', amount: '2' }],
    };
    expect(isAccepted(negative, proof.root)).toBe(false);
    const wide = { ...proof, path: [{ ...proof.path[0], sums: [max] }] };
    expect(() => verify(wide, proof.root)).toThrow(/overflow/);
    // An inner node is not a leaf.
    expect(isAccepted({ ...proof, users: 1, index: 0, path: [] }, proof.root)).toBe(false);
  });
});

describe('report/liability', () => {
  // A proof has every user of the installation.
  beforeEach(async () => {
    server = await testServer({ jobs: false });
    admin = await login(server);
  });
  afterEach(() => server.stop());

  test('includes every user once, agrees with the ledger, and gives each proof to the platform and to operators in scope', async () => {
    const agent = await makeOperator(server, admin);
    const other = await makeOperator(server, admin);
    const names: string[] = [];
    for (const [index, amount] of ['100', '0.000000000000000001', '7.5', undefined].entries()) {
      names.push(
        await makeUser(server, {
          agent: agent.account,
          ...(amount && { amount, market: index === 2 ? 'BTC' : 'USDT' }),
        }),
      );
    }
    // Frozen money counts as a liability.
    await makeWithdraw(server, admin, names[0] ?? '', { amount: '40' });
    const { data } = await requestProof();
    expect(data).toMatchObject({ state: 0, operator: 'admin' });
    expect(await requestProof()).toMatchObject({ code: 409 });
    expect(await runJob()).toBe(true);
    expect(await runJob()).toBe(false);
    const row = await findListed(data.id);
    expect(row).toMatchObject({
      state: 2,
      users: 4,
      done: 4,
      matches: 1,
      totals: [
        { marketName: 'USDT', amount: '100.000000000000000001', ledger: '100.000000000000000001' },
        { marketName: 'BTC', amount: '7.5', ledger: '7.5' },
      ],
    });
    const root = row?.root ?? '';
    const { data: published } = await platformCall<{ root: string }>(server, 'GET', 'liabilities');
    expect(published).toMatchObject({
      id: data.id,
      root,
      users: 4,
      totals: [{ amount: '100.000000000000000001' }, { amount: '7.5' }],
    });
    const indexes = new Set<number>();
    for (const account of names) {
      const { id } = await findUser(server, admin, account);
      const proof = (await fetchProof(data.id, id, agent.token)).data;
      expect(verify(proof, root)).toMatchObject({ account });
      indexes.add(proof.index);
      expect((await platformCall(server, 'GET', `liabilities/proof?account=${account}`)).data).toEqual(proof);
      expect(await fetchProof(data.id, id, other.token)).toMatchObject({ code: 404 });
    }
    expect(indexes.size).toBe(4);
    expect(await platformCall(server, 'GET', 'liabilities/proof?account=nobody-at-all')).toMatchObject({ status: 404 });
    expect(await requestProof(agent.token)).toMatchObject({ code: 403 });
    const audits = await server.query(
      sql<{
        action: string;
      }>`select action from audit where target_type = 'report' and target_id = ${data.id} order by id`,
    );
    expect(audits.map(({ action }) => action)).toEqual(['report.make', 'report.made']);
  });

  test('a proof does not change after later transactions', async () => {
    const account = await makeUser(server, { amount: '9' });
    const { id: userId } = await findUser(server, admin, account);
    const { data } = await requestProof();
    await runJob();
    const before = await fetchProof(data.id, userId);
    await makeWithdraw(server, admin, account, { amount: '5' });
    expect((await fetchProof(data.id, userId)).data).toEqual(before.data);
    expect(await fetchProof(data.id + 1, userId)).toMatchObject({ code: 404 });
  });

  test('another worker takes over a task without progress', async () => {
    await makeUser(server, { amount: '3' });
    const { data } = await requestProof();
    const now = server.clock.now();
    await takeLiability(server.app.system, now, now - 120_000);
    // The first worker is not yet considered dead.
    expect(await runJob()).toBe(false);
    server.clock.move(121_000);
    expect(await runJob()).toBe(true);
    expect(await findListed(data.id)).toMatchObject({ state: 2, matches: 1 });
  });

  test('a proof that cannot be written fails with a reason and leaves no nodes', async () => {
    await makeUser(server, { amount: '3' });
    const { data } = await requestProof();
    await server.query(sql`alter table liability_node add constraint refuse_all check (false) not valid`);
    await runJob();
    expect(await findListed(data.id)).toMatchObject({ state: 3, reason: '生成时出错，请重试' });
    for (const table of ['liability_node', 'liability_leaf']) {
      expect(await server.query(sql`select from ${sql.ref(table)} where liability_id = ${data.id}`)).toEqual([]);
    }
  });

  test('a ledger that does not balance is marked as not matching', async () => {
    await makeUser(server, { amount: '10' });
    await server.owner.transaction().execute(async (tx) => {
      // Only the owner of the tables can change a balance without an entry.
      await sql`update account set balance = balance - 1 where id = (select id from account where owner = 'custody' order by balance limit 1)`.execute(
        tx,
      );
    });
    const { data } = await requestProof();
    await runJob();
    expect(await findListed(data.id)).toMatchObject({ state: 2, matches: 0 });
  });
});
