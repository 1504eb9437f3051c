import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import type { Page } from '@hengtai/contract/wire/list';
import type { Counts } from '@hengtai/contract/desk/notify/schema';
import type {
  PriceProtectionHaltRow,
  PriceProtectionPermission,
  PriceProtectionRow,
} from '@hengtai/contract/risk/price-protection/schema';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freezeClock, makeMarket } from '../../../../test/book.ts';
import { type TestOperator, makeOperator } from '../../../../test/factories.ts';
import { fetchAuditRows, setPolicy } from '../../../../test/inspect.ts';
import { type ApiResponse, apply, call, login, provideServer } from '../../../../test/server.ts';
import { isHalted } from '../../trading/market/market.store.ts';
import { resumeOverdue } from './price-protection.jobs.ts';

const MINUTE = 60_000;
const server = provideServer({ jobs: false });
let admin: string;
let guard: TestOperator;
let reader: TestOperator;

beforeAll(async () => {
  admin = await login(server);
  guard = await makeOperator(server, admin, { abilities: [8] });
  reader = await makeOperator(server, admin, { abilities: [] });
});
afterEach(() => setPolicy(server, 'plan.save', 0));

const post = <T = PriceProtectionRow>(path: string, input: object, token = admin): Promise<ApiResponse<T>> =>
  call<T>(server, 'POST', path, input, { token });
const list = async (query: object = {}, token = admin): Promise<Page<PriceProtectionRow>> =>
  (await call<Page<PriceProtectionRow>>(server, 'GET', 'market/plan/list', { size: 200, ...query }, { token })).data;

interface TestMarket {
  id: number;
  name: string;
}

