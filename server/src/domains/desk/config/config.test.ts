import { ABILITY } from '@hengtai/contract/authority/ability';
import type { ConfigRow } from '@hengtai/contract/desk/config/schema';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { fetchAuditRows } from '../../../../test/inspect.ts';
import { call, login, provideServer } from '../../../../test/server.ts';

const server = provideServer({ jobs: false });
let admin: string;
/** Holds the settings ability but is not the admin. */
let holder: string;

beforeAll(async () => {
  admin = await login(server);
  holder = (await makeOperator(server, admin, { abilities: [ABILITY.platform] })).token;
  await server.query(sql`insert into config (key, name, group_name, kind, updated_at) values
    ('test.switch', '开关', '测试', 'switch', 1)`);
});

const list = async (token = admin): Promise<ConfigRow[]> =>
  (await call<ConfigRow[]>(server, 'GET', 'config/list', {}, { token })).data;

async function find(key: string, token = admin): Promise<ConfigRow> {
  const row = (await list(token)).find((setting) => setting.key === key);
  if (!row) throw new Error(`no setting ${key}`);
  return row;
}

const save = (id: number, input: object, token = admin) =>
  call<ConfigRow>(server, 'POST', 'config/save', { id, ...input }, { token });

describe('config/list', () => {
  test('has every setting once, ordered by group', async () => {
    const groups = (await list()).map(({ group }) => group);
    const borders = groups.filter((group, index) => group !== groups[index - 1]);
    expect(borders).toEqual([...new Set(groups)]);
    expect(await find('withdraw.limit24h')).toMatchObject({
      kind: 'num',
      min: '0',
      max: null,
      editable: 1,
    });
  });

  test('says of every setting what it does and in which unit, without its group in the name', async () => {
    for (const { key, name, group, kind, remark } of (await list()).filter(({ group }) => group !== '测试')) {
      expect([key, remark]).toEqual([key, expect.stringMatching(/.{6,}/)]);
      expect([key, name]).toEqual([key, expect.not.stringMatching(/^复核：/)]);
      if (kind === 'num' && group !== '复核策略')
        expect([key, name]).toEqual([key, expect.stringMatching(/\([^()]+\)$/)]);
    }
  });

  test('tells an untouched setting from a changed one, and by whom', async () => {
    const { id, by, changed } = await find('queue.target.rechargeHeld');
    expect({ by, changed }).toEqual({ by: null, changed: 0 });
    expect((await save(id, { num: '77' })).data).toMatchObject({ by: 'admin', changed: 1 });
    expect(await find('queue.target.rechargeHeld')).toMatchObject({ by: 'admin', changed: 1 });
  });

  test('marks policies as editable only for the admin', async () => {
    expect(await find('policy.withdraw.pass')).toMatchObject({ state: 2, num: '10000', editable: 1 });
    expect(await find('policy.withdraw.pass', holder)).toMatchObject({ editable: 0 });
    expect(await find('withdraw.limit24h', holder)).toMatchObject({ editable: 1 });
  });
});

