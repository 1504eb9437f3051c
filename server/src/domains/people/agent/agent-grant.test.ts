import { ABILITY } from '@hengtai/contract/authority/ability';
import type { AgentDelPreview, AgentDetail, AgentMovePreview, AgentRow } from '@hengtai/contract/people/agent/schema';
import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import type { Page } from '@hengtai/contract/wire/list';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD, type TestOperator, makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { fetchAuditRows, setPolicy, waitUntilBlocked } from '../../../../test/inspect.ts';
import { type TestServer, call, login, testServer, unique } from '../../../../test/server.ts';
import { treeLock } from '../../../database/connect.ts';

let server: TestServer;
let admin: string;
let adminId: number;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  adminId = (await call<{ id: number }>(server, 'GET', 'me', {}, { token: admin })).data.id;
  await setPolicy(server, 'agent.del', 0);
});
afterAll(async () => {
  expect(await findMismatches()).toEqual([]);
  await server.stop();
});

/** Abilities without a grant row, and grant rows without the ability. */
const findMismatches = () =>
  server.query(sql`
    with held as (select id, unnest(abilities) as ability from agent), granted as (select operator_id, ability from agent_grant)
    (select 'no grant' as what, * from (table held except table granted) a)
    union all (select 'not held', * from (table granted except table held) b)`);

const set = (token: string, id: number, type: number, state: 0 | 1) =>
  call<AgentRow>(server, 'POST', 'agent/state', { id, type, state }, { token });
const move = (id: number, parent: string, token = admin) =>
  call<AgentRow>(server, 'POST', 'agent/parent/change', { id, parent }, { token });
const del = (deleteId: number, replaceAccount: string, token = admin) =>
  call<AgentRow>(server, 'POST', 'agent/del', { deleteId, replaceAccount }, { token });
const detail = (id: number, token = admin) => call<AgentDetail>(server, 'GET', 'agent/detail', { id }, { token });
const abilitiesOf = async ({ id }: { id: number }): Promise<number[]> => (await detail(id)).data.row.abilities;
const hasSession = async ({ token }: TestOperator): Promise<boolean> =>
  (await call(server, 'GET', 'me', {}, { token })).code === 200;
const { users, withdraw, assets, approval, headquarters } = ABILITY;

