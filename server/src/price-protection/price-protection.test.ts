import type { ApprovalRow } from '@hengtai/contract/approval.schema';
import type { Page } from '@hengtai/contract/list';
import type { Counts } from '@hengtai/contract/notify.schema';
import type { PriceProtectionPermission, PriceProtectionRow } from '@hengtai/contract/price-protection.schema';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { holdClock, makeMarket } from '../../test/book.ts';
import { type TestOperator, makeOperator } from '../../test/factories.ts';
import { auditOf, setPolicy } from '../../test/look.ts';
import { type Answered, type TestServer, apply, call, login, testServer } from '../../test/server.ts';
import { isHalted } from '../market/market.store.ts';
import { resumeOverdue } from './price-protection.jobs.ts';

const MINUTE = 60_000;
let server: TestServer;
let admin: string;
let guard: TestOperator;
let reader: TestOperator;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  guard = await makeOperator(server, admin, { abilities: [8] });
  reader = await makeOperator(server, admin, { abilities: [] });
});
afterAll(() => server.stop());
afterEach(() => setPolicy(server, 'plan.save', 0));

const post = <T = PriceProtectionRow>(path: string, input: object, token = admin): Promise<Answered<T>> =>
  call<T>(server, 'POST', path, input, { token });
const list = async (query: object = {}, token = admin): Promise<Page<PriceProtectionRow>> =>
  (await call<Page<PriceProtectionRow>>(server, 'GET', 'market/plan/list', { size: 200, ...query }, { token })).data;

interface Listed {
  id: number;
  name: string;
}

/** A market that trades everything. */
async function listed(): Promise<Listed> {
  const name = await makeMarket(server);
  const [row] = await server.query(
    sql<{ id: number }>`update market set spot = 1, future = 1, second = 1 where market_name = ${name} returning id`,
  );
  return { id: row?.id ?? 0, name };
}

const band = { marketType: 1, minPrice: '90', planPrice: '100', maxPrice: '110', planState: 1, planMinute: 5 } as const;
const save = (id: number, more: object = {}, token = admin) =>
  post('market/plan/save', { id, ...band, ...more }, token);
const grant = (id: number, ...agent: string[]) =>
  post<PriceProtectionPermission>('plan/permission/save', { marketId: id, agent });
const tick = (market: string, price: string, at = server.clock.now()) =>
  apply(server, { type: 'tick', data: { market, price, at } });

async function priceProtectionOf({ id, name }: Listed, marketType = 1, token = admin): Promise<PriceProtectionRow> {
  const { list: rows } = await list({ marketName: name, marketType }, token);
  const row = rows.find((one) => one.id === id);
  if (!row) throw new Error(`no plan of ${name}`);
  return row;
}

const commandsOf = (id: number) =>
  server.query(sql<{ type: string; data: object }>`
    select type, data from command where ref_type = 'market' and ref_id = ${id} order by id`);
const noticesOf = (id: number) =>
  server.query(sql<{ type: string; detail: string }>`
    select type, detail from notice where ref_type = 'plan' and ref_id = ${id} order by id`);

describe('market/plan/list', () => {
  test('each kind of trading that a market has, before anybody set anything', async () => {
    const market = await listed();
    const { list: rows, total } = await list({ marketName: market.name });
    expect(total).toBe(3);
    expect(rows.map(({ marketType }) => marketType)).toEqual([1, 2, 3]);
    expect(rows[0]).toMatchObject({
      id: market.id,
      planState: 0,
      minPrice: null,
      maxPrice: null,
      planMinute: 15,
      version: 0,
    });
    await server.query(sql`update market set future = 0 where id = ${market.id}`);
    expect((await list({ marketName: market.name })).list.map(({ marketType }) => marketType)).toEqual([1, 3]);
  });

  test('the settlement asset has none', async () => {
    expect(await list({ marketName: 'USDT' })).toEqual({ list: [], total: 0 });
  });

  test('an agent sees what was granted to it, and nobody it was not granted to', async () => {
    const market = await listed();
    const query = { marketName: market.name };
    expect((await list(query, guard.token)).total).toBe(0);
    await grant(market.id, guard.account.toUpperCase(), reader.account);
    expect((await list(query, guard.token)).total).toBe(3);
    expect((await list(query, reader.token)).total).toBe(3);
    await grant(market.id, reader.account);
    expect((await list(query, guard.token)).total).toBe(0);
  });

  test('states are found by what they are', async () => {
    const market = await listed();
    await save(market.id);
    await save(market.id, { marketType: 2, planState: 0 });
    await post('market/plan/halt', { id: market.id, marketType: 3, planMinute: 5, reason: '维护' });
    const typesIn = async (planState: number) =>
      (await list({ marketName: market.name, planState })).list.map(({ marketType }) => marketType);
    expect([await typesIn(0), await typesIn(1), await typesIn(2)]).toEqual([[2], [1], [3]]);
  });
});

