import { LEVELS, inheritedTerms, isOfTier, termNames } from '@hengtai/contract/risk/withdraw-limit/calls';
import { ABILITY } from '@hengtai/contract/authority/ability';
import type { UserRow } from '@hengtai/contract/people/user/schema';
import type { LimitList, LimitTerms, UserGroup } from '@hengtai/contract/risk/withdraw-limit/schema';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeMarket } from '../../../../test/book.ts';
import { type TestOperator, makeOperator, makeUser } from '../../../../test/factories.ts';
import { type Approvers, callAs, lockFourEyes, makeApprovers, refreshAllOtp } from '../../../../test/four-eyes.ts';
import { compareReach, reachOf } from '../../../../test/limit-reach.ts';
import { fieldChange } from '../../../../test/one-person.ts';
import { type TestServer, call, fetchData, testServer, unique } from '../../../../test/server.ts';
import { type Tier, assign, limitInput, makeGroup, saveLimit } from '../../../../test/withdraw-limits.ts';

let server: TestServer;
let admin: string;
let approvers: Approvers;
let agent: TestOperator;
let stranger: TestOperator;
let market: string;

async function start(): Promise<void> {
  server = await testServer({ jobs: false });
  approvers = await makeApprovers(server);
  admin = approvers.admin.token;
  agent = await makeOperator(server, admin, { abilities: [ABILITY.users, ABILITY.platform] });
  stranger = await makeOperator(server, admin, { abilities: [ABILITY.users] });
  market = await makeMarket(server, { withdrawMax: '1000' });
}
beforeAll(start);
afterAll(() => server.stop());

async function makeUserOf(owner: string): Promise<number> {
  const account = await makeUser(server, { agent: owner });
  const [user] = await server.query(sql<{ id: number }>`select id from users where account = ${account}`);
  return user?.id ?? 0;
}
const groups = async (token: string): Promise<UserGroup[]> =>
  (await call<UserGroup[]>(server, 'GET', 'user/group/list', {}, { token })).data;
const post = <T>(path: string, input: object, token = admin) => call<T>(server, 'POST', path, input, { token });

describe('groups', () => {
  test('have one name each, and are deleted when nobody is in them', async () => {
    await refreshAllOtp(server);
    const group = await makeGroup(server, admin);
    const sameName = { name: group.name.toUpperCase(), forAgents: false };
    expect(await post('user/group/save', sameName)).toMatchObject({ code: 409 });
    const user = await makeUserOf(agent.account);
    expect(await assign(server, admin, user, group.id)).toMatchObject({ data: { userGroup: group.name } });
    expect(await assign(server, admin, user, group.id)).toMatchObject({ code: 200, data: { userGroup: group.name } });
    expect(await post('user/group/delete', { id: group.id })).toMatchObject({ code: 409 });
    const renamed = { id: group.id, name: unique('renamed'), forAgents: true };
    expect(await post('user/group/save', renamed)).toMatchObject({ code: 200, data: { members: 1 } });
    const data = await fetchData<{ list: UserRow[] }>(server, admin, 'user/list', { groupId: group.id });
    expect(data.list).toMatchObject([{ id: user, userGroup: renamed.name }]);
    expect(await assign(server, admin, user, null)).toMatchObject({ code: 200, data: { userGroup: null } });
    expect(await post('user/group/delete', { id: group.id })).toMatchObject({ code: 200 });
    expect(await assign(server, admin, user, group.id)).toMatchObject({ code: 404 });
    expect(await post('user/group/save', sameName)).toMatchObject({ code: 200 });
  });
});