describe('grants', () => {
  test('store grantor and time; granting again changes nothing and ends no session', async () => {
    const holder = await makeOperator(server, admin, { abilities: [users] });
    const below = await makeOperator(server, admin, { parent: holder.account });
    const at = server.clock.now();
    expect(await set(holder.token, below.id, users, 1)).toMatchObject({ code: 200 });
    expect(await hasSession(below)).toBe(false);
    const token = await login(server, below.account, PASSWORD);
    expect(await set(admin, below.id, users, 1)).toMatchObject({ code: 200 });
    expect((await call(server, 'GET', 'me', {}, { token })).code).toBe(200);
    expect((await detail(below.id)).data.grants).toEqual([
      { ability: users, by: holder.account, at: expect.any(Number) },
    ]);
    expect((await detail(below.id)).data.grants[0]?.at).toBeGreaterThanOrEqual(at);
    // The agent may see the account of its grantor above it.
    expect((await detail(below.id, token)).data.grants).toMatchObject([{ by: holder.account }]);
  });

  test('without a recorded grantor show none', async () => {
    const { id } = await makeOperator(server, admin);
    await server.query(sql`update agent set abilities = '{1}' where id = ${id}`);
    await server.query(sql`insert into agent_grant (operator_id, ability) values (${id}, 1)`);
    expect((await detail(id)).data.grants).toEqual([{ ability: 1, by: null, at: null }]);
  });

  test('are deleted in the whole subtree by a revocation', async () => {
    const top = await makeOperator(server, admin, { abilities: [users, withdraw] });
    const child = await makeOperator(server, admin, { parent: top.account, abilities: [withdraw] });
    const deep = await makeOperator(server, admin, { parent: child.account, abilities: [users, withdraw] });
    expect((await detail(top.id)).data.below).toEqual([
      { ability: users, agents: 1 },
      { ability: withdraw, agents: 2 },
    ]);
    expect(await set(admin, top.id, withdraw, 0)).toMatchObject({ code: 200 });
    expect(await findMismatches()).toEqual([]);
    expect((await detail(top.id)).data.below).toEqual([{ ability: users, agents: 1 }]);
    expect(await Promise.all([top, child, deep].map(hasSession))).toEqual([false, false, false]);
  });

  test('are refused if the grantor loses the ability while the call waits', async () => {
    const holder = await makeOperator(server, admin, { abilities: [withdraw] });
    const below = await makeOperator(server, admin, { parent: holder.account });
    let granting: Promise<{ code: number }> | undefined;
    await server.owner.transaction().execute(async (trx) => {
      await sql.raw(treeLock.exclusive).execute(trx);
      granting = set(holder.token, below.id, withdraw, 1);
      // The call passed authentication and now waits for the tree lock.
      await waitUntilBlocked(server);
      await sql`update agent set abilities = '{}' where id = ${holder.id}`.execute(trx);
      await sql`delete from agent_grant where operator_id = ${holder.id}`.execute(trx);
    });
    expect(await granting).toMatchObject({ code: 403 });
    expect(await abilitiesOf(below)).toEqual([0]);
  });

  test('do not survive a concurrent revocation', async () => {
    for (let round = 0; round < 5; round += 1) {
      const holder = await makeOperator(server, admin, { abilities: [users] });
      const below = await makeOperator(server, admin, { parent: holder.account });
      await Promise.all([set(holder.token, below.id, users, 1), set(admin, holder.id, users, 0)]);
      expect([await abilitiesOf(holder), await abilitiesOf(below)]).toEqual([[0], [0]]);
    }
  });

  test('disabling an agent ends its sessions but not those of agents below', async () => {
    const top = await makeOperator(server, admin);
    const child = await makeOperator(server, admin, { parent: top.account });
    expect((await detail(top.id)).data).toMatchObject({ workingBelow: 1, sessions: 1 });
    expect(await set(admin, top.id, ABILITY.enabled, 0)).toMatchObject({ code: 200, data: { state: 0 } });
    expect([await hasSession(top), await hasSession(child)]).toEqual([false, true]);
    expect((await detail(top.id)).data).toMatchObject({ workingBelow: 1, sessions: 0 });
    const login401 = await call(server, 'POST', 'login', { account: top.account, password: PASSWORD });
    expect(login401).toMatchObject({ code: 401 });
  });
});