describe('market/plan/save', () => {
  test('keeps the band, tells the platform and the audit log', async () => {
    const market = await listed();
    const answer = await save(market.id, { minPrice: '90.50', reason: '行情变化' });
    expect(answer).toMatchObject({
      code: 200,
      data: {
        id: market.id,
        minPrice: '90.5',
        planPrice: '100',
        maxPrice: '110',
        planState: 1,
        version: 1,
        updatedBy: 'admin',
      },
    });
    expect(await commandsOf(market.id)).toEqual([
      { type: 'plan.updated', data: { marketName: market.name, ...band, minPrice: '90.50' } },
    ]);
    expect(await auditOf(server, { requestId: answer.requestId })).toMatchObject([
      {
        action: 'plan.save',
        result: 200,
        targetType: 'plan',
        targetId: market.id,
        reason: '行情变化',
        after: { minPrice: '90.5' },
      },
    ]);
  });

  test.each<[string, object, string]>([
    ['a floor at the reference', { minPrice: '100' }, 'minPrice'],
    ['a floor above it', { minPrice: '101' }, 'minPrice'],
    ['a ceiling at the reference', { maxPrice: '100' }, 'maxPrice'],
    ['a floor of nothing', { minPrice: '0' }, 'minPrice'],
    ['no minute', { planMinute: 0 }, 'planMinute'],
    ['more than a day', { planMinute: 1441 }, 'planMinute'],
    ['a state that only a price makes', { planState: 2 }, 'planState'],
    ['a kind of trading that there is none of', { marketType: 4 }, 'marketType'],
    ['a price', { price: '100' }, 'price'],
  ])('%s is refused', async (_name, more, field) => {
    const market = await listed();
    expect(await save(market.id, more)).toMatchObject({ code: 422, data: [{ field }] });
    expect((await priceProtectionOf(market)).version).toBe(0);
  });

  test('a plan that was changed meanwhile is refused, and who changed it is named', async () => {
    const market = await listed();
    await grant(market.id, guard.account);
    await save(market.id, { version: 0 }, guard.token);
    const late = await save(market.id, { version: 0, minPrice: '80' });
    expect(late).toMatchObject({ code: 409, data: { by: guard.account } });
    expect(await priceProtectionOf(market)).toMatchObject({ minPrice: '90', version: 1 });
  });

  test('of many savings of one version one holds', async () => {
    const market = await listed();
    await save(market.id);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => save(market.id, { version: 1, minPrice: `${n + 1}` })),
    );
    expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409, 409]);
    expect((await priceProtectionOf(market)).version).toBe(2);
  });

  test('who lacks the ability is refused, and who has it but not the market finds nothing', async () => {
    const market = await listed();
    await grant(market.id, reader.account);
    expect(await save(market.id, {}, reader.token)).toMatchObject({ code: 403 });
    expect(await save(market.id, {}, guard.token)).toMatchObject({ code: 404 });
    expect(await save(1)).toMatchObject({ code: 404 });
  });

  test('goes to a second person where the policy says so, and is then what it was', async () => {
    const market = await listed();
    await grant(market.id, guard.account);
    await setPolicy(server, 'plan.save', 1);
    const asked = await post<ApprovalRow>('market/plan/save', { id: market.id, ...band, version: 0 }, guard.token);
    expect(asked).toMatchObject({ code: 202, data: { type: 'plan.save', targetType: 'plan', targetId: market.id } });
    expect((await priceProtectionOf(market)).planState).toBe(0);
    const { id, hash } = asked.data;
    const seen = await call<{ problem: string | null }>(server, 'GET', 'approval/detail', { id }, { token: admin });
    expect(seen).toMatchObject({ code: 200, data: { problem: null } });
    expect(await post('approval/pass', { id, hash })).toMatchObject({ code: 200 });
    expect(await priceProtectionOf(market)).toMatchObject({ planState: 1, updatedBy: guard.account });
  });

  test('what was approved too late is not done', async () => {
    const market = await listed();
    await grant(market.id, guard.account);
    await setPolicy(server, 'plan.save', 1);
    const { data } = await post<ApprovalRow>('market/plan/save', { id: market.id, ...band, version: 0 }, guard.token);
    await setPolicy(server, 'plan.save', 0);
    await save(market.id, { minPrice: '70' });
    expect(await post('approval/pass', { id: data.id, hash: data.hash })).toMatchObject({ code: 409 });
    expect((await priceProtectionOf(market)).minPrice).toBe('70');
  });
});

