import type { AnnounceRow } from '@hengtai/contract/desk/announce/schema';
import { CHECK_LEVERAGE, CHECK_LINKS, CHECK_RISE, lockSwitches } from '@hengtai/contract/desk/approval/calls';
import type { ApprovalDetail } from '@hengtai/contract/desk/approval/schema';
import type { AutoBudget } from '@hengtai/contract/risk/auto-payout/schema';
import type { ConfigRow } from '@hengtai/contract/desk/config/schema';
import type { KycDetail, KycRow } from '@hengtai/contract/risk/kyc/schema';
import type { BulkResult } from '@hengtai/contract/wire/schema';
import type { SignalRow } from '@hengtai/contract/trading/signal/schema';
import type { LimitTerms } from '@hengtai/contract/risk/withdraw-limit/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { budgetInput, wideBudget } from '../../../../test/auto-payout.ts';
import { makeMarket } from '../../../../test/book.ts';
import { makeUser } from '../../../../test/factories.ts';
import { signalInput } from '../../../../test/follow.ts';
import { type Approvers, callAs, lockFourEyes, makeApprovers, refreshAllOtp } from '../../../../test/four-eyes.ts';
import { submitKyc } from '../../../../test/identity.ts';
import { type TestServer, call, testServer } from '../../../../test/server.ts';
import { type Tier, assign, limitInput, makeGroup } from '../../../../test/withdraw-limits.ts';

let server: TestServer;
let house: Approvers;

const GOOD = '<p><a href="https://help.good.example/a">x</a> <a href="https://support.example/b">y</a></p>';
const EVIL = '<p><a href="https://evil.example/">领取空投</a></p>';
const item = (content: string, fields: object = {}) => ({
  lang: 'zh-CN',
  title: '公告',
  content,
  platform: 0,
  ...fields,
});

const as = <T>(path: string, input: object) => callAs<T>(server, house.admin, path, input);
const pass = (id: number) => callAs(server, house.second, 'approval/pass', { id });
const detail = async (id: number) =>
  (await call<ApprovalDetail>(server, 'GET', 'approval/detail', { id }, { token: house.second.token })).data;

async function setSetting(key: string, value: object) {
  await refreshAllOtp(server);
  const { data } = await call<ConfigRow[]>(server, 'GET', 'config/list', {}, { token: house.admin.token });
  const asked = await as<{ id: number }>('config/save', { id: data.find((row) => row.key === key)?.id, ...value });
  if (asked.code === 202) await pass(asked.data.id);
  return asked.code;
}

/** Does what may need a checker. */
async function ask(path: string, input: object): Promise<void> {
  const asked = await as<{ id: number }>(path, input);
  const code = asked.code === 202 ? (await pass(asked.data.id)).code : asked.code;
  if (code !== 200) throw new Error(`${path}: ${code} ${asked.msg}`);
}
const setLimit = async (market: string, tier: Tier, terms: Partial<LimitTerms>) =>
  ask('withdraw/limit/save', await limitInput(server, market, tier, terms));

const submit = async (level = 1, account?: string): Promise<KycRow> =>
  submitKyc(server, house.admin.token, account ?? (await makeUser(server)), { level });
const passIdentity = async (level = 1): Promise<number> =>
  (await as('auth/review/pass', { id: (await submit(level)).id })).code;

beforeAll(start);
afterAll(() => server.stop());
async function start(): Promise<void> {
  server = await testServer({ jobs: false, announceHosts: ['help.good.example'] });
  house = await makeApprovers(server);
  await setSetting('support.url', { str: 'https://support.example/chat' });
}

describe('open', () => {
  test('one person publishes any link and leverage, and raises any limit', async () => {
    expect(await as('announce/add', item(EVIL))).toMatchObject({ code: 200 });
    expect(await as('signal/add', signalInput(server, { leverage: 21 }))).toMatchObject({ code: 200 });
    await setLimit('USDT', { level: 0 }, { singleMax: '1' });
    expect(await passIdentity()).toBe(200);
    await setLimit('USDT', { level: 0 }, {});
  });
});