describe('an agent that gets another parent', () => {
  /** Two branches; the second holds fewer abilities. */
  async function makeBranches() {
    const rich = await makeOperator(server, admin, { abilities: [users, assets, withdraw] });
    const poor = await makeOperator(server, admin, { abilities: [users] });
    const child = await makeOperator(server, admin, { parent: rich.account, abilities: [users, withdraw] });
    const deep = await makeOperator(server, admin, { parent: child.account, abilities: [assets, users, withdraw] });
    const idle = await makeOperator(server, admin, { parent: child.account, abilities: [users] });
    return { rich, poor, child, deep, idle };
  }

  test('loses what the new parent does not hold, in the whole subtree, as previewed', async () => {
    const { poor, child, deep, idle } = await makeBranches();
    const input = { id: child.id, parent: poor.account };
    const lost = [
      { ability: assets, agents: 1 },
      { ability: withdraw, agents: 2 },
    ];
    const preview = await call<AgentMovePreview>(server, 'GET', 'agent/parent/preview', input, { token: admin });
    expect(preview.data.lost).toEqual(lost);
    const answer = await move(child.id, poor.account);
    expect(answer).toMatchObject({ code: 200, data: { abilities: [0, users] } });
    expect([await abilitiesOf(child), await abilitiesOf(deep), await abilitiesOf(idle)]).toEqual([
      [0, users],
      [0, users],
      [0, users],
    ]);
    // Only agents that lost an ability are logged out.
    expect([await hasSession(child), await hasSession(deep), await hasSession(idle)]).toEqual([false, false, true]);
    expect(await findMismatches()).toEqual([]);
    expect((await fetchAuditRows(server, answer))[0]?.after).toMatchObject({ lost });
  });

  test('keeps its abilities below the admin', async () => {
    const { child, deep } = await makeBranches();
    const input = { id: child.id, parent: 'admin' };
    const preview = await call<AgentMovePreview>(server, 'GET', 'agent/parent/preview', input, { token: admin });
    expect(preview.data.lost).toEqual([]);
    expect(await move(child.id, 'admin')).toMatchObject({ code: 200 });
    expect(await abilitiesOf(deep)).toEqual([0, assets, users, withdraw]);
    expect(await hasSession(deep)).toBe(true);
  });

  test('loses abilities also by the deletion of its parent', async () => {
    const { poor, child, deep, idle } = await makeBranches();
    const input = { deleteId: child.id, replaceAccount: poor.account };
    const preview = await call<AgentDelPreview>(server, 'GET', 'agent/del/preview', input, { token: admin });
    expect(preview.data.lost).toEqual([
      { ability: assets, agents: 1 },
      { ability: withdraw, agents: 1 },
    ]);
    expect(await del(child.id, poor.account)).toMatchObject({ code: 200 });
    expect([await abilitiesOf(deep), await abilitiesOf(idle)]).toEqual([
      [0, users],
      [0, users],
    ]);
    expect([await hasSession(deep), await hasSession(idle)]).toEqual([false, true]);
    expect(await server.query(sql`select 1 from agent_grant where operator_id = ${child.id}`)).toEqual([]);
  });

  test('does not keep an ability that was granted during the move', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { poor, child } = await makeBranches();
      await Promise.all([move(child.id, poor.account), set(admin, child.id, assets, 1)]);
      // A grant before the move is revoked by it; a grant after the move stays.
      const abilities = await abilitiesOf(child);
      expect(abilities.slice(0, 2)).toEqual([0, users]);
      expect(abilities).not.toContain(withdraw);
    }
    expect(await findMismatches()).toEqual([]);
  });
});

describe('an open approval', () => {
  const makeChecker = () => makeOperator(server, admin, { abilities: [approval, headquarters] });
  async function openApproval() {
    const rich = await makeOperator(server, admin, { abilities: [withdraw] });
    const poor = await makeOperator(server, admin, { abilities: [] });
    const by = await makeOperator(server, admin, { parent: rich.account, abilities: [withdraw] });
    const account = await makeUser(server, { agent: by.account, amount: '20000' });
    const row = await makeWithdraw(server, admin, account, { amount: '15000' });
    const { code, data } = await call<ApprovalRow>(
      server,
      'POST',
      'withdraw/pass',
      { id: row.id },
      { token: by.token },
    );
    expect(code).toBe(202);
    return { rich, poor, by, row, id: data.id };
  }
  type OpenApproval = Awaited<ReturnType<typeof openApproval>>;

  test.each<[string, (open: OpenApproval) => Promise<unknown>]>([
    ['moved below a parent without the ability', ({ by, poor }) => move(by.id, poor.account)],
    ['lost the ability with its parent', ({ rich }) => set(admin, rich.id, withdraw, 0)],
    ['was deleted', ({ by, poor }) => del(by.id, poor.account)],
    ['was disabled', ({ by }) => set(admin, by.id, ABILITY.enabled, 0)],
  ])('fails if the maker %s', async (_title, change) => {
    const open = await openApproval();
    expect(await change(open)).toMatchObject({ code: 200 });
    const { token } = await makeChecker();
    const passed = await call(server, 'POST', 'approval/pass', { id: open.id }, { token });
    expect(passed).toMatchObject({ code: 409, msg: '复核未能执行：提交人已没有此权限', data: { state: 4 } });
    const { data } = await call<Page<{ state: number }>>(
      server,
      'GET',
      'withdraw/list',
      { id: open.row.id },
      { token },
    );
    expect(data.list).toMatchObject([{ state: 0 }]);
  });

  test('is counted in the detail of its maker and of its target', async () => {
    const { by, rich } = await openApproval();
    expect((await detail(by.id)).data.approvals).toEqual({ made: 1, about: 0 });
    await setPolicy(server, 'agent.del', 1);
    expect(await del(by.id, rich.account)).toMatchObject({ code: 202 });
    await setPolicy(server, 'agent.del', 0);
    expect((await detail(by.id)).data.approvals).toEqual({ made: 1, about: 1 });
  });
});