/** A market with every market type open. */
async function makeOpenMarket(): Promise<TestMarket> {
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

async function priceProtectionOf({ id, name }: TestMarket, marketType = 1, token = admin): Promise<PriceProtectionRow> {
  const { list: rows } = await list({ marketName: name, marketType }, token);
  const row = rows.find((one) => one.id === id);
  if (!row) throw new Error(`no plan of ${name}`);
  return row;
}

const commandsOf = (id: number) =>
  server.query(sql<{ type: string; data: object }>`
    select type, data from command where ref_type = 'market' and ref_id = ${id} order by id`);
const notificationsOf = (id: number) =>
  server.query(sql<{ type: string; detail: string }>`
    select type, detail from notice where ref_type = 'plan' and ref_id = ${id} order by id`);

describe('market/plan/list', () => {
  test('lists every open market type with defaults', async () => {
    const market = await makeOpenMarket();
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

  test('has no row for the settlement asset', async () => {
    expect(await list({ marketName: 'USDT' })).toEqual({ list: [], total: 0 });
  });

  test('shows an agent only the markets granted to it', async () => {
    const market = await makeOpenMarket();
    const query = { marketName: market.name };
    expect((await list(query, guard.token)).total).toBe(0);
    await grant(market.id, guard.account.toUpperCase(), reader.account);
    expect((await list(query, guard.token)).total).toBe(3);
    expect((await list(query, reader.token)).total).toBe(3);
    await grant(market.id, reader.account);
    expect((await list(query, guard.token)).total).toBe(0);
  });

  test('filters by state', async () => {
    const market = await makeOpenMarket();
    await save(market.id);
    await save(market.id, { marketType: 2, planState: 0 });
    await post('market/plan/halt', { id: market.id, marketType: 3, planMinute: 5, reason: '维护' });
    const typesIn = async (planState: number) =>
      (await list({ marketName: market.name, planState })).list.map(({ marketType }) => marketType);
    expect([await typesIn(0), await typesIn(1), await typesIn(2)]).toEqual([[2], [1], [3]]);
  });
});

describe('market/plan/save', () => {
  test('saves the band, with a command to the platform and an audit row', async () => {
    const market = await makeOpenMarket();
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
    expect(await fetchAuditRows(server, { requestId: answer.requestId })).toMatchObject([
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
    ['a minimum at the reference price', { minPrice: '100' }, 'minPrice'],
    ['a minimum above it', { minPrice: '101' }, 'minPrice'],
    ['a maximum at the reference price', { maxPrice: '100' }, 'maxPrice'],
    ['a minimum of 0', { minPrice: '0' }, 'minPrice'],
    ['a halt of 0 minutes', { planMinute: 0 }, 'planMinute'],
    ['a halt of more than a day', { planMinute: 1441 }, 'planMinute'],
    ['the state of a halt', { planState: 2 }, 'planState'],
    ['an unknown market type', { marketType: 4 }, 'marketType'],
    ['a price', { price: '100' }, 'price'],
  ])('refuses %s', async (_name, more, field) => {
    const market = await makeOpenMarket();
    expect(await save(market.id, more)).toMatchObject({ code: 422, data: [{ field }] });
    expect((await priceProtectionOf(market)).version).toBe(0);
  });

  test('refuses an outdated version and names who saved the current one', async () => {
    const market = await makeOpenMarket();
    await grant(market.id, guard.account);
    await save(market.id, { version: 0 }, guard.token);
    const outdated = await save(market.id, { version: 0, minPrice: '80' });
    expect(outdated).toMatchObject({ code: 409, data: { by: guard.account } });
    expect(await priceProtectionOf(market)).toMatchObject({ minPrice: '90', version: 1 });
  });

  test('of concurrent saves of one version one succeeds', async () => {
    const market = await makeOpenMarket();
    await save(market.id);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => save(market.id, { version: 1, minPrice: `${n + 1}` })),
    );
    expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409, 409]);
    expect((await priceProtectionOf(market)).version).toBe(2);
  });

  test('requires a checker if the policy says so, and then saves for the maker', async () => {
    const market = await makeOpenMarket();
    await grant(market.id, guard.account);
    await setPolicy(server, 'plan.save', 1);
    const request = await post<ApprovalRow>('market/plan/save', { id: market.id, ...band, version: 0 }, guard.token);
    expect(request).toMatchObject({ code: 202, data: { type: 'plan.save', targetType: 'plan', targetId: market.id } });
    expect((await priceProtectionOf(market)).planState).toBe(0);
    const { id, hash } = request.data;
    const seen = await call<{ problem: string | null }>(server, 'GET', 'approval/detail', { id }, { token: admin });
    expect(seen).toMatchObject({ code: 200, data: { problem: null } });
    expect(await post('approval/pass', { id, hash })).toMatchObject({ code: 200 });
    expect(await priceProtectionOf(market)).toMatchObject({ planState: 1, updatedBy: guard.account });
  });

  test('a save that only protects ends the request that waits, and needs a reason', async () => {
    const market = await makeOpenMarket();
    await grant(market.id, guard.account);
    await setPolicy(server, 'plan.save', 1);
    const { data } = await post<ApprovalRow>('market/plan/save', { id: market.id, ...band, version: 0 }, guard.token);
    await setPolicy(server, 'plan.save', 0);
    expect(await save(market.id, { minPrice: '70' })).toMatchObject({
      code: 422,
      msg: expect.stringContaining(`#${data.id}`),
    });
    expect(await save(market.id, { minPrice: '70', reason: 'at once' })).toMatchObject({ code: 200 });
    expect(await post('approval/pass', { id: data.id, hash: data.hash })).toMatchObject({ code: 409 });
    expect((await priceProtectionOf(market)).minPrice).toBe('70');
  });
});

describe('a price that leaves the band', () => {
  test('halts its market type only, notifies, and ends by itself', async () => {
    const market = await makeOpenMarket();
    await save(market.id);
    await save(market.id, { marketType: 2, maxPrice: '200' });
    const clock = freezeClock(server);
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
      expect(await notificationsOf(market.id)).toEqual([
        { type: 'plan.halted', detail: '1' },
        { type: 'plan.resumed', detail: '1' },
      ]);
      const rows = await fetchAuditRows(server, { targetType: 'plan', targetId: market.id });
      const actions = rows.map(({ action, operator }) => `${action} ${operator}`);
      expect(actions.filter((text) => text.endsWith('null'))).toHaveLength(2);
      expect(actions).toEqual(expect.arrayContaining(['plan.trigger null', 'plan.resumed null']));
    } finally {
      clock.release();
    }
  });

  test('does not halt again until the price was inside', async () => {
    const market = await makeOpenMarket();
    await save(market.id);
    await tick(market.name, '120');
    await post('market/plan/resume', { id: market.id, marketType: 1, reason: '误触发' });
    await tick(market.name, '121');
    expect((await priceProtectionOf(market)).planState).toBe(1);
    await tick(market.name, '100');
    await tick(market.name, '121');
    expect((await priceProtectionOf(market)).planState).toBe(2);
  });

  test('a price inside during the halt arms the band again', async () => {
    const market = await makeOpenMarket();
    await save(market.id);
    await tick(market.name, '120');
    await tick(market.name, '100');
    expect((await priceProtectionOf(market)).planState).toBe(2);
    await post('market/plan/resume', { id: market.id, marketType: 1, reason: '误触发' });
    await tick(market.name, '121');
    expect((await priceProtectionOf(market)).planState).toBe(2);
  });

  test('a changed band is armed at once', async () => {
    const market = await makeOpenMarket();
    await save(market.id);
    await tick(market.name, '120');
    await post('market/plan/resume', { id: market.id, marketType: 1, reason: '误触发' });
    await save(market.id, { maxPrice: '115' });
    await tick(market.name, '120');
    expect((await priceProtectionOf(market)).planState).toBe(2);
  });

  test('an unwatched plan and an old tick do not halt', async () => {
    const [off, old] = [await makeOpenMarket(), await makeOpenMarket()];
    await save(off.id, { planState: 0 });
    await tick(off.name, '120');
    await save(old.id);
    await tick(old.name, '120', server.clock.now() - 6 * MINUTE);
    expect([(await priceProtectionOf(off)).planState, (await priceProtectionOf(old)).planState]).toEqual([0, 1]);
  });

  test('the first tick outside of a batch halts, once', async () => {
    const market = await makeOpenMarket();
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

  test('halts and resumes a market type without a band; of concurrent calls one succeeds', async () => {
    const market = await makeOpenMarket();
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

  test('past halts are kept with their cause and end, for those who see the plan', async () => {
    const market = await makeOpenMarket();
    await grant(market.id, guard.account);
    const halts = (token = admin, marketType = 2) =>
      call<PriceProtectionHaltRow[]>(server, 'GET', 'market/plan/halts', { id: market.id, marketType }, { token });
    const clock = freezeClock(server);
    try {
      await halt(market.id);
      clock.move(MINUTE);
      await resume(market.id, guard.token);
      await save(market.id, { marketType: 2, maxPrice: '200' });
      await tick(market.name, '100');
      await tick(market.name, '201');
      await save(market.id, { marketType: 2, maxPrice: '300' });
      clock.move(5 * MINUTE);
      await resumeOverdue(server.app);
      await halt(market.id, guard.token);
      const { at } = clock;
      const byHand = { triggerPrice: null, minPrice: null, maxPrice: null, reason: '维护' };
      const expected = [
        {
          ...byHand,
          haltedBy: guard.account,
          triggeredAt: at,
          resumeAt: at + 7 * MINUTE,
          resumedAt: null,
          resumedBy: null,
        },
        {
          triggerPrice: '201',
          minPrice: '90',
          maxPrice: '200',
          haltedBy: null,
          reason: '',
          triggeredAt: at - 5 * MINUTE,
          resumeAt: at,
          resumedAt: at,
          resumedBy: null,
        },
        { ...byHand, haltedBy: 'admin', resumeAt: at + MINUTE, resumedAt: at - 5 * MINUTE, resumedBy: guard.account },
      ];
      expect((await halts()).data).toMatchObject(expected);
      expect((await halts(admin, 1)).data).toEqual([]);
      // Operators above are not named.
      expect((await halts(guard.token)).data.map(({ haltedBy }) => haltedBy)).toEqual([guard.account, null, null]);
      expect(await halts(reader.token)).toMatchObject({ code: 404 });
    } finally {
      clock.release();
    }
  });

  test('both require a reason and the ability', async () => {
    const market = await makeOpenMarket();
    const key = { id: market.id, marketType: 2 };
    expect(await post('market/plan/halt', { ...key, planMinute: 5, reason: ' ' })).toMatchObject({ code: 422 });
    expect(await post('market/plan/resume', key)).toMatchObject({ code: 422, data: [{ field: 'reason' }] });
    expect(await halt(market.id, reader.token)).toMatchObject({ code: 403 });
    expect(await halt(market.id, guard.token)).toMatchObject({ code: 404 });
    expect(await resume(market.id)).toMatchObject({ code: 409 });
  });

  test('counts halted markets for operators with access and the ability', async () => {
    const market = await makeOpenMarket();
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
  test('detail and save are allowed to the top-level admin only', async () => {
    const all = await makeOperator(server, admin, { abilities: [8, 13] });
    const market = await makeOpenMarket();
    expect(await post('plan/permission/detail', { id: market.id }, all.token)).toMatchObject({ code: 403 });
    expect(await post('plan/permission/save', { marketId: market.id, agent: [] }, all.token)).toMatchObject({
      code: 403,
    });
    // The headquarters ability needs no grant.
    expect(await save(market.id, {}, all.token)).toMatchObject({ code: 200 });
  });

  test('returns the granted agents; the audit row has both lists', async () => {
    const market = await makeOpenMarket();
    await grant(market.id, guard.account);
    const answer = await grant(market.id, reader.account);
    expect(answer).toMatchObject({ code: 200, data: { marketId: market.id, agent: [reader.account] } });
    expect(await fetchAuditRows(server, { requestId: answer.requestId })).toMatchObject([
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

  test('refuses an account that is not an agent and changes nothing', async () => {
    const market = await makeOpenMarket();
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
