import { ABILITY } from '@hengtai/contract/authority/ability';
import type { AgentDelPreview, AgentMovePreview, AgentRoot, AgentRow } from '@hengtai/contract/people/agent/schema';
import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import type { Page } from '@hengtai/contract/wire/list';
import type { UserRow } from '@hengtai/contract/people/user/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestOperator, makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { fetchAuditRows, setPolicy } from '../../../../test/inspect.ts';
import { type TestServer, apply, call, login, testServer, unique } from '../../../../test/server.ts';

let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
});
afterAll(async () => {
  expect(await findClosureErrors()).toEqual([]);
  await server.stop();
});

/** Closure rows that contradict `parent_id`, missing closure rows and wrong depths. */
const findClosureErrors = () =>
  server.query(sql`
    with recursive up as (
      select id as descendant, id as ancestor, parent_id from agent
      union all select up.descendant, a.id, a.parent_id from up join agent a on a.id = up.parent_id
    ),
    expected as (select ancestor, descendant from up)
    (select 'extra' as what, ancestor, descendant from closure except select 'extra', * from expected)
    union all (select 'missing', ancestor, descendant from expected except select 'missing', ancestor, descendant from closure)
    union all select 'depth', a.id, a.parent_id from agent a join agent p on p.id = a.parent_id where a.depth <> p.depth + 1`);

const move = (token: string, id: number, parent: string) =>
  call<AgentRow>(server, 'POST', 'agent/parent/change', { id, parent }, { token });
const del = (token: string, deleteId: number, replaceAccount: string) =>
  call<AgentRow & ApprovalRow>(server, 'POST', 'agent/del', { deleteId, replaceAccount, reason: '离职' }, { token });
const users = async (token: string, input: object = {}): Promise<UserRow[]> =>
  (await call<Page<UserRow>>(server, 'GET', 'user/list', { size: 200, ...input }, { token })).data.list;
const agents = async (token: string, input: object = {}): Promise<AgentRow[]> =>
  (await call<Page<AgentRow>>(server, 'GET', 'agent/list', { size: 200, ...input }, { token })).data.list;
const accountsOf = (rows: readonly { account: string }[]): string[] => rows.map(({ account }) => account).toSorted();
const hasSession = async (operator: TestOperator): Promise<boolean> =>
  (await call(server, 'GET', 'me', {}, { token: operator.token })).code === 200;

/** Two branches; the first has a child with a grandchild, each with a user. */
async function makeTree() {
  const abilities = [ABILITY.users, ABILITY.withdraw];
  const one = await makeOperator(server, admin, { abilities });
  const two = await makeOperator(server, admin, { abilities });
  const child = await makeOperator(server, admin, { parent: one.account, abilities });
  const grandchild = await makeOperator(server, admin, { parent: child.account, abilities });
  const account = await makeUser(server, { agent: child.account, amount: '100' });
  const deeper = await makeUser(server, { agent: grandchild.account, amount: '100' });
  return { one, two, child, grandchild, account, deeper };
}

