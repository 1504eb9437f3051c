import { ABILITIES, ABILITY, ADMIN_GRANTED } from '@hengtai/contract/authority/ability';
import type { AgentRow } from '@hengtai/contract/people/agent/schema';
import type { Page } from '@hengtai/contract/wire/list';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compactCounters } from '../../../books/lists/counters.ts';
import { PASSWORD, type TestOperator, makeOperator, makeUser } from '../../../../test/factories.ts';
import { fetchAuditRows } from '../../../../test/inspect.ts';
import { type ApiResponse, type TestServer, apply, call, login, testServer, unique } from '../../../../test/server.ts';

let server: TestServer;
let admin: string;
let adminId: number;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  adminId = (await call<{ id: number }>(server, 'GET', 'me', {}, { token: admin })).data.id;
});
afterAll(() => server.stop());

const add = (token: string, input: object): Promise<ApiResponse<AgentRow>> =>
  call<AgentRow>(server, 'POST', 'agent/add', { account: unique('agent'), password: PASSWORD, ...input }, { token });
const set = (token: string, id: number, type: number, state: 0 | 1): Promise<ApiResponse<AgentRow>> =>
  call<AgentRow>(server, 'POST', 'agent/state', { id, type, state }, { token });
const list = async (token: string, input: object = {}): Promise<AgentRow[]> =>
  (await call<Page<AgentRow>>(server, 'GET', 'agent/list', { size: 200, ...input }, { token })).data.list;
const row = async (account: string): Promise<AgentRow> => {
  const [found] = await list(admin, { account });
  if (!found) throw new Error(`no agent ${account}`);
  return found;
};
const accounts = (rows: readonly AgentRow[]): string[] => rows.map(({ account }) => account).toSorted();

test('agent/find names the agent of an account within the scope', async () => {
  const top = await makeOperator(server, admin);
  const other = await makeOperator(server, admin);
  const find = (account: string, token: string) =>
    call<{ id: number; account: string }>(server, 'GET', 'agent/find', { account }, { token });
  const found = { code: 200, data: { id: top.id, account: top.account } };
  expect(await find(top.account.toUpperCase(), admin)).toMatchObject(found);
  expect(await find(top.account, top.token)).toMatchObject(found);
  expect(await find(top.account, other.token)).toMatchObject({ code: 404 });
  expect(await find('admin', top.token)).toMatchObject({ code: 404 });
  expect((await find('admin', admin)).data.id).toBe(adminId);
});

describe('agent/add', () => {
  test('a new agent may log in and holds no other ability', async () => {
    const added = await add(admin, { remark: '华东' });
    expect(added).toMatchObject({
      code: 200,
      data: {
        parentAccount: 'admin',
        depth: 1,
        remark: '华东',
        abilities: [0],
        state: 1,
        userCount: 0,
        agentCount: 0,
        lastLoginAt: null,
      },
    });
    expect(added.data.root).toBe(added.data.account);
    const token = await login(server, added.data.account, PASSWORD);
    const refused = await call(server, 'POST', 'user/add', { account: unique('user'), password: PASSWORD }, { token });
    expect(refused).toMatchObject({ code: 403 });
  });

  test('adds the agent below the named parent, or below the operator', async () => {
    const top = await makeOperator(server, admin);
    const child = await add(top.token, {});
    expect(child).toMatchObject({ code: 200, data: { parent: top.id, parentAccount: top.account } });
    const grandchild = await add(top.token, { parentAccount: child.data.account.toUpperCase() });
    expect(grandchild.data).toMatchObject({ parent: child.data.id, parentAccount: child.data.account, depth: 3 });
    expect(await row(grandchild.data.account)).toMatchObject({ root: top.account, depth: 3 });
    expect(await row(top.account)).toMatchObject({ agentCount: 2 });
  });

  test('adds one agent when six calls race for an account', async () => {
    const account = unique('agent');
    const answers = await Promise.all(Array.from({ length: 6 }, () => add(admin, { account })));
    expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409, 409]);
  });

  test('keeps the closure correct when agents are added concurrently', async () => {
    const top = await makeOperator(server, admin);
    const middle = await makeOperator(server, admin, { parent: top.account });
    await Promise.all(
      Array.from({ length: 6 }, (_, n) => add(admin, { parentAccount: n % 2 ? top.account : middle.account })),
    );
    expect(accounts(await list(top.token))).toHaveLength(8);
    expect(await row(top.account)).toMatchObject({ agentCount: 7 });
    expect(await row(middle.account)).toMatchObject({ agentCount: 3 });
  });
});