describe('a price that leaves the band', () => {
  test('halts its kind of trading only, tells everybody, and is over by itself', async () => {
    const market = await listed();
    await save(market.id);
    await save(market.id, { marketType: 2, maxPrice: '200' });
    const clock = holdClock(server);
    try {
      await tick(market.name, '100');
      expect((await priceProtectionOf(market)).planState).toBe(1);
      await tick(market.name, '110.01');
      expect(await priceProtectionOf(market)).toMatchObject({
        planState: 2,
        triggerPrice: '110.01',
        triggeredAt: clock.at,
        resumeAt: clock.at + 5 * MINUTE,
        haltedBy: null,
      });
      expect((await priceProtectionOf(market, 2)).planState).toBe(1);
      expect([
        await isHalted(server.app.system, market.id),
        await isHalted(server.app.system, market.id, 2),
        await isHalted(server.app.system, market.id, 3),
      ]).toEqual([true, false, false]);
      expect((await commandsOf(market.id)).at(-1)).toEqual({
        type: 'market.halted',
        data: {
          marketName: market.name,
          marketType: 1,
          haltedAt: clock.at,
          resumeAt: clock.at + 5 * MINUTE,
          price: '110.01',
        },
      });
      clock.move(5 * MINUTE - 1);
      await resumeOverdue(server.app);
      expect((await priceProtectionOf(market)).planState).toBe(2);
      clock.move(1);
      await Promise.all([resumeOverdue(server.app), resumeOverdue(server.app)]);
      expect(await priceProtectionOf(market)).toMatchObject({ planState: 1, resumeAt: null, triggerPrice: '110.01' });
      expect((await commandsOf(market.id)).filter(({ type }) => type === 'market.resumed')).toEqual([
        { type: 'market.resumed', data: { marketName: market.name, marketType: 1 } },
      ]);
      expect(await noticesOf(market.id)).toEqual([
        { type: 'plan.halted', detail: '1' },
        { type: 'plan.resumed', detail: '1' },
      ]);
      const rows = await auditOf(server, { targetType: 'plan', targetId: market.id });
      const actions = rows.map(({ action, operator }) => `${action} ${operator}`);
      expect(actions.filter((text) => text.endsWith('null'))).toHaveLength(2);
      expect(actions).toEqual(expect.arrayContaining(['plan.trigger null', 'plan.resumed null']));
    } finally {
      clock.release();
    }
  });

  test('does not halt again before the price was inside once, and then does', async () => {
    const market = await listed();
    await save(market.id);
    await tick(market.name, '120');
    await post('market/plan/resume', { id: market.id, marketType: 1, reason: '误触发' });
    await tick(market.name, '121');
    expect((await priceProtectionOf(market)).planState).toBe(1);
    await tick(market.name, '100');
    await tick(market.name, '121');
    expect((await priceProtectionOf(market)).planState).toBe(2);
  });

  test('inside while halted counts', async () => {
    const market = await listed();
    await save(market.id);
    await tick(market.name, '120');
    await tick(market.name, '100');
    expect((await priceProtectionOf(market)).planState).toBe(2);
    await post('market/plan/resume', { id: market.id, marketType: 1, reason: '误触发' });
    await tick(market.name, '121');
    expect((await priceProtectionOf(market)).planState).toBe(2);
  });

  test('a changed band is watched from the start', async () => {
    const market = await listed();
    await save(market.id);
    await tick(market.name, '120');
    await post('market/plan/resume', { id: market.id, marketType: 1, reason: '误触发' });
    await save(market.id, { maxPrice: '115' });
    await tick(market.name, '120');
    expect((await priceProtectionOf(market)).planState).toBe(2);
  });

  test('a plan that is off halts nothing, nor does an old tick', async () => {
    const [off, old] = [await listed(), await listed()];
    await save(off.id, { planState: 0 });
    await tick(off.name, '120');
    await save(old.id);
    await tick(old.name, '120', server.clock.now() - 6 * MINUTE);
    expect([(await priceProtectionOf(off)).planState, (await priceProtectionOf(old)).planState]).toEqual([0, 1]);
  });

  test('of ticks that come together the first outside halts, once', async () => {
    const market = await listed();
    await save(market.id);
    const now = server.clock.now();
    const data = (price: string, at: number) => ({ type: 'tick' as const, data: { market: market.name, price, at } });
    await apply(server, data('100', now - 3), data('80', now - 2), data('79', now - 1), data('100', now));
    expect(await priceProtectionOf(market)).toMatchObject({ planState: 2, triggerPrice: '80', triggeredAt: now - 2 });
    expect((await commandsOf(market.id)).filter(({ type }) => type === 'market.halted')).toHaveLength(1);
  });
});