describe('agent/parent/change', () => {
  test('moves the subtree from the next request of each session on and changes no row of a user', async () => {
    const { one, two, child, grandchild, account, deeper } = await makeTree();
    const userVersions = () =>
      server.query(sql`select xmin::text, * from users where account in (${account}, ${deeper}) order by id`);
    const before = await userVersions();
    expect(accountsOf(await users(one.token))).toEqual([account, deeper].toSorted());
    expect(await users(two.token)).toEqual([]);
    const answer = await move(admin, child.id, two.account.toUpperCase());
    expect(answer).toMatchObject({ code: 200, data: { parentAccount: two.account, root: two.account, depth: 2 } });
    expect(await users(one.token)).toEqual([]);
    expect(accountsOf(await users(two.token))).toEqual([account, deeper].toSorted());
    expect(await userVersions()).toEqual(before);
    expect([await hasSession(child), await hasSession(grandchild)]).toEqual([false, true]);
    expect(await fetchAuditRows(server, answer)).toMatchObject([
      {
        action: 'agent.parentChange',
        before: { parent: one.account },
        after: { parent: two.account, agents: 2, users: 2 },
      },
    ]);
  });

  test('previews what the move then does', async () => {
    const { two, child } = await makeTree();
    const input = { id: child.id, parent: two.account };
    const { data } = await call<AgentMovePreview>(server, 'GET', 'agent/parent/preview', input, { token: admin });
    expect(data).toMatchObject({ agents: 2, users: 2, refusal: null, newPath: ['admin', two.account, child.account] });
    const moved = await move(admin, child.id, two.account);
    const [audited] = await fetchAuditRows(server, moved);
    expect(audited?.after).toMatchObject({ path: data.newPath, agents: data.agents, users: data.users });
  });

  test('refuses a cycle and the agent itself, also in the preview; the current parent has no effect', async () => {
    const { one, child, grandchild } = await makeTree();
    for (const parent of [child.account, grandchild.account]) {
      expect(await move(admin, child.id, parent)).toMatchObject({ code: 422, data: [{ field: 'parent' }] });
    }
    expect(await move(admin, child.id, one.account)).toMatchObject({ code: 200 });
    const input = { id: child.id, parent: grandchild.account };
    const preview = await call<AgentMovePreview>(server, 'GET', 'agent/parent/preview', input, { token: admin });
    expect(preview.data.refusal).toContain('不能是代理自己或其下级');
  });

  test('moves only within the own tree and never the operator itself', async () => {
    const { one, two, child, grandchild } = await makeTree();
    expect(await move(one.token, child.id, two.account)).toMatchObject({ code: 404 });
    expect(await move(one.token, two.id, child.account)).toMatchObject({ code: 404 });
    expect(await move(one.token, one.id, child.account)).toMatchObject({ code: 404 });
    expect(await move(one.token, grandchild.id, 'admin')).toMatchObject({ code: 404 });
    expect(await move(one.token, grandchild.id, one.account)).toMatchObject({ code: 200, data: { parent: one.id } });
  });

  test('lets one of two racing moves succeed if both together would close a cycle', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await makeOperator(server, admin), await makeOperator(server, admin)];
      const answers = await Promise.all([move(admin, a.id, b.account), move(admin, b.id, a.account)]);
      expect(answers.map(({ code }) => code).toSorted((x, y) => x - y)).toEqual([200, 422]);
    }
    expect(await findClosureErrors()).toEqual([]);
  });

  test('moves agents that are added to the subtree at the same time', async () => {
    const { one, two, child } = await makeTree();
    const added = Array.from({ length: 8 }, () =>
      call(
        server,
        'POST',
        'agent/add',
        { account: unique('a'), password: 'a-password', parentAccount: child.account },
        { token: admin },
      ),
    );
    const moves = [move(admin, child.id, two.account), ...added];
    expect((await Promise.all(moves)).map(({ code }) => code)).toEqual(moves.map(() => 200));
    expect(await findClosureErrors()).toEqual([]);
    expect(await agents(one.token)).toHaveLength(1);
    expect(await agents(two.token)).toHaveLength(11);
  });
});