describe('agent/state', () => {
  test('the admin grants and revokes each ability', async () => {
    const { data } = await add(admin, {});
    for (const type of ABILITIES.slice(1)) {
      expect((await set(admin, data.id, type, 1)).data.abilities).toContain(type);
      expect((await set(admin, data.id, type, 1)).data.abilities.filter((held) => held === type)).toHaveLength(1);
    }
    for (const type of ABILITIES) expect((await set(admin, data.id, type, 0)).data.abilities).not.toContain(type);
    expect(await row(data.account)).toMatchObject({ abilities: [], state: 0 });
  });

  const delegable = ABILITIES.filter((type) => type !== ABILITY.enabled && !ADMIN_GRANTED.includes(type));
  test.each(delegable)('only a holder of %i grants it', async (type) => {
    const holder = await makeOperator(server, admin, { abilities: [type] });
    const without = await makeOperator(server, admin, { parent: holder.account });
    const below = await add(admin, { parentAccount: without.account });
    expect(await set(without.token, below.data.id, type, 1)).toMatchObject({ code: 403 });
    expect((await row(below.data.account)).abilities).toEqual([0]);
    const answer = await set(holder.token, below.data.id, type, 1);
    expect(answer).toMatchObject({ code: 200, data: { abilities: [0, type] } });
    expect(await fetchAuditRows(server, answer)).toMatchObject([
      { action: 'agent.state', operator: holder.account, targetId: below.data.id },
    ]);
  });

  test.each(ADMIN_GRANTED)('only the admin grants and revokes %i', async (type) => {
    const holder = await makeOperator(server, admin, { abilities: [type] });
    const below = await add(admin, { parentAccount: holder.account });
    expect(await set(holder.token, below.data.id, type, 1)).toMatchObject({ code: 403 });
    expect(await set(admin, below.data.id, type, 1)).toMatchObject({ code: 200 });
    expect(await set(holder.token, below.data.id, type, 0)).toMatchObject({ code: 403 });
  });

  test('changes strict descendants only', async () => {
    const own = await makeOperator(server, admin, { abilities: [ABILITY.users] });
    const below = await makeOperator(server, admin, { parent: own.account, abilities: [ABILITY.users] });
    const other = await makeOperator(server, admin);
    for (const type of [ABILITY.enabled, ABILITY.users]) {
      expect(await set(below.token, own.id, type, 0)).toMatchObject({ code: 404 });
      expect(await set(own.token, own.id, type, 0)).toMatchObject({ code: 404 });
      expect(await set(own.token, other.id, type, 0)).toMatchObject({ code: 404 });
      expect(await set(own.token, adminId, type, 0)).toMatchObject({ code: 404 });
    }
    expect(await set(admin, adminId, ABILITY.enabled, 0)).toMatchObject({ code: 404 });
    expect(await row(own.account)).toMatchObject({ state: 1, abilities: [0, 1] });
  });

  test('the head office sees every agent but changes only those below itself', async () => {
    const abilities = [ABILITY.users, ABILITY.headquarters];
    const office = await makeOperator(server, admin, { abilities });
    const below = await makeOperator(server, admin, { parent: office.account });
    const other = await makeOperator(server, admin, { abilities: [ABILITY.users] });
    expect(accounts(await list(office.token, { account: other.account }))).toEqual([other.account]);
    for (const target of [other.id, adminId]) {
      expect(await set(office.token, target, ABILITY.enabled, 0)).toMatchObject({ code: 403 });
      expect(await set(office.token, target, ABILITY.users, 0)).toMatchObject({ code: 403 });
    }
    expect(await add(office.token, { parentAccount: other.account })).toMatchObject({ code: 403 });
    expect(await add(office.token, { parentAccount: 'admin' })).toMatchObject({ code: 403 });
    expect(await row(other.account)).toMatchObject({ state: 1, abilities: [0, 1], agentCount: 0 });
    expect(await set(office.token, below.id, ABILITY.users, 1)).toMatchObject({ code: 200 });
    expect(await add(office.token, { parentAccount: below.account })).toMatchObject({ code: 200 });
  });

  test('a revocation takes the ability from the whole subtree and from no other agent', async () => {
    const type = ABILITY.withdraw;
    const top = await makeOperator(server, admin, { abilities: [type, ABILITY.users] });
    const child = await makeOperator(server, admin, { parent: top.account, abilities: [type] });
    const grandchild = await makeOperator(server, admin, { parent: child.account, abilities: [type, ABILITY.users] });
    const other = await makeOperator(server, admin, { abilities: [type] });
    const answer = await set(admin, top.id, type, 0);
    const held = async (agent: TestOperator): Promise<number[]> => (await row(agent.account)).abilities;
    expect(await Promise.all([top, child, grandchild, other].map(held))).toEqual([[0, 1], [0], [0, 1], [0, type]]);
    const [audited] = await fetchAuditRows(server, answer);
    expect(audited?.after).toMatchObject({
      abilities: [0, 1],
      reached: expect.arrayContaining([top.id, child.id, grandchild.id]),
    });
  });
});