describe('market/plan/halt and resume', () => {
  const halt = (id: number, token = admin) =>
    post('market/plan/halt', { id, marketType: 2, planMinute: 7, reason: '维护' }, token);
  const resume = (id: number, token = admin) =>
    post('market/plan/resume', { id, marketType: 2, reason: '完成' }, token);

  test('an operator halts what has no band, and resumes it; of many one wins', async () => {
    const market = await listed();
    await grant(market.id, guard.account);
    const answers = await Promise.all(Array.from({ length: 5 }, () => halt(market.id, guard.token)));
    expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409]);
    const row = await priceProtectionOf(market, 2);
    expect(row).toMatchObject({ planState: 2, haltedBy: guard.account, triggerPrice: null });
    expect((row.resumeAt ?? 0) - (row.triggeredAt ?? 0)).toBe(7 * MINUTE);
    expect(await isHalted(server.app.system, market.id, 2)).toBe(true);
    const ended = await Promise.all(Array.from({ length: 5 }, () => resume(market.id)));
    expect(ended.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409]);
    expect((await priceProtectionOf(market, 2)).planState).toBe(0);
    expect((await commandsOf(market.id)).map(({ type }) => type)).toEqual(['market.halted', 'market.resumed']);
  });

  test('a reason is demanded of both, and the ability', async () => {
    const market = await listed();
    const about = { id: market.id, marketType: 2 };
    expect(await post('market/plan/halt', { ...about, planMinute: 5, reason: ' ' })).toMatchObject({ code: 422 });
    expect(await post('market/plan/resume', about)).toMatchObject({ code: 422, data: [{ field: 'reason' }] });
    expect(await halt(market.id, reader.token)).toMatchObject({ code: 403 });
    expect(await halt(market.id, guard.token)).toMatchObject({ code: 404 });
    expect(await resume(market.id)).toMatchObject({ code: 409 });
  });

  test('what is halted is counted for those whose business it is', async () => {
    const market = await listed();
    const counted = async (token: string) => (await call<Counts>(server, 'GET', 'notify/counts', {}, { token })).data;
    await grant(market.id, guard.account, reader.account);
    const before = await counted(guard.token);
    await halt(market.id);
    expect((await counted(guard.token)).marketHalted).toBe((before.marketHalted ?? 0) + 1);
    expect((await counted(admin)).marketHalted).toBeGreaterThan(0);
    expect((await counted(reader.token)).marketHalted).toBeUndefined();
    await grant(market.id);
    expect((await counted(guard.token)).marketHalted).toBe(before.marketHalted);
  });
});

describe('plan/permission', () => {
  test('detail and save are the admin’s', async () => {
    const all = await makeOperator(server, admin, { abilities: [8, 13] });
    const market = await listed();
    expect(await post('plan/permission/detail', { id: market.id }, all.token)).toMatchObject({ code: 403 });
    expect(await post('plan/permission/save', { marketId: market.id, agent: [] }, all.token)).toMatchObject({
      code: 403,
    });
    // Head office needs no grant.
    expect(await save(market.id, {}, all.token)).toMatchObject({ code: 200 });
  });

  test('says who was granted, and leaves an audit row with both', async () => {
    const market = await listed();
    await grant(market.id, guard.account);
    const answer = await grant(market.id, reader.account);
    expect(answer).toMatchObject({ code: 200, data: { marketId: market.id, agent: [reader.account] } });
    expect(await auditOf(server, { requestId: answer.requestId })).toMatchObject([
      {
        action: 'plan.permit',
        targetId: market.id,
        before: { agents: [guard.account] },
        after: { agents: [reader.account] },
      },
    ]);
    expect(await post<PriceProtectionPermission>('plan/permission/detail', { id: market.id })).toMatchObject({
      data: { marketId: market.id, agent: [reader.account] },
    });
  });

  test('an account that is no agent is refused, and nothing is changed', async () => {
    const market = await listed();
    await grant(market.id, guard.account);
    expect(await grant(market.id, reader.account, 'nobody-there')).toMatchObject({
      code: 422,
      data: [{ field: 'agent' }],
    });
    expect(await grant(market.id, 'admin')).toMatchObject({ code: 422 });
    expect((await post<PriceProtectionPermission>('plan/permission/detail', { id: market.id })).data.agent).toEqual([
      guard.account,
    ]);
    expect(await grant(999_999_999)).toMatchObject({ code: 404 });
    expect(await post('plan/permission/detail', { id: 999_999_999 })).toMatchObject({ code: 404 });
  });
});