describe('locked', () => {
  // The switches may be off, and the lock turns them on.
  beforeAll(async () => {
    const open = { server, house };
    await start();
    for (const key of Object.keys(lockSwitches)) expect(await setSetting(key, { state: 0 })).toBe(200);
    await lockFourEyes(server, house);
    const rows = await server.query(sql<{ state: number }>`
      select state from config where key = any(${Object.keys(lockSwitches)}::text[])`);
    expect(rows.map(({ state }) => state)).toEqual([1, 1, 1, 1]);
    return async () => {
      await server.stop();
      ({ server, house } = open);
    };
  });

  test('switching one off needs a checker', async () => {
    for (const key of Object.keys(lockSwitches)) {
      expect(await setSetting(key, { state: 0 })).toBe(202);
      expect(await setSetting(key, { state: 1 })).toBe(200);
    }
  });

  test('an announcement with a link to a foreign host waits for a checker, one to a host of the house does not', async () => {
    expect(await as('announce/add', item(GOOD))).toMatchObject({ code: 200 });
    const two = { announceList: [item('<p>x</p>'), item(EVIL, { lang: 'en' })] };
    const asked = await as<{ id: number }>('announce/add', two);
    expect(asked).toMatchObject({ code: 202 });
    const { asked: shown } = await detail(asked.data.id);
    expect(shown).toContainEqual(expect.objectContaining({ label: '链接（en）', text: 'https://evil.example/' }));
    expect(await as('announce/add', item('<p>x</p>', { title: 'www.evil.example' }))).toMatchObject({ code: 409 });
    expect(await pass(asked.data.id)).toMatchObject({ code: 200, data: { state: 1 } });
    expect(await as('announce/add', item(EVIL, { state: 0, publishAt: server.clock.now() + 3_600_000 }))).toMatchObject(
      {
        code: 202,
      },
    );
    expect(await as('announce/add', item('', {}))).toMatchObject({ code: 422 });
  });

  test('a save waits if it adds a foreign link or publishes one', async () => {
    const { data } = await as<AnnounceRow[]>('announce/add', item(GOOD));
    const [id, save] = [data[0]?.id ?? 0, (fields: object) => as<{ id: number }>('announce/save', { id, ...fields })];
    expect(await save({ title: '新标题' })).toMatchObject({ code: 200 });
    const asked = await save({ content: EVIL });
    expect(asked).toMatchObject({ code: 202 });
    expect(await pass(asked.data.id)).toMatchObject({ code: 200 });
    // The public sees the link already.
    expect(await save({ pinned: 1 })).toMatchObject({ code: 200 });
    expect(await save({ state: 0 })).toMatchObject({ code: 200 });
    expect(await save({ state: 1 })).toMatchObject({ code: 202 });
    expect(await setSetting(CHECK_LINKS, { state: 0 })).toBe(202);
    expect(await save({ state: 1 })).toMatchObject({ code: 200 });
    expect(await setSetting(CHECK_LINKS, { state: 1 })).toBe(200);
  });

  test('a signal above 20 times leverage waits for a checker, also when a draft is raised or published', async () => {
    const add = (fields: object) => as<SignalRow>('signal/add', signalInput(server, fields));
    expect(await add({ leverage: 20, state: 1 })).toMatchObject({ code: 200 });
    const asked = await add({ leverage: 21, state: 1 });
    expect(asked).toMatchObject({ code: 202 });
    expect(await detail(asked.data.id)).toMatchObject({ problem: null });
    expect((await detail(asked.data.id)).asked).toContainEqual(
      expect.objectContaining({ label: '杠杆', text: '21 倍' }),
    );
    expect(await pass(asked.data.id)).toMatchObject({ code: 200, data: { state: 1 } });
    expect(await add({ leverage: 101 })).toMatchObject({ code: 422 });

    const { data: draft } = await add({ leverage: 20 });
    const change = (fields: object) => as<{ id: number }>('signal/change', { id: draft.id, ...fields });
    const raise = await change({ leverage: 50 });
    expect(raise).toMatchObject({ code: 202 });
    expect(await pass(raise.data.id)).toMatchObject({ code: 200, data: { state: 1 } });
    const publish = await change({ state: 1 });
    expect(publish).toMatchObject({ code: 202 });
    expect(await pass(publish.data.id)).toMatchObject({ code: 200, data: { state: 1 } });
    // It runs with this leverage already.
    expect(await change({ title: '新标题' })).toMatchObject({ code: 200 });
    expect(await change({ state: 2 })).toMatchObject({ code: 200 });

    await setSetting(CHECK_LEVERAGE, { state: 0 });
    expect(await add({ leverage: 21, state: 1 })).toMatchObject({ code: 200 });
    await setSetting(CHECK_LEVERAGE, { state: 1 });
  });

  test.each<[string, Partial<LimitTerms>, Partial<LimitTerms>, number]>([
    ['nothing', {}, {}, 200],
    ['the single maximum to the bound', { singleMax: '1000' }, { singleMax: '11000' }, 200],
    ['the single maximum above it', { singleMax: '1000' }, { singleMax: '11001' }, 202],
    ['the day amount above it', { dayAmount: '1000' }, { dayAmount: '11001' }, 202],
    ['a maximum to none', { dayAmount: '1000' }, { dayAmount: '0' }, 202],
    ['closed to open up to the bound', { withdrawState: 0 }, { singleMax: '10000', dayAmount: '10000' }, 200],
    ['closed to open above it', { withdrawState: 0 }, { singleMax: '10000', dayAmount: '10001' }, 202],
    ['open to closed', { singleMax: '1', dayAmount: '1' }, { withdrawState: 0, singleMax: '0' }, 200],
  ])('a review that raises %s', async (_what, unverified, basic, code) => {
    await setLimit('USDT', { level: 0 }, unverified);
    await setLimit('USDT', { level: 1 }, basic);
    await setLimit('USDT', { level: 2 }, basic);
    expect(await passIdentity()).toBe(code);
    expect(await passIdentity(2)).toBe(code);
    for (const level of [0, 1, 2] as const) await setLimit('USDT', { level }, {});
  });

  test('a review counts from the level that the user has, and under the terms of its group', async () => {
    const account = await makeUser(server);
    await setLimit('USDT', { level: 0 }, { singleMax: '1' });
    await setLimit('USDT', { level: 1 }, { singleMax: '10001' });
    await setLimit('USDT', { level: 2 }, { singleMax: '10002' });
    const first = await submit(1, account);
    expect(await as('auth/review/pass', { id: first.id })).toMatchObject({ code: 200 });
    const second = await submit(2, account);
    expect(await as('auth/review/pass', { id: second.id })).toMatchObject({ code: 200 });

    await setLimit('USDT', { level: 2 }, { singleMax: '10003' });
    const third = await submit(2);
    const group = await makeGroup(server, house.admin.token, false);
    await setLimit('USDT', { groupId: group.id }, { singleMax: '10003' });
    const waiting = await as<{ id: number }>('auth/review/pass', { id: third.id });
    expect(waiting).toMatchObject({ code: 202 });
    const shown = await detail(waiting.data.id);
    expect(shown.asked).toContainEqual(expect.objectContaining({ label: 'USDT 单笔最大', text: '1 → 10003' }));
    expect(JSON.stringify(shown)).not.toContain(third.idNumber);
    // The case of the submission names who submitted the request, and later who checked it.
    const caseOf = async () => {
      const { token } = house.second;
      return (await call<KycDetail>(server, 'GET', 'auth/detail', { id: third.id }, { token })).data.approval;
    };
    const { maker, createdAt: submittedAt } = shown.row;
    expect(await caseOf()).toEqual({ openId: waiting.data.id, maker, checker: null, submittedAt });
    expect(await as('auth/review/pass', { id: third.id })).toMatchObject({ code: 409 });
    const many = await as<BulkResult>('auth/review/pass/many', { ids: [third.id, (await submit(2)).id] });
    expect(many.data.results.map(({ code }) => code)).toEqual([409, 202]);
    const passed = await pass(waiting.data.id);
    expect(passed).toMatchObject({ code: 200, data: { state: 1 } });
    const { checker } = (await detail(waiting.data.id)).row;
    expect(checker).not.toBeNull();
    expect(await caseOf()).toEqual({ openId: null, maker, checker, submittedAt });

    const member = await submit(2);
    const joined = await assign(server, house.admin.token, member.userId, group.id);
    if (joined.code === 202) await pass((joined.data as { id: number }).id);
    expect(await as('auth/review/pass', { id: member.id })).toMatchObject({ code: 200 });

    // A rejection ends the request.
    const rejected = await submit(2);
    const open = await as<{ id: number }>('auth/review/pass', { id: rejected.id });
    expect(await as('auth/review/reject', { id: rejected.id, reason: 'no' })).toMatchObject({ code: 200 });
    expect(await detail(open.data.id)).toMatchObject({ row: { state: 3, answer: '实名已驳回' } });

    await setSetting(CHECK_RISE, { state: 0 });
    expect(await passIdentity(2)).toBe(200);
    await setSetting(CHECK_RISE, { state: 1 });
    for (const level of [0, 1, 2] as const) await setLimit('USDT', { level }, {});
  });

  test('a coin counts by its price, and one without a price in any case', async () => {
    const market = await makeMarket(server);
    await setLimit(market, { level: 0 }, { singleMax: '1' });
    await setLimit(market, { level: 1 }, { singleMax: '2' });
    expect(await passIdentity()).toBe(202);
    await server.query(
      sql`update market set price = 10000, price_at = ${server.clock.now()} where market_name = ${market}`,
    );
    expect(await passIdentity()).toBe(200);
    await server.query(sql`update market set price = 10001 where market_name = ${market}`);
    expect(await passIdentity()).toBe(202);
    for (const level of [0, 1] as const) await setLimit(market, { level }, {});
  });

  test('the automatic maximum counts while its coin is on', async () => {
    const budget = (fields: Partial<AutoBudget>) =>
      budgetInput(server, house.admin.token, { ...wideBudget, largestUnverified: '5', ...fields });
    await refreshAllOtp(server);
    await ask('withdraw/auto/save', await budget({ largestBasic: '10005' }));
    expect(await passIdentity()).toBe(200);
    await ask('withdraw/auto/save', await budget({ largestBasic: '10006' }));
    expect(await passIdentity()).toBe(202);
    await ask('withdraw/auto/save', await budget({ largestBasic: '10006', on: false }));
    expect(await passIdentity()).toBe(200);
  });
});