describe('agent/detail', () => {
  test('shows the path within the scope of the operator and whether the operator may change the agent', async () => {
    const above = await makeOperator(server, admin);
    const own = await makeOperator(server, admin, { parent: above.account, abilities: [headquarters] });
    const plain = await makeOperator(server, admin, { parent: above.account });
    const below = await makeOperator(server, admin, { parent: plain.account });
    await makeUser(server, { agent: plain.account });
    await makeUser(server, { agent: below.account });
    const steps = async (id: number, token: string) =>
      (await detail(id, token)).data.path.map(({ account }) => account);
    expect(await steps(below.id, plain.token)).toEqual([plain.account, below.account]);
    expect(await steps(below.id, admin)).toEqual(['admin', above.account, plain.account, below.account]);
    const changeable = async (id: number, token: string) => (await detail(id, token)).data.changeable;
    expect(await changeable(below.id, plain.token)).toBe(true);
    expect(await changeable(plain.id, plain.token)).toBe(false);
    expect(await changeable(below.id, own.token)).toBe(false);
    expect(await changeable(adminId, admin)).toBe(false);
    expect((await detail(plain.id, plain.token)).data).toMatchObject({
      children: 1,
      ownUsers: 1,
      row: { userCount: 2 },
    });
  });

  test('shows its audit rows to operators who may read the audit log', async () => {
    const { id } = await makeOperator(server, admin);
    const reader = await makeOperator(server, admin, { abilities: [ABILITY.audit, headquarters] });
    const other = await makeOperator(server, admin, { abilities: [headquarters] });
    expect((await detail(id, reader.token)).data).toMatchObject({
      auditsShown: true,
      audits: [{ action: 'session.login' }, { action: 'agent.add' }],
    });
    expect((await detail(id, other.token)).data).toMatchObject({ auditsShown: false, audits: [] });
  });
});

describe('agent/list as a tree', () => {
  test('lists the children of a parent in the requested order and nothing above the operator', async () => {
    const above = await makeOperator(server, admin);
    const own = await makeOperator(server, admin, { parent: above.account });
    const names = [unique('zz'), unique('aa'), unique('mm')];
    for (const account of names) await makeOperator(server, admin, { parent: own.account, account });
    const list = async (input: object, token: string) =>
      (await call<Page<AgentRow>>(server, 'GET', 'agent/list', { size: 200, ...input }, { token })).data.list.map(
        ({ account }) => account,
      );
    expect(await list({ parent: own.id, sort: 'account' }, own.token)).toEqual(names.toSorted());
    expect(await list({ parent: own.id, sort: '-account' }, admin)).toEqual(names.toSorted().toReversed());
    expect(await list({ parent: above.id }, admin)).toEqual([own.account]);
    expect(await list({ parent: above.id }, own.token)).toEqual([]);
    expect(await list({ depth: 1 }, admin)).toContain(above.account);
    expect(await list({ depth: 1 }, own.token)).toEqual([]);
  });
});
