import { ABILITY } from '@hengtai/contract/ability';
import type { AgentDelPreview, AgentMovePreview, AgentRoot, AgentRow } from '@hengtai/contract/agent.schema';
import type { ApprovalRow } from '@hengtai/contract/approval.schema';
import type { Page } from '@hengtai/contract/list';
import type { UserRow } from '@hengtai/contract/user.schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestOperator, makeOperator, makeUser, makeWithdraw } from '../../test/factories.ts';
import { auditOf, setPolicy } from '../../test/look.ts';
import { type TestServer, apply, call, login, testServer, unique } from '../../test/server.ts';

let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
});
afterAll(async () => {
  expect(await brokenLines()).toEqual([]);
  await server.stop();
});

/** Lines of the closure that parents do not explain, and the other way round; depths that do not fit. */
const brokenLines = () =>
  server.query(sql`
    with recursive up as (
      select id as descendant, id as ancestor, parent_id from agent
      union all select up.descendant, a.id, a.parent_id from up join agent a on a.id = up.parent_id
    ),
    true_lines as (select ancestor, descendant from up)
    (select 'too much' as what, ancestor, descendant from closure except select 'too much', * from true_lines)
    union all (select 'missing', ancestor, descendant from true_lines except select 'missing', ancestor, descendant from closure)
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
const alive = async (operator: TestOperator): Promise<boolean> =>
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
  test('moves the subtree: the next request of every session sees the new scope, no row of a user is touched', async () => {
    const { one, two, child, grandchild, account, deeper } = await makeTree();
    const touched = () =>
      server.query(sql`select xmin::text, * from users where account in (${account}, ${deeper}) order by id`);
    const before = await touched();
    expect(accountsOf(await users(one.token))).toEqual([account, deeper].toSorted());
    expect(await users(two.token)).toEqual([]);
    const answer = await move(admin, child.id, two.account.toUpperCase());
    expect(answer).toMatchObject({ code: 200, data: { parentAccount: two.account, root: two.account, depth: 2 } });
    expect(await users(one.token)).toEqual([]);
    expect(accountsOf(await users(two.token))).toEqual([account, deeper].toSorted());
    expect(await touched()).toEqual(before);
    expect([await alive(child), await alive(grandchild)]).toEqual([false, true]);
    expect(await auditOf(server, answer)).toMatchObject([
      {
        action: 'agent.parentChange',
        before: { parent: one.account },
        after: { parent: two.account, agents: 2, users: 2 },
      },
    ]);
  });

  test('is previewed with what it then does', async () => {
    const { two, child } = await makeTree();
    const input = { id: child.id, parent: two.account };
    const { data } = await call<AgentMovePreview>(server, 'GET', 'agent/parent/preview', input, { token: admin });
    expect(data).toMatchObject({ agents: 2, users: 2, refusal: null, newPath: ['admin', two.account, child.account] });
    const moved = await move(admin, child.id, two.account);
    const [audited] = await auditOf(server, moved);
    expect(audited?.after).toMatchObject({ path: data.newPath, agents: data.agents, users: data.users });
  });

  test('in a circle, below itself, or where it is already: refused, and previewed as refused', async () => {
    const { one, child, grandchild } = await makeTree();
    for (const parent of [child.account, grandchild.account]) {
      expect(await move(admin, child.id, parent)).toMatchObject({ code: 422, data: [{ field: 'parent' }] });
    }
    expect(await move(admin, child.id, one.account)).toMatchObject({ code: 409 });
    const input = { id: child.id, parent: grandchild.account };
    const preview = await call<AgentMovePreview>(server, 'GET', 'agent/parent/preview', input, { token: admin });
    expect(preview.data.refusal).toContain('不能是代理自己或其下级');
  });

  test('inside the own tree only, and never oneself', async () => {
    const { one, two, child, grandchild } = await makeTree();
    expect(await move(one.token, child.id, two.account)).toMatchObject({ code: 404 });
    expect(await move(one.token, two.id, child.account)).toMatchObject({ code: 404 });
    expect(await move(one.token, one.id, child.account)).toMatchObject({ code: 404 });
    expect(await move(one.token, grandchild.id, 'admin')).toMatchObject({ code: 404 });
    expect(await move(one.token, grandchild.id, one.account)).toMatchObject({ code: 200, data: { parent: one.id } });
  });

  test('two that would close a circle, at once: one moves', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await makeOperator(server, admin), await makeOperator(server, admin)];
      const answers = await Promise.all([move(admin, a.id, b.account), move(admin, b.id, a.account)]);
      expect(answers.map(({ code }) => code).toSorted((x, y) => x - y)).toEqual([200, 422]);
    }
    expect(await brokenLines()).toEqual([]);
  });

  test('while agents are added below: none is left behind', async () => {
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
    expect(await brokenLines()).toEqual([]);
    expect(await agents(one.token)).toHaveLength(1);
    expect(await agents(two.token)).toHaveLength(11);
  });
});

describe('agent/del', () => {
  const off = async (work: () => Promise<void>): Promise<void> => {
    await setPolicy(server, 'agent.del', 0);
    try {
      await work();
    } finally {
      await setPolicy(server, 'agent.del', 1);
    }
  };

  test('waits for a second person, who need not stand above it', async () => {
    const { one, child } = await makeTree();
    const checker = await makeOperator(server, admin, { abilities: [ABILITY.approval, ABILITY.headquarters] });
    const asked = await del(admin, child.id, one.account);
    expect(asked).toMatchObject({ code: 202, data: { type: 'agent.del' } });
    expect(await agents(admin, { account: child.account })).toHaveLength(1);
    const passed = await call(server, 'POST', 'approval/pass', { id: asked.data.id }, { token: checker.token });
    expect(passed).toMatchObject({ code: 200, data: { state: 1 } });
    expect(await agents(admin, { account: child.account })).toEqual([]);
  });

  test('hands users, agents and what is under way to the replacement', () =>
    off(async () => {
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
      const shown = await users(two.token);
      expect(shown.find((user) => user.account === account)).toMatchObject({
        agent: two.account,
        agentRoot: two.account,
      });
      expect(accountsOf(shown)).toEqual([account, deeper].toSorted());
      expect(accountsOf(await users(admin, { agent: two.account }))).toEqual([account]);
      expect(await users(one.token)).toEqual([]);
      const pass = await call(server, 'POST', 'withdraw/pass', { id: withdraw.id }, { token: two.token });
      expect(pass).toMatchObject({ code: 200, data: { agent: two.account } });
      expect(await alive(child)).toBe(false);
      expect(
        await call(server, 'POST', 'login', { account: child.account, password: 'operator-password' }),
      ).toMatchObject({ code: 401 });
      expect(await auditOf(server, answer)).toMatchObject([
        { action: 'agent.del', before: { children: [grandchild.account] }, after: { replacement: two.account } },
      ]);
    }));

  test('of a replacement hands on what it had taken over', () =>
    off(async () => {
      const { one, two, child, account } = await makeTree();
      expect(await del(admin, child.id, one.account)).toMatchObject({ code: 200 });
      expect(await del(admin, one.id, two.account)).toMatchObject({ code: 200 });
      expect((await users(two.token)).find((user) => user.account === account)).toMatchObject({ agent: two.account });
      expect(await users(admin, { agent: one.account })).toEqual([]);
      expect(await brokenLines()).toEqual([]);
    }));

  test('for itself, a descendant or the admin as replacement: refused', async () => {
    const { child, grandchild } = await makeTree();
    for (const successor of [child.account, grandchild.account, 'admin']) {
      const answer = await del(admin, child.id, successor);
      expect(answer).toMatchObject({ code: 422, data: [{ field: 'replaceAccount' }] });
    }
    expect(await del(admin, child.id, 'nobody.at.all')).toMatchObject({ code: 404 });
  });

  test('a deleted one is nobody any more: not a parent, not an agent of new users, not to be deleted again', () =>
    off(async () => {
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

  test('many at once, of one chain: the tree stays a tree', () =>
    off(async () => {
      const { one, two, child, grandchild } = await makeTree();
      const actions = [
        del(admin, child.id, two.account),
        del(admin, grandchild.id, one.account),
        del(admin, one.id, two.account),
      ];
      for (const { code } of await Promise.all(actions)) expect([200, 404, 422]).toContain(code);
      expect(await brokenLines()).toEqual([]);
    }));
});

describe('agent/pwd_update, agent/remark, agent/ieo_review, agent/root', () => {
  const reset = (token: string, id: number) =>
    call(server, 'POST', 'agent/pwd_update', { id, password: 'another-password' }, { token });

  test('a reset ends the sessions; the new password is the only one', async () => {
    const { one, child } = await makeTree();
    expect(await reset(one.token, child.id)).toMatchObject({ code: 200 });
    expect(await alive(child)).toBe(false);
    expect(await login(server, child.account, 'another-password')).not.toBe('');
    expect(
      await call(server, 'POST', 'login', { account: child.account, password: 'operator-password' }),
    ).toMatchObject({ code: 401 });
    expect(JSON.stringify(await server.query(sql`select * from audit where action = 'agent.pwdUpdate'`))).not.toContain(
      'another-password',
    );
  });

  test.each([ABILITY.approval, ABILITY.headquarters])("of a holder of %i is the admin's", async (ability) => {
    const { one, child } = await makeTree();
    await call(server, 'POST', 'agent/state', { id: child.id, type: ability, state: 1 }, { token: admin });
    expect(await reset(one.token, child.id)).toMatchObject({ code: 403 });
    expect(await reset(admin, child.id)).toMatchObject({ code: 200 });
  });

  test('gives a login to one that the platform registered', async () => {
    const account = unique('agent');
    await apply(server, { type: 'agent.registered', data: { account } });
    const [row] = await agents(admin, { account });
    expect(await reset(admin, row?.id ?? 0)).toMatchObject({ code: 200 });
    expect(await login(server, account, 'another-password')).not.toBe('');
  });

  test('a remark is kept, of strict descendants only', async () => {
    const { one, two, child } = await makeTree();
    const set = (id: number) => call(server, 'POST', 'agent/remark', { id, remark: '=华南<b>' }, { token: one.token });
    expect(await set(child.id)).toMatchObject({ code: 200, data: { remark: '=华南<b>' } });
    for (const id of [one.id, two.id]) expect(await set(id)).toMatchObject({ code: 404 });
  });

  test('the right to decide subscriptions is opened and closed, by who has it', async () => {
    const { one, child } = await makeTree();
    const turn = (token: string, way: string) =>
      call<AgentRow>(server, 'POST', `agent/ieo_review/${way}`, { id: child.id }, { token });
    expect(await turn(one.token, 'open')).toMatchObject({ code: 403 });
    expect((await turn(admin, 'open')).data.abilities).toContain(ABILITY.subscription);
    expect((await turn(admin, 'close')).data.abilities).not.toContain(ABILITY.subscription);
  });

  test('the root of each agent in sight, in the order asked for', async () => {
    const { one, two, child, grandchild } = await makeTree();
    const ask = async (token: string, agentId: number[]) =>
      (await call<AgentRoot[]>(server, 'POST', 'agent/root', { agentId }, { token })).data;
    expect(await ask(admin, [grandchild.id, two.id])).toEqual([
      { agentId: grandchild.id, root: one.id, rootAccount: one.account },
      { agentId: two.id, root: two.id, rootAccount: two.account },
    ]);
    expect(await ask(child.token, [one.id, grandchild.id])).toEqual([
      { agentId: grandchild.id, root: null, rootAccount: null },
    ]);
  });
});
