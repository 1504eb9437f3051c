import type { ApprovalDetail, ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { saveBudget, budgetInput } from '../../../../test/auto-payout.ts';
import { makeOperator, makeUser } from '../../../../test/factories.ts';
import { type Approvers, callAs, lockFourEyes, makeApprovers, refreshAllOtp } from '../../../../test/four-eyes.ts';
import { makeRule, ruleInput } from '../../../../test/rules.ts';
import { call, provideServer, unique } from '../../../../test/server.ts';
import { limitInput, makeGroup, saveLimit } from '../../../../test/withdraw-limits.ts';
import { approvableActions } from '../../../modules.ts';

const server = provideServer({ jobs: false });
let house: Approvers;
beforeAll(async () => {
  house = await makeApprovers(server);
  await prepare();
  await lockFourEyes(server, house);
});

const query = (text: ReturnType<typeof sql>) => server.query(text);
const read = async <T>(path: string, input: object): Promise<T> => {
  await refreshAllOtp(server);
  return (await call<T>(server, 'GET', path, input, { token: house.admin.token })).data;
};
const act = <T = ApprovalRow>(path: string, input: object, by = house.admin) => callAs<T>(server, by, path, input);
const pass = (id: number) => act('approval/pass', { id }, house.second);
const stateOf = async (id: number): Promise<number> =>
  (await read<ApprovalDetail>('approval/detail', { id })).row.state;
const idOf = async (text: ReturnType<typeof sql<{ id: number }>>): Promise<number> =>
  (await server.query(text))[0]?.id ?? 0;
const settingId = (key: string) => idOf(sql<{ id: number }>`select id from config where key = ${key}`);

/** A save that needs a checker, and a change behind it. */
interface SaveCase {
  path: string;
  input: () => Promise<object> | object;
  /** Changes what the save does not name. Without it, the save names all that it makes. */
  behind?: () => Promise<unknown>;
  /** The change leaves nothing that needs a checker. */
  needless?: true;
}

const made = {
  agent: 0,
  user: 0,
  group: 0,
  assigned: 0,
  emptyGroup: 0,
  rule: 0,
  effective: 0,
  file: 0,
  entry: 0,
  key: 0,
  platform: 0,
  history: 0,
};
const BAND = { id: 2, marketType: 1, minPrice: '90', planPrice: '100', maxPrice: '110', planState: 1, planMinute: 5 };
const keyTerms = { name: 'engine', rights: ['tick'], addresses: ['10.0.0.0/8'], expiresAt: null, nonce: 1 };
const TRIAL = 1;

/** The records that the saves change, made while four-eyes are open. */
async function prepare(): Promise<void> {
  const { token } = house.admin;
  const ok = async (path: string, input: object): Promise<number> => {
    const { code, msg, data } = await act<{ id: number }>(path, input);
    if (code !== 200) throw new Error(`${path} answered ${code} ${msg}`);
    return data.id;
  };
  made.agent = (await makeOperator(server, token)).id;
  made.user = (await idOf(sql<{ id: number }>`select id from users where account = ${await makeUser(server)}`)) || 0;
  made.group = (await makeGroup(server, token)).id;
  made.emptyGroup = (await makeGroup(server, token, false)).id;
  made.assigned = (await makeGroup(server, token)).id;
  for (const groupId of [made.group, made.assigned, made.emptyGroup])
    await saveLimit(server, token, 'USDT', { groupId }, { singleMax: '1000' });
  await saveLimit(server, token, 'USDT', { level: 0 }, { singleMax: '500' });
  made.rule = (await makeRule(server, token, {}, TRIAL)).id;
  made.effective = (await makeRule(server, token, {})).id;
  made.key = await ok('gateway_key/save', keyTerms);
  made.platform = await ok('gateway_key/platform_save', { name: 'other', markets: ['BTC'] });
  made.entry = await ok('address_list/add', { list: 1, address: 'T-blocked', reason: 'fraud' });
  await list('T-listed');
  const file = { list: 3, fileName: 'list.txt', source: 'list', publishedAt: 1, content: 'T-other' };
  made.file = (await act<{ row: { id: number } }>('address_list/upload', file)).data.row.id;
  await ok('market/plan/save', BAND);
  for (const market of [1, 2]) await saveBudget(server, token, { largestBasic: '10' }, market);
  await query(sql`update auto_coin set stopped_at = 1, stopped_why = 'operator', stopped_by = 1 where market_id = 1`);
  const limit = await settingId('branchLimit.asset.active');
  for (const num of ['7000', '0']) await act('config/save', { id: limit, num });
  made.history = await idOf(sql<{ id: number }>`
    select id from config_history where config_id = ${limit} order by id desc limit 1`);
  await act('config/save', { id: limit, num: '5000' });
  await act('config/save', { id: await settingId('policy.withdraw.pass'), state: 1, num: '10000' });
}

/** Adds an address to the list of sanctions, as a file did. */
const list = (address: string) =>
  query(sql`insert into address_entry (list, network, address, address_key, reason, source, by_account, created_at)
    values (3, '', ${address}, ${address}, '', 'list', 'admin', 1)`);

const cases: Readonly<Record<string, SaveCase>> = {
  'config.save': {
    path: 'config/save',
    input: async () => ({ id: await settingId('policy.withdraw.pass'), state: 2 }),
    behind: () => query(sql`update config set num = 9999999999 where key = 'policy.withdraw.pass'`),
  },
  // The restored limit is a multiple of the amount of its policy.
  'config.restore': {
    path: 'config/restore',
    input: async () => ({ id: await settingId('branchLimit.asset.active'), historyId: made.history, reason: 'back' }),
    behind: () => query(sql`update config set num = 999999 where key = 'policy.asset.active'`),
  },
  'market.save': {
    path: 'market/save',
    input: () => ({ id: 3, takerFee: '0.05' }),
    behind: () => query(sql`update market set withdraw_max = 5000000 where id = 3`),
  },
  'plan.save': { path: 'market/plan/save', input: () => ({ ...BAND, maxPrice: '500' }) },
  'plan.permit': {
    path: 'plan/permission/save',
    input: async () => ({
      marketId: 3,
      agent: (await server.query(sql<{ account: string }>`select account from agent where id = ${made.agent}`)).map(
        ({ account }) => account,
      ),
    }),
    behind: () =>
      query(
        sql`insert into plan_grant (market_id, operator_id, granted_by, granted_at) values (3, ${made.agent}, 'x', 1)`,
      ),
    needless: true,
  },
  'second.configSave': {
    path: 'second/config/save',
    input: () => ({ id: 1, payoutRate: '99' }),
    behind: () => query(sql`update second_config set max_amount = 5000000 where id = 1`),
  },
  'second.configDel': { path: 'second/config/del', input: () => ({ id: 2 }) },
  'gatewayKey.save': { path: 'gateway_key/save', input: () => ({ ...keyTerms, id: made.key, nonce: 0 }) },
  'gatewayKey.platformSave': {
    path: 'gateway_key/platform_save',
    input: () => ({ id: made.platform, name: 'other', markets: null }),
  },
  'addressList.add': {
    path: 'address_list/add',
    input: () => ({ list: 2, address: 'T-allowed', reason: 'own', expiresAt: server.clock.now() + 9_000_000 }),
  },
  'addressList.remove': { path: 'address_list/remove', input: () => ({ id: made.entry, reason: 'wrong' }) },
  'addressList.apply': {
    path: 'address_list/apply',
    input: () => ({ id: made.file, added: 1, removed: 1 }),
    behind: () => list('T-another'),
  },
  'autoPayout.save': {
    path: 'withdraw/auto/save',
    input: () => budgetInput(server, house.admin.token, { largestBasic: '20' }, 2),
  },
  'autoPayout.start': {
    path: 'withdraw/auto/start',
    input: async () => ({
      marketId: 1,
      seen: await idOf(sql<{ id: number }>`select updated_at as id from auto_coin where market_id = 1`),
      reason: 'go on',
    }),
    behind: () => query(sql`update auto_coin set stopped_at = 2, stopped_why = 'failed' where market_id = 1`),
  },
  'rule.save': {
    path: 'rule/save',
    input: async () => ({ ...ruleInput(), id: made.effective, seen: await seenOf(made.effective) }),
    behind: () => query(sql`update rule set state = 3 where id = ${made.effective}`),
    needless: true,
  },
  'rule.state': {
    path: 'rule/state',
    input: async () => ({ id: made.rule, state: 2, seen: await seenOf(made.rule) }),
    behind: () => query(sql`update rule set name = 'another' where id = ${made.rule}`),
  },
  'withdrawLimit.save': {
    path: 'withdraw/limit/save',
    input: () => limitInput(server, 'USDT', { groupId: made.group }, { singleMax: '2000' }),
    behind: () => query(sql`update market set withdraw_min = 0 where id = 1`),
  },
  'withdrawLimit.groupSave': {
    path: 'user/group/save',
    input: () => ({ id: made.group, name: unique('renamed'), forAgents: true }),
  },
  'withdrawLimit.groupDelete': { path: 'user/group/delete', input: () => ({ id: made.emptyGroup }) },
  'withdrawLimit.assign': {
    path: 'user/group/assign',
    input: () => ({ id: made.user, groupId: made.assigned }),
    behind: () => query(sql`update withdraw_limit set max_amount = 5000 where group_id = ${made.assigned}`),
  },
  'agent.state': { path: 'agent/state', input: () => ({ id: made.agent, type: 2, state: 1 }) },
};

const seenOf = (rule: number) => idOf(sql<{ id: number }>`select updated_at as id from rule where id = ${rule}`);

/** Actions on money or on the record of a person, which sign their input. */
const OTHERS: readonly string[] = [
  ...['pass', 'retry', 'refund', 'resolve'].map((name) => `withdraw.${name}`),
  ...['active.add', 'active.sub', 'frozen.add', 'frozen.sub'].map((name) => `asset.${name}`),
  ...['pwdUpdate', 'otpReset', 'oidcLink', 'parentChange', 'del'].map((name) => `agent.${name}`),
  ...['second', 'token', 'pwdUpdate'].map((name) => `user.${name}`),
  'trade.cancel',
  'trade.cancelAll',
  'follow.close',
  'future.cancel',
  'future.cancelAll',
  'future.close',
  'second.void',
  'ieo.pass',
  'house.transfer',
  'walletTransfer.request',
  'walletItem.explain',
  'recharge.release',
  'screening.bypassWithdraw',
  'screening.bypassAuth',
  'approval.lock',
  'approval.known',
  'announce.add',
  'announce.save',
  'signal.add',
  'signal.change',
  'auth.pass',
];

test('every action that can need a checker is a save with a case, or no save', () => {
  const saves = [...approvableActions.values()].filter(({ judgeSave }) => judgeSave).map(({ name }) => name);
  expect(Object.keys(cases).toSorted()).toEqual(saves.toSorted());
  expect([...saves, ...OTHERS].toSorted()).toEqual([...approvableActions.keys()].toSorted());
});

describe.each(Object.entries(cases))('%s', (_name, { path, input, behind, needless }) => {
  test('executes what its checker saw, or nothing; others wait for it', async () => {
    const request = await act(path, await input());
    expect(request).toMatchObject({ code: 202, data: { state: 0 } });
    const { id } = request.data;
    expect(await act(path, await input())).toMatchObject({ code: 409, msg: expect.stringContaining(`#${id}`) });
    expect(await read<ApprovalDetail>('approval/detail', { id })).toMatchObject({ problem: null });
    if (behind) {
      await behind();
      const { moved, ...detail } = await read<ApprovalDetail>('approval/detail', { id });
      expect(detail).toMatchObject({ problem: '记录已变化' });
      expect(moved?.flatMap(({ fields }) => fields)).toContainEqual(expect.objectContaining({ changed: true }));
      expect(await pass(id)).toMatchObject({ code: 409, msg: expect.stringContaining('记录已变化') });
      expect((await read<ApprovalDetail>('approval/detail', { id })).row).toMatchObject({
        state: 3,
        answer: expect.stringMatching(/^记录已变化：.+ → /),
      });
      expect(await act('approval/resubmit', { id }, house.second)).toMatchObject({ code: 403 });
    } else {
      expect(await act('approval/cancel', { id }, house.second)).toMatchObject({ code: 403 });
      expect(await act('approval/cancel', { id })).toMatchObject({ code: 200, data: { state: 5 } });
      expect(await pass(id)).toMatchObject({ code: 409 });
    }
    const again = await act('approval/resubmit', { id });
    if (needless) return expect(again.code).toBe(200);
    expect(again).toMatchObject({ code: 202, data: { state: 0 } });
    expect(await pass(again.data.id)).toMatchObject({ code: 200, data: { state: 1 } });
    expect(await act('approval/resubmit', { id: again.data.id })).toMatchObject({ code: 409 });
    return undefined;
  });
});

describe('a policy that is loosened in parts', () => {
  test('one person cannot raise the amount behind the request for its mode', async () => {
    const id = await settingId('policy.asset.frozen');
    await query(sql`update config set state = 1, num = 1000 where id = ${id}`);
    const request = await act('config/save', { id, state: 2 });
    expect(request.code).toBe(202);
    expect(await act('config/save', { id, num: '9999999999' })).toMatchObject({
      code: 409,
      msg: expect.stringContaining(`#${request.data.id}`),
    });
    expect(await act('approval/cancel', { id: request.data.id })).toMatchObject({ code: 200 });
    // A higher amount loosens in every mode.
    expect((await act('config/save', { id, num: '9999999999' })).code).toBe(202);
  });

  test('what only protects ends the request, with a reason, and maker and checkers are told', async () => {
    const id = await settingId('policy.withdraw.retry');
    await query(sql`update config set state = 2, num = 1000 where id = ${id}`);
    const request = await act('config/save', { id, num: '5000' });
    expect(request.code).toBe(202);
    expect(await act('config/save', { id, num: '500' })).toMatchObject({ code: 422 });
    expect(await act('config/save', { id, num: '500', reason: 'an attack' })).toMatchObject({ code: 200 });
    expect(await stateOf(request.data.id)).toBe(3);
    const notices = await server.query(sql<{ type: string; operator: number }>`
      select type, operator_id as operator from notice where ref_type = 'approval' and ref_id = ${request.data.id} order by id`);
    expect(notices).toEqual([
      { type: 'approval.asked', operator: 1 },
      { type: 'approval.expired', operator: 1 },
    ]);
  });
});