describe('an operator of an agent', () => {
  test('puts only users of its tree into groups that are open to agents, and counts only them', async () => {
    await refreshAllOtp(server);
    const [open, closed] = [await makeGroup(server, admin), await makeGroup(server, admin, false)];
    const [own, foreign] = [await makeUserOf(agent.account), await makeUserOf(stranger.account)];
    expect(await assign(server, agent.token, foreign, open.id)).toMatchObject({ code: 404 });
    expect(await assign(server, stranger.token, foreign, open.id)).toMatchObject({ code: 200 });
    expect(await assign(server, agent.token, own, closed.id)).toMatchObject({ code: 403 });
    expect(await assign(server, agent.token, own, open.id)).toMatchObject({ code: 200 });
    expect((await groups(agent.token)).find(({ id }) => id === open.id)).toMatchObject({ members: 1 });
    expect((await groups(admin)).find(({ id }) => id === open.id)).toMatchObject({ members: 2 });
    const filter = { groupId: open.id };
    const { data } = await call<{ list: UserRow[] }>(server, 'GET', 'user/list', filter, { token: agent.token });
    expect(data.list.map(({ id }) => id)).toEqual([own]);
    // Headquarters put it where the agent cannot take it out again.
    expect(await assign(server, admin, own, closed.id)).toMatchObject({ code: 200 });
    for (const groupId of [open.id, null])
      expect(await assign(server, agent.token, own, groupId)).toMatchObject({ code: 403 });
    const many = { ids: [own, foreign], groupId: open.id };
    const bulk = await post<{ results: { code: number }[] }>('user/group/assign/many', many, agent.token);
    expect(bulk.data.results.map(({ code }) => code)).toEqual([403, 404]);
  });
});

describe('saving', () => {
  test('keeps versions; the second of two saves of one version is refused', async () => {
    await refreshAllOtp(server);
    const coin = await makeMarket(server);
    const input = await limitInput(server, coin, { level: 1 }, { singleMax: '10' });
    const answers = await Promise.all(
      ['10', '11'].map((singleMax) => post('withdraw/limit/save', { ...input, singleMax })),
    );
    expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 409]);
    await saveLimit(server, admin, coin, { level: 1 }, { singleMax: '20' });
    const { marketId } = input;
    const versions = await call(server, 'GET', 'withdraw/limit/versions', { marketId, level: 1 }, { token: admin });
    expect(versions.data).toMatchObject([
      { version: 2, singleMax: '20', by: 'admin' },
      { version: 1, singleMax: '10' },
    ]);
    const list = await fetchData<{ limits: { marketId: number }[] }>(server, admin, 'withdraw/limit/list', {});
    expect(list.limits.filter((limit) => limit.marketId === marketId)).toMatchObject([{ version: 2 }]);
  });

  test.each([
    ['a maximum below the minimum', { singleMin: '2', singleMax: '1' }],
    ['a fee above a tenth', { feeRate: '0.100000000000000001' }],
    ['more decimals than the coin has', { dayAmount: '1.000000001' }],
  ])('refuses %s', async (_what, terms) => {
    await refreshAllOtp(server);
    const input = await limitInput(server, market, { level: 0 }, terms);
    expect(await post('withdraw/limit/save', input)).toMatchObject({ code: 422 });
  });

  test('refuses neither and both of level and group', async () => {
    const { marketId } = await limitInput(server, market, { level: 0 });
    for (const tier of [{}, { level: 0, groupId: 1 }])
      expect(await post('withdraw/limit/save', { ...inheritedTerms, ...tier, marketId, seen: 0 })).toMatchObject({
        code: 422,
      });
  });
});

