import type { LiabilityProof, LiabilityRow } from '@hengtai/contract/report.schema';
import type { Page } from '@hengtai/contract/list';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verify } from '../../../scripts/verify-liability.mjs';
import { findUser, makeOperator, makeUser, makeWithdraw } from '../../test/factories.ts';
import { type TestServer, call, login, platformCall, testServer } from '../../test/server.ts';
import { makeLiabilities } from './liability.jobs.ts';
import { takeLiability } from './liability.store.ts';
import { amountOf, leafOf, nodeOf, padOf, rootOf, shuffleUsers, unitsOf } from './liability-tree.ts';

let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
});
afterAll(() => server.stop());

const work = () => makeLiabilities(server.app, new AbortController().signal);
const order = (token = admin) =>
  call<LiabilityRow>(server, 'POST', 'report/liability/make', { reason: '月度披露' }, { token });
const listed = async (id: number) =>
  (await call<Page<LiabilityRow>>(server, 'GET', 'report/liability/list', {}, { token: admin })).data.list.find(
    (row) => row.id === id,
  );
const proofOf = (id: number, userId: number, token = admin) =>
  call<LiabilityProof>(server, 'GET', 'report/liability/proof', { id, userId }, { token });

/** A proof of a tree of so many users with any balances, made without the database. */
function grow(users: readonly (readonly string[])[], coins: readonly string[], which: number): LiabilityProof {
  const id = 7;
  const at = 1_700_000_000_000;
  const people = shuffleUsers(
    users.map((sums, index) => ({ id: index, account: `user${index}`, sums: sums.map(unitsOf) })),
  );
  const leaves = people.map((user, index) => leafOf(id, index, coins, user));
  const person = people[which];
  const leaf = leaves[which];
  if (!person || !leaf) throw new Error('no such user');
  const path: LiabilityProof['path'] = [];
  let nodes: { hash: string; sums: readonly bigint[] }[] = leaves;
  for (let level = 0, index = which; nodes.length > 1; level += 1, index >>= 1) {
    if (nodes.length % 2 === 1) nodes = [...nodes, padOf(id, level, nodes.length, coins.length)];
    const beside = nodes[index ^ 1];
    if (beside) path.push({ hash: beside.hash, sums: beside.sums.map(amountOf) });
    nodes = nodes.flatMap((left, n) => {
      const right = nodes[n + 1];
      return n % 2 === 0 && right ? [nodeOf(level + 1, left, right)] : [];
    });
  }
  const [top] = nodes;
  if (!top) throw new Error('no tree');
  const named = (sums: readonly bigint[]) =>
    coins.map((marketName, n) => ({ marketName, amount: amountOf(sums[n] ?? 0n) }));
  return {
    format: 'hengtai.liability',
    version: 1,
    id,
    at,
    users: users.length,
    index: which,
    account: person.account,
    salt: person.salt,
    balances: named(leaf.sums),
    path,
    totals: named(top.sums),
    root: rootOf({ id, at, users: users.length, coins, top }),
  };
}

const units = fc.bigInt(0n, 10n ** 33n).map(amountOf);
const forest = fc
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
      which: fc.nat(count - 1),
    }),
  );

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Place = readonly (string | number)[];

/** Every value inside, by the way to it. */
const placesIn = (value: Json, way: Place = []): Place[] =>
  value !== null && typeof value === 'object'
    ? [
        way,
        ...Object.entries(value).flatMap(([name, one]) =>
          placesIn(one, [...way, Array.isArray(value) ? Number(name) : name]),
        ),
      ]
    : [way];

function changedAt(value: Json, [name, ...rest]: Place, change: (old: Json) => Json): Json {
  if (name === undefined) return change(value);
  if (Array.isArray(value)) return value.map((one, index) => (index === name ? changedAt(one, rest, change) : one));
  const record = value as Record<string, Json>;
  return { ...record, [name]: changedAt(record[String(name)] ?? null, rest, change) };
}

/** Other values than the one that stands there, of the same kind and of others. */
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

const held = (proof: unknown, root: string): boolean => {
  try {
    verify(proof, root);
    return true;
  } catch {
    return false;
  }
};