describe('config/save', () => {
  test('changes only the given fields, sends a command and audits both values', async () => {
    const { id } = await find('second.tolerance');
    const answer = await save(id, { num: '48.50', reason: '节假日' }, holder);
    expect(answer).toMatchObject({
      code: 200,
      msg: '操作成功',
      data: { num: '48.5', key: 'second.tolerance' },
    });
    expect(await find('second.tolerance')).toMatchObject({ num: '48.5', state: 0, str: '' });
    expect(await fetchAuditRows(server, { requestId: answer.requestId })).toMatchObject([
      { action: 'config.save', result: 200, before: { num: '30' }, after: { num: '48.5' }, reason: '节假日' },
    ]);
    const [command] = await server.query(sql<{ data: object }>`
      select data from command where type = 'config.updated' and ref_id = ${id}`);
    expect(command?.data).toEqual({ key: 'second.tolerance', kind: 'num', str: '', num: '48.5', state: 0 });
  });

  test('of a policy applies at once: the next withdrawal needs a checker', async () => {
    const { id } = await find('policy.withdraw.pass');
    expect(await save(id, { state: 1 })).toMatchObject({ code: 200 });
    const account = await makeUser(server, { amount: '100' });
    const withdraw = await makeWithdraw(server, admin, account, { amount: '10' });
    expect(await call(server, 'POST', 'withdraw/pass', { id: withdraw.id }, { token: admin })).toMatchObject({
      code: 202,
    });
    expect(await save(id, { state: 2 })).toMatchObject({ code: 200 });
  });

  test('of a policy answers 403 except for the admin', async () => {
    const { id } = await find('policy.withdraw.pass');
    expect(await save(id, { state: 0 }, holder)).toMatchObject({ code: 403 });
    expect(await find('policy.withdraw.pass')).toMatchObject({ state: 2 });
  });

  test.each([
    ['withdraw.credentialHours', { num: '720.000000000000000001' }, 'num'],
    ['withdraw.credentialHours', { num: '-1' }, 'num'],
    ['withdraw.credentialHours', { num: '1e3' }, 'num'],
    ['withdraw.credentialHours', { state: 2 }, 'state'],
    ['withdraw.payingMinutes', { num: '0.5' }, 'num'],
    ['wallet.matchMinutes', { num: '1.5' }, 'num'],
    ['wallet.matchMinutes', { num: '0' }, 'num'],
    ['withdraw.payingMinutes', { num: '30.000000000000000001' }, 'num'],
    ['policy.withdraw.pass', { state: 3 }, 'state'],
    ['kline.url', { str: 'javascript:alert(1)' }, 'str'],
    ['kline.url', { str: 'chart.example' }, 'str'],
    ['kline.url', { str: `https://chart.example/${'x'.repeat(1_000)}` }, 'str'],
  ])('%s refuses %j', async (key, input, field) => {
    const { id, str, num, state } = await find(key);
    const answer = await save(id, input);
    expect(answer).toMatchObject({ code: 422, data: [{ field }] });
    expect(await find(key)).toMatchObject({ str, num, state });
  });

  test.each([
    ['withdraw.credentialHours', { num: '720' }],
    ['withdraw.credentialHours', { num: '0' }],
    ['withdraw.payingMinutes', { num: '1.0' }],
    ['withdraw.payingMinutes', { num: '0' }],
    ['kline.url', { str: ' https://chart.example/?m={market} ' }],
    ['kline.url', { str: '' }],
    ['test.switch', { state: 1 }],
  ])('%s accepts %j', async (key, input) => {
    const { id } = await find(key);
    expect(await save(id, input)).toMatchObject({ code: 200 });
  });

  test('keeps the days to sweep hot wallets above those to top them up, unless one is off', async () => {
    const [topUp, sweep] = [await find('wallet.topUpDays'), await find('wallet.sweepDays')];
    const msg = (days: string) => `数值：补充下限不能高于归集上限，另一项目前为 ${days} 天`;
    expect({ topUp: topUp.num, sweep: sweep.num }).toEqual({ topUp: '3', sweep: '14' });
    expect(await save(topUp.id, { num: '14.5' })).toMatchObject({
      code: 422,
      msg: msg('14'),
      data: [{ field: 'num' }],
    });
    expect(await save(sweep.id, { num: '2.9' })).toMatchObject({ code: 422, msg: msg('3'), data: [{ field: 'num' }] });
    for (const [id, num] of [
      [topUp.id, '14'],
      [sweep.id, '0'],
      [topUp.id, '20'],
      [topUp.id, '0'],
      [sweep.id, '1'],
    ] as const)
      expect(await save(id, { num })).toMatchObject({ code: 200, data: { num } });
  });

  test('audits of concurrent saves form a chain of old and new values', async () => {
    const { id } = await find('withdraw.limit24h');
    const nums = Array.from({ length: 8 }, (_, index) => String(60_000 + index));
    const answers = await Promise.all(nums.map((num) => save(id, { num })));
    const rows = await server.query(sql<{ before: { num: string }; after: { num: string } }>`
      select before, after from audit where action = 'config.save' and target_id = ${id} order by id`);
    expect(answers.map(({ code }) => code)).toEqual(nums.map(() => 200));
    const chain = new Map(rows.map(({ before, after }) => [before.num, after.num]));
    let value = '50000';
    for (let step = 0; step < nums.length; step += 1) value = chain.get(value) ?? '';
    expect(value).toBe((await find('withdraw.limit24h')).num);
  });
});