describe('agent/del', () => {
  const withoutPolicy = async (work: () => Promise<void>): Promise<void> => {
    await setPolicy(server, 'agent.del', 0);
    try {
      await work();
    } finally {
      await setPolicy(server, 'agent.del', 1);
    }
  };

  test('opens an approval; the checker need not be above the agent', async () => {
    const { one, child } = await makeTree();
    const checker = await makeOperator(server, admin, { abilities: [ABILITY.approval, ABILITY.headquarters] });
    const approval = await del(admin, child.id, one.account);
    expect(approval).toMatchObject({ code: 202, data: { type: 'agent.del' } });
    expect(await agents(admin, { account: child.account })).toHaveLength(1);
    const passed = await call(server, 'POST', 'approval/pass', { id: approval.data.id }, { token: checker.token });
    expect(passed).toMatchObject({ code: 200, data: { state: 1 } });
    expect(await agents(admin, { account: child.account })).toEqual([]);
  });

  test('hands users, agents and open requests to the replacement', () =>
    withoutPolicy(async () => {
      const { one, two, child, grandchild, account, deeper } = await makeTree();
      const withdraw = await makeWithdraw(server, admin, account, { amount: '10' });
      const input = { deleteId: child.id, replaceAccount: two.account };
      const { data: preview } = await call<AgentDelPreview>(server, 'GET', 'agent/del/preview', input, {
        token: admin,
      });
      expect(preview).toMatchObject({
        agents: 1,
        users: 2,
        ownUsers: 1,
        children: [grandchild.account],
        refusal: null,
        waiting: [{ count: 1 }, { count: 0 }, { count: 0 }],
      });
      const answer = await del(admin, child.id, two.account);
      expect(answer).toMatchObject({ code: 200 });
      expect(accountsOf(await agents(two.token))).toEqual([two.account, grandchild.account].toSorted());
      expect(await agents(admin, { parentAccount: two.account })).toMatchObject([{ account: grandchild.account }]);
      expect(await agents(admin, { account: two.account })).toMatchObject([{ agentCount: 1, userCount: 2 }]);
      const userRows = await users(two.token);
      expect(userRows.find((user) => user.account === account)).toMatchObject({
        agent: two.account,
        agentRoot: two.account,
      });
      expect(accountsOf(userRows)).toEqual([account, deeper].toSorted());
      expect(accountsOf(await users(admin, { agent: two.account }))).toEqual([account]);
      expect(await users(one.token)).toEqual([]);
      const pass = await call(server, 'POST', 'withdraw/pass', { id: withdraw.id }, { token: two.token });
      expect(pass).toMatchObject({ code: 200, data: { agent: two.account } });
      expect(await hasSession(child)).toBe(false);
      expect(
        await call(server, 'POST', 'login', { account: child.account, password: 'operator-password' }),
      ).toMatchObject({ code: 401 });
      expect(await fetchAuditRows(server, answer)).toMatchObject([
        { action: 'agent.del', before: { children: [grandchild.account] }, after: { replacement: two.account } },
      ]);
    }));

  test('of a replacement hands on what it inherited', () =>
    withoutPolicy(async () => {
      const { one, two, child, account } = await makeTree();
      expect(await del(admin, child.id, one.account)).toMatchObject({ code: 200 });
      expect(await del(admin, one.id, two.account)).toMatchObject({ code: 200 });
      expect((await users(two.token)).find((user) => user.account === account)).toMatchObject({ agent: two.account });
      expect(await users(admin, { agent: one.account })).toEqual([]);
      expect(await findClosureErrors()).toEqual([]);
    }));

  test('refuses the agent itself, a descendant and the admin as replacement', async () => {
    const { child, grandchild } = await makeTree();
    for (const successor of [child.account, grandchild.account, 'admin']) {
      const answer = await del(admin, child.id, successor);
      expect(answer).toMatchObject({ code: 422, data: [{ field: 'replaceAccount' }] });
    }
    expect(await del(admin, child.id, 'nobody.at.all')).toMatchObject({ code: 404 });
  });

  test('makes the agent unusable as a parent or owner of new users, and cannot be repeated', () =>
    withoutPolicy(async () => {
      const { one, two, child } = await makeTree();
      await del(admin, child.id, one.account);
      expect(await del(admin, child.id, two.account)).toMatchObject({ code: 404 });
      expect(await move(admin, two.id, child.account)).toMatchObject({ code: 404 });
      const user = { account: unique('user'), password: 'a-password', agent: child.account };
      expect(await call(server, 'POST', 'user/add', user, { token: admin })).toMatchObject({ code: 404 });
      const added = { account: child.account, password: 'a-password' };
      expect(await call(server, 'POST', 'agent/add', added, { token: admin })).toMatchObject({ code: 409 });
      await expect(
        apply(server, { type: 'user.registered', data: { account: unique('u'), agent: child.account } }),
      ).rejects.toThrow('unknown');
    }));

  test('keeps the closure correct when agents of one path are deleted concurrently', () =>
    withoutPolicy(async () => {
      const { one, two, child, grandchild } = await makeTree();
      const actions = [
        del(admin, child.id, two.account),
        del(admin, grandchild.id, one.account),
        del(admin, one.id, two.account),
      ];
      for (const { code } of await Promise.all(actions)) expect([200, 404, 422]).toContain(code);
      expect(await findClosureErrors()).toEqual([]);
    }));
});

