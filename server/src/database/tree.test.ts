import type { Envelope } from '@hengtai/contract/wire/envelope';
import type { Page } from '@hengtai/contract/wire/list';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeOperator, makeUser } from '../../test/factories.ts';
import { setPolicy } from '../../test/inspect.ts';
import { call, login, provideServer, unique } from '../../test/server.ts';
import { inTransaction } from './connect.ts';
import { type Authority, authorityColumns, scopeOf, treeChanges } from './tree.ts';

const server = provideServer({ jobs: false });
let admin: string;

beforeAll(async () => {
  admin = await login(server);
  await setPolicy(server, 'agent.del', 0);
});

async function visibilityOf(operatorId: number): Promise<Authority> {
  const [visibility] = await server.query(
    sql<Authority>`select ${authorityColumns(sql`null::int[]`)} from agent o where o.id = ${operatorId}`,
  );
  if (!visibility) throw new Error('no such operator');
  return visibility;
}

async function treeOf(operatorId: number): Promise<readonly number[]> {
  const scope = await scopeOf(server.app.system, operatorId, await visibilityOf(operatorId));
  return scope.kind === 'all' ? [] : scope.ids;
}

const fetchClosure = async (operatorId: number): Promise<number[]> => {
  const rows = await server.query(sql<{ id: number }>`
    select descendant as id from closure where ancestor = ${operatorId} order by 1`);
  return rows.map(({ id }) => id);
};
const sorted = (ids: readonly number[]): number[] => ids.toSorted((a, b) => a - b);
const post = (path: string, input: object): Promise<Envelope> => call(server, 'POST', path, input, { token: admin });

describe('the cached tree of an operator', () => {
  test('is reused while the tree is unchanged', async () => {
    const one = await makeOperator(server, admin);
    const user = await makeUser(server, { agent: one.account });
    const before = await treeOf(one.id);
    expect(before).toEqual([one.id]);
    expect(await post('agent/remark', { id: one.id, remark: '华东' })).toMatchObject({ code: 200 });
    expect(await post('user/remark', { account: user, remark: '大客户' })).toBeDefined();
    expect(await treeOf(one.id)).toBe(before);
  });

  test.each<[string, (below: { id: number }, other: { account: string }) => Promise<Envelope>]>([
    ['an agent is added', (_below, other) => post('agent/add', { account: unique('a'), password: 'a-password', parentAccount: other.account })],
    ['an agent moves', ({ id }, { account }) => post('agent/parent/change', { id, parent: account })],
    ['an agent is deleted', ({ id }, { account }) => post('agent/del', { deleteId: id, replaceAccount: account, reason: '离职' })],
  ])('is read again when %s', async (_title, change) => {
    const [one, other] = [await makeOperator(server, admin), await makeOperator(server, admin)];
    const below = await makeOperator(server, admin, { parent: one.account });
    const before = [await treeOf(one.id), await treeOf(other.id)];
    expect(before).toEqual([await fetchClosure(one.id), await fetchClosure(other.id)]);
    expect(await change(below, other)).toMatchObject({ code: 200 });
    const after = [sorted(await treeOf(one.id)), sorted(await treeOf(other.id))];
    expect(after).toEqual([await fetchClosure(one.id), await fetchClosure(other.id)]);
    expect(after).not.toEqual(before);
  }); // prettier-ignore

  test('is kept when the change is rolled back', async () => {
    const one = await makeOperator(server, admin);
    const before = await treeOf(one.id);
    const undone = inTransaction(server.app.system, async (db) => {
      await sql`with ${treeChanges()} delete from closure where ancestor = ${one.id}`.execute(db);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await treeOf(one.id)).toBe(before);
  });

  test('is complete after concurrent changes', async () => {
    const one = await makeOperator(server, admin);
    const addDescendant = async (id: number) => {
      await inTransaction(server.app.system, async (db) => {
        await sql`with ${treeChanges()} insert into closure (ancestor, descendant) values (${one.id}, ${id})`.execute(
          db,
        );
        // Caches the tree before the commit; the cache must be invalidated by the commit.
        await treeOf(one.id);
      });
      return treeOf(one.id);
    };
    const others = await Promise.all(Array.from({ length: 3 }, () => makeOperator(server, admin)));
    await Promise.all(others.map(({ id }) => addDescendant(id)));
    expect(sorted(await treeOf(one.id))).toEqual(sorted([one.id, ...others.map(({ id }) => id)]));
    await server.query(sql`delete from closure where ancestor = ${one.id} and descendant <> ancestor`);
  });

  test('is empty, and not the full scope, if the closure has no row of the operator', async () => {
    const one = await makeOperator(server, admin);
    await server.query(sql`with ${treeChanges()} delete from closure where ancestor = ${one.id}`);
    expect(await scopeOf(server.app.system, one.id, await visibilityOf(one.id))).toEqual({ kind: 'agents', ids: [] });
    await makeUser(server);
    const list = (token: string) => call<Page<object>>(server, 'GET', 'user/list', {}, { token });
    expect((await list(admin)).data.total).toBeGreaterThan(0);
    expect((await list(one.token)).data.total).toBe(0);
  });

  test('cannot be read without a tree version', async () => {
    const one = await makeOperator(server, admin);
    await server.query(sql`delete from tree_version`);
    await expect(treeOf(one.id)).rejects.toThrow('tree_version');
    await server.query(sql`insert into tree_version (version) values ('again')`);
    expect(await treeOf(one.id)).toEqual([one.id]);
  });
});