describe('while four-eyes are locked', () => {
  let group: UserGroup;
  let tight: UserGroup;
  let empty: UserGroup;

  // The lock would change the answers to the other tests.
  beforeAll(async () => {
    const open = { server, approvers, admin, agent, stranger, market };
    await start();
    await lockFourEyes(server, approvers);
    return async () => {
      await server.stop();
      ({ server, approvers, admin, agent, stranger, market } = open);
    };
  });
  // The limits of a coin and of groups of its own: those of one test count for what the next may change alone.
  beforeEach(async () => {
    await refreshAllOtp(server);
    market = await makeMarket(server, { withdrawMax: '1000' });
    const makeOwn = () => makeGroup(server, admin, false);
    [group, tight, empty] = [await makeOwn(), await makeOwn(), await makeOwn()];
    await saveLimit(server, admin, market, { groupId: group.id }, { singleMax: '500' });
    await saveLimit(server, admin, market, { groupId: tight.id }, { singleMax: '50' });
  });
  const save = async (tier: Tier, terms: Parameters<typeof saveLimit>[4]) =>
    callAs(server, approvers.admin, 'withdraw/limit/save', await limitInput(server, market, tier, terms));
  const inForce = async () =>
    server.query(sql`select l.level, l.max_amount as max from withdraw_limit l join market m on m.id = l.market_id
      where m.market_name = ${market} and l.level = 0 order by l.version`);

  test('loosening needs a second person, tightening does not', async () => {
    expect(await save({ level: 0 }, { singleMax: '100' })).toMatchObject({ code: 200 });
    const asked = await save({ level: 0 }, { singleMax: '101' });
    expect(asked).toMatchObject({ code: 202 });
    expect(await inForce()).toEqual([{ level: 0, max: '100' }]);
    expect(await callAs(server, approvers.second, 'approval/pass', { id: asked.data.id })).toMatchObject({ code: 200 });
    expect(await inForce()).toEqual([
      { level: 0, max: '100' },
      { level: 0, max: '101' },
    ]);
    // A group inherits from every level: 500 is above the 101 of unverified users.
    const ofGroup = await save({ groupId: empty.id }, { singleMax: '500' });
    expect(ofGroup).toMatchObject({ code: 202 });
    expect(await callAs(server, approvers.second, 'approval/pass', { id: ofGroup.data.id })).toMatchObject({
      code: 200,
    });
    const fee = await save({ level: 0 }, { singleMax: '101', feeFixed: '1' });
    expect(fee).toMatchObject({ code: 202 });
    await callAs(server, approvers.second, 'approval/reject', { id: fee.data.id, reason: 'no' });
  });

  const assignAs = (id: number, groupId: number | null) =>
    callAs(server, approvers.admin, 'user/group/assign', { id, groupId });
  const saveGroup = (input: object) => callAs(server, approvers.admin, 'user/group/save', input);
  const deleteGroup = (id: number) => callAs(server, approvers.admin, 'user/group/delete', { id });
  const reject = (id: number) => callAs(server, approvers.second, 'approval/reject', { id, reason: 'no' });
  const pass = (id: number) => callAs(server, approvers.second, 'approval/pass', { id });

  test('a user gets looser limits only with a second person, tighter ones without', async () => {
    const user = await makeUserOf('admin');
    expect(await assignAs(user, tight.id)).toMatchObject({ code: 200 });
    const asked = await assignAs(user, null);
    expect(asked).toMatchObject({ code: 202 });
    expect(await server.query(sql`select group_id::int as id from user_group_member where user_id = ${user}`)).toEqual([
      { id: tight.id },
    ]);
    expect(await pass(asked.data.id)).toMatchObject({ code: 200 });
    expect(await server.query(sql`select 1 from user_group_member where user_id = ${user}`)).toEqual([]);
  });

  test('a group counts for every level that its user can have', async () => {
    // Unverified users gain nothing by leaving a group that allows 500; once they are verified they would.
    const user = await makeUserOf('admin');
    expect(await save({ level: 0 }, { singleMax: '90' })).toMatchObject({ code: 200 });
    const entered = await assignAs(user, group.id);
    expect(await pass(entered.data.id)).toMatchObject({ code: 200 });
    const left = await assignAs(user, null);
    expect(left).toMatchObject({ code: 202 });
    await reject(left.data.id);
  });

  test('a closed level is not raised for the groups that open it, nor for the time when it opens', async () => {
    expect(await save({ level: 1 }, { withdrawState: 0 })).toMatchObject({ code: 200 });
    for (const singleMax of ['50000', '0']) {
      const raised = await save({ level: 1 }, { withdrawState: 0, singleMax });
      expect(raised).toMatchObject({ code: 202 });
      await reject(raised.data.id);
    }
    expect(await save({ level: 1 }, { withdrawState: 0, singleMax: '900' })).toMatchObject({ code: 200 });
  });

  test('a name keeps its terms, its users and who may enter', async () => {
    const agents = await makeUserOf('admin');
    expect(await assignAs(agents, empty.id)).toMatchObject({ code: 200 });
    const open = { id: group.id, name: group.name, forAgents: true };
    const changes = [
      open,
      { ...open, name: unique('g'), forAgents: false },
      { id: tight.id, name: group.name.toUpperCase() + unique(''), forAgents: false },
      { id: empty.id, name: unique('g'), forAgents: false },
      { name: unique('g'), forAgents: true },
    ];
    for (const input of changes) {
      const asked = await saveGroup(input);
      expect(asked).toMatchObject({ code: 202 });
      await reject(asked.data.id);
    }
    expect(await assignAs(agents, null)).toMatchObject({ code: 200 });
    expect(await saveGroup({ id: empty.id, name: unique('g'), forAgents: false })).toMatchObject({ code: 200 });
  });

  test('a group that restrains is not deleted alone, another one is', async () => {
    const asked = await deleteGroup(tight.id);
    expect(asked).toMatchObject({ code: 202 });
    expect(await groups(admin)).toContainEqual(expect.objectContaining({ id: tight.id }));
    expect(await pass(asked.data.id)).toMatchObject({ code: 200 });
    expect(await groups(admin)).not.toContainEqual(expect.objectContaining({ id: tight.id }));
    // Its terms are in force no more, so no later save names them.
    const { limits } = await fetchData<LimitList>(server, admin, 'withdraw/limit/list', {});
    expect(limits.filter(({ groupId }) => groupId === tight.id)).toEqual([]);
    expect(await deleteGroup(empty.id)).toMatchObject({ code: 200 });
  });

  test('random saves by one person loosen no level and no group', async () => {
    const read = async () => {
      const { coins, limits } = (await call<LimitList>(server, 'GET', 'withdraw/limit/list', {}, { token: admin }))
        .data;
      const coin = coins.find(({ marketName }) => marketName === market);
      if (!coin) throw new Error(`no coin ${market}`);
      return { coin, limits: limits.filter(({ marketId }) => marketId === coin.marketId) };
    };
    const change = fc.record({
      tier: fc.constantFrom<Tier>({ level: 0 }, { level: 1 }, { level: 2 }, { groupId: group.id }),
      terms: fieldChange<LimitTerms>({
        withdrawState: [null, 0, 1],
        singleMin: [null, '0', '2'],
        singleMax: [null, '0', '40', '800'],
        dayAmount: [null, '0', '100', '2000'],
        dayCount: [null, 0, 3],
        feeFixed: [null, '1'],
        feeRate: [null, '0.01'],
      }),
    });
    const before = await read();
    const codes = new Set<number>();
    for (const { tier, terms } of fc.sample(change, 40)) {
      const { level = null, groupId = null } = tier as Partial<Record<'level' | 'groupId', number>>;
      const current = (await read()).limits.find((limit) => isOfTier(limit, { level, groupId }));
      const kept = Object.fromEntries(termNames.map((name) => [name, current?.[name] ?? null]));
      const answer = await save(tier, { ...kept, ...terms });
      codes.add(answer.code);
      if (answer.code === 202) await reject(answer.data.id);
    }
    expect([...codes].toSorted((a, b) => a - b)).toEqual([200, 202]);
    const after = await read();
    const gained = LEVELS.flatMap((level) =>
      [undefined, group.id].flatMap((id) =>
        compareReach(`level ${level} group ${id}`, reachOf(before, level, id), reachOf(after, level, id)),
      ),
    );
    expect(gained).toEqual([]);
  });
});