describe('agent/list', () => {
  test('finds any part of an account, the exact one first, and the children of all matching parents', async () => {
    const parent = await makeOperator(server, admin, { account: 'Part.one' });
    const child = await makeOperator(server, admin, { account: 'Part.one.2', parent: parent.account });
    const other = await makeOperator(server, admin, { account: 'Part.two', parent: child.account });
    const found = async (input: object) => (await list(admin, input)).map(({ account }) => account);
    expect(await found({ account: 'ART.ONE' })).toEqual([child.account, parent.account]);
    expect(await found({ account: 'part.one' })).toEqual([parent.account, child.account]);
    expect(await found({ account: '=part.one' })).toEqual([parent.account]);
    expect(await found({ account: 'part.two*' })).toEqual([other.account]);
    expect(await found({ parentAccount: 'art.one' })).toEqual([other.account, child.account]);
    expect(await found({ parentAccount: 'part.one' })).toEqual([child.account]);
  });

  test('shows the own tree and hides agents above it', async () => {
    const above = await makeOperator(server, admin);
    const own = await makeOperator(server, admin, { parent: above.account });
    const below = await makeOperator(server, admin, { parent: own.account });
    await makeUser(server, { agent: below.account });
    const rows = await list(own.token);
    expect(accounts(rows)).toEqual([own.account, below.account].toSorted());
    expect(rows.find(({ id }) => id === own.id)).toMatchObject({
      parent: null,
      parentAccount: null,
      userCount: 1,
      agentCount: 1,
    });
    expect(JSON.stringify(rows)).not.toContain(`"${above.account}"`);
    expect(await list(own.token, { parentAccount: above.account })).toEqual([]);
    expect(accounts(await list(own.token, { parentAccount: own.account }))).toEqual([below.account]);
  });

  test('orders by the users of the whole branch, counted before or after they are in the counters', async () => {
    const parent = await makeOperator(server, admin, { account: unique('count.') });
    const child = await makeOperator(server, admin, { account: unique('count.'), parent: parent.account });
    const empty = await makeOperator(server, admin, { account: unique('count.') });
    const order = async (sort: string) =>
      (await list(admin, { account: 'count.', sort })).map(({ id, userCount }) => [id, userCount]);
    for (const users of [1, 2]) {
      await makeUser(server, { agent: parent.account });
      await makeUser(server, { agent: child.account });
      const expected = [
        [parent.id, users * 2],
        [child.id, users],
        [empty.id, 0],
      ];
      expect(await order('-userCount')).toEqual(expected);
      await compactCounters(server.app);
      expect(await order('-userCount')).toEqual(expected);
      expect(await order('userCount')).toEqual(expected.toReversed());
    }
  });

  test('an agent that the platform registered has no login', async () => {
    const account = unique('agent');
    await apply(server, { type: 'agent.registered', data: { account } });
    expect(await row(account)).toMatchObject({ parentAccount: 'admin', state: 1 });
    expect(await call(server, 'POST', 'login', { account, password: PASSWORD })).toMatchObject({ code: 401 });
  });
});