describe('scripts/verify-liability.mjs', () => {
  test('holds what the tree proves, and nothing in which any value was changed', () => {
    fc.assert(
      fc.property(forest, ({ coins, users, which }) => {
        const proof = grow(users, coins, which);
        expect(verify(proof, proof.root)).toMatchObject({ account: proof.account, totals: proof.totals });
        for (const place of placesIn(proof)) {
          for (const other of othersOf(place.reduce<Json>((value, name) => (value as never)[name], proof))) {
            const forged = changedAt(proof, place, () => other);
            expect([place, other, held(forged, proof.root)]).toEqual([place, other, false]);
          }
        }
        expect(
          held(
            proof,
            proof.root.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
          ),
        ).toBe(false);
      }),
      { numRuns: 25 },
    );
  });

  test('refuses what nobody could have published: debts, sums beyond all bounds, one tree passed off as another', () => {
    expect(() => leafOf(1, 0, ['USDT'], { id: 1, account: 'a', salt: '', owner: '', sums: [-1n] })).toThrow();
    const most = `${'9'.repeat(24)}.${'9'.repeat(18)}`;
    expect(() => grow([[most], ['1']], ['USDT'], 0)).toThrow();
    const proof = grow([['5'], ['3']], ['USDT'], 0);
    // A sibling with a debt would make the whole smaller.
    const owing = {
      ...proof,
      path: [{ ...proof.path[0], sums: ['-3'] }],
      totals: [{ marketName: 'USDT', amount: '2' }],
    };
    expect(held(owing, proof.root)).toBe(false);
    const wide = { ...proof, path: [{ ...proof.path[0], sums: [most] }] };
    expect(() => verify(wide, proof.root)).toThrow(/overflow/);
    // A node inside of the tree is no user.
    expect(held({ ...proof, users: 1, index: 0, path: [] }, proof.root)).toBe(false);
  });
});

describe('report/liability', () => {
  test('counts every user once, agrees with the ledger, and proves each of them to the platform and to who may see it', async () => {
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
    // Frozen money is owed as well.
    await makeWithdraw(server, admin, names[0] ?? '', { amount: '40' });
    const { data } = await order();
    expect(data).toMatchObject({ state: 0, operator: 'admin' });
    expect(await order()).toMatchObject({ code: 409 });
    expect(await work()).toBe(true);
    expect(await work()).toBe(false);
    const row = await listed(data.id);
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
    const seen = new Set<number>();
    for (const account of names) {
      const { id } = await findUser(server, admin, account);
      const proof = (await proofOf(data.id, id, agent.token)).data;
      expect(verify(proof, root)).toMatchObject({ account });
      seen.add(proof.index);
      expect((await platformCall(server, 'GET', `liabilities/proof?account=${account}`)).data).toEqual(proof);
      expect(await proofOf(data.id, id, other.token)).toMatchObject({ code: 404 });
    }
    expect(seen.size).toBe(4);
    expect(await platformCall(server, 'GET', 'liabilities/proof?account=nobody-at-all')).toMatchObject({ status: 404 });
    expect(await order(agent.token)).toMatchObject({ code: 403 });
    const audits = await server.query(
      sql<{
        action: string;
      }>`select action from audit where target_type = 'report' and target_id = ${data.id} order by id`,
    );
    expect(audits.map(({ action }) => action)).toEqual(['report.make', 'report.made']);
  });

  test('a proof stays what it was, whatever happens afterwards', async () => {
    const account = await makeUser(server, { amount: '9' });
    const { id: userId } = await findUser(server, admin, account);
    const { data } = await order();
    await work();
    const before = await proofOf(data.id, userId);
    await makeWithdraw(server, admin, account, { amount: '5' });
    expect((await proofOf(data.id, userId)).data).toEqual(before.data);
    expect(await proofOf(data.id + 1, userId)).toMatchObject({ code: 404 });
  });

  test('who dies over it is succeeded, and has no more say', async () => {
    await makeUser(server, { amount: '3' });
    const { data } = await order();
    const now = server.clock.now();
    await takeLiability(server.app.system, now, now - 120_000);
    // Still thought to be at work.
    expect(await work()).toBe(false);
    server.clock.move(121_000);
    expect(await work()).toBe(true);
    expect(await listed(data.id)).toMatchObject({ state: 2, matches: 1 });
  });

  test('a book that does not agree with its users is told, not published as whole', async () => {
    await server.owner.transaction().execute(async (tx) => {
      // Past the ledger, as only the owner of the tables can.
      await sql`update account set balance = balance - 1 where id = (select id from account where owner = 'custody' order by balance limit 1)`.execute(
        tx,
      );
    });
    const { data } = await order();
    await work();
    expect(await listed(data.id)).toMatchObject({ state: 2, matches: 0 });
    await server.query(
      sql`update account set balance = balance + 1 where id = (select id from account where owner = 'custody' order by balance limit 1)`,
    );
  });
});