describe('agent/pwd_update, agent/remark, agent/ieo_review, agent/root', () => {
  const reset = (token: string, id: number) =>
    call(server, 'POST', 'agent/pwd_update', { id, password: 'another-password' }, { token });

  test('a reset ends the sessions and replaces the password', async () => {
    const { one, child } = await makeTree();
    expect(await reset(one.token, child.id)).toMatchObject({ code: 200 });
    expect(await hasSession(child)).toBe(false);
    expect(await login(server, child.account, 'another-password')).not.toBe('');
    expect(
      await call(server, 'POST', 'login', { account: child.account, password: 'operator-password' }),
    ).toMatchObject({ code: 401 });
    expect(JSON.stringify(await server.query(sql`select * from audit where action = 'agent.pwdUpdate'`))).not.toContain(
      'another-password',
    );
  });

  test.each([ABILITY.approval, ABILITY.headquarters])(
    'only the admin resets the password of a holder of %i',
    async (ability) => {
      const { one, child } = await makeTree();
      await call(server, 'POST', 'agent/state', { id: child.id, type: ability, state: 1 }, { token: admin });
      expect(await reset(one.token, child.id)).toMatchObject({ code: 403 });
      expect(await reset(admin, child.id)).toMatchObject({ code: 200 });
    },
  );

  test('a reset gives a login to an agent that the platform registered', async () => {
    const account = unique('agent');
    await apply(server, { type: 'agent.registered', data: { account } });
    const [row] = await agents(admin, { account });
    expect(await reset(admin, row?.id ?? 0)).toMatchObject({ code: 200 });
    expect(await login(server, account, 'another-password')).not.toBe('');
  });

  test('sets a remark on strict descendants only', async () => {
    const { one, two, child } = await makeTree();
    const set = (id: number) => call(server, 'POST', 'agent/remark', { id, remark: '=华南<b>' }, { token: one.token });
    expect(await set(child.id)).toMatchObject({ code: 200, data: { remark: '=华南<b>' } });
    for (const id of [one.id, two.id]) expect(await set(id)).toMatchObject({ code: 404 });
  });

  test('only a holder of the subscription ability grants and revokes it', async () => {
    const { one, child } = await makeTree();
    const setIeoReview = (token: string, way: string) =>
      call<AgentRow>(server, 'POST', `agent/ieo_review/${way}`, { id: child.id }, { token });
    expect(await setIeoReview(one.token, 'open')).toMatchObject({ code: 403 });
    expect((await setIeoReview(admin, 'open')).data.abilities).toContain(ABILITY.subscription);
    expect((await setIeoReview(admin, 'close')).data.abilities).not.toContain(ABILITY.subscription);
  });

  test('returns the root of each agent of the scope in the requested order', async () => {
    const { one, two, child, grandchild } = await makeTree();
    const fetchRoots = async (token: string, agentId: number[]) =>
      (await call<AgentRoot[]>(server, 'POST', 'agent/root', { agentId }, { token })).data;
    expect(await fetchRoots(admin, [grandchild.id, two.id])).toEqual([
      { agentId: grandchild.id, root: one.id, rootAccount: one.account },
      { agentId: two.id, root: two.id, rootAccount: two.account },
    ]);
    expect(await fetchRoots(child.token, [one.id, grandchild.id])).toEqual([
      { agentId: grandchild.id, root: null, rootAccount: null },
    ]);
  });
});
