// @module-tag full
import { HOME_DAYS } from '@hengtai/contract/wire/input-values';
import type { HomeCard, HomeChart } from '@hengtai/contract/desk/home/schema';
import { type RawBuilder, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { onTron } from '../../../../test/address.ts';
import { type TestOperator, makeOperator, makeUser, makeWithdraw, recharge } from '../../../../test/factories.ts';
import { apply, call, login, provideServer } from '../../../../test/server.ts';
import { reportDays } from '../../../books/lists/report-day.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The longest time that a chart is cached. */
const CACHE_MS_MAX = 60_000;
const server = provideServer({ jobs: false });
let admin: string;

/** Days of random rows: more than the chart covers, so that some rows are before its first day. */
const PAST_DAYS = 45;

let year = 2027;

/** Sets the clock to a day of the next year, so that no row of an earlier test is on the chart, and logs in again. */
async function moveTo(dayAndTime: string, zone: string): Promise<void> {
  year += 1;
  server.clock.move(Date.parse(`${year}-${dayAndTime}`) - server.clock.now());
  await server.query(sql`update report_zone set zone = ${zone}`);
  admin = await login(server);
}

async function chartOf(token: string): Promise<HomeChart> {
  const { code, data } = await call<HomeChart>(server, 'GET', 'home/chart', {}, { token });
  expect(code).toBe(200);
  return data;
}

/** Reads a chart past the cache. */
async function freshChart(token: string): Promise<HomeChart> {
  server.clock.move(CACHE_MS_MAX);
  return chartOf(token);
}

async function cardsOf(token: string): Promise<Record<string, string>> {
  const { data } = await call<HomeCard[]>(server, 'GET', 'state', {}, { token });
  return Object.fromEntries(data.map(({ text, value }) => [text, value]));
}

/** Inserts random rows of every kind over the last 45 days, for users of these agents. */
async function insertRandomRows(agents: readonly TestOperator[]): Promise<void> {
  const now = server.clock.now();
  const ids = sql`${agents.map(({ id }) => id)}::bigint[]`;
  const agent = sql`(${ids})[1 + floor(random() * ${agents.length})::int]`;
  const market = sql`1 + floor(random() * 6)::bigint`;
  const moment = sql`${now}::bigint - floor(random() * random() * ${PAST_DAYS * DAY})::bigint`;
  const amount = sql`round((random() * 10 ^ (floor(random() * 8) - 2))::numeric + 0.000000000000000001, 18)`;
  const user = sql`(select min(id) from users)`;
  const times = (count: number, made: RawBuilder<unknown>) =>
    sql`from generate_series(1, ${count}) n cross join lateral (select ${made} where n > 0) s`;
  await server.query(sql`
    insert into users (account, agent_id, created_at, recorded_at, updated_at, deleted_at)
    select 'random-' || ${now}::text || '-' || n, s.agent, s.at, s.at, s.at, case when random() < 0.1 then s.at end
    ${times(400, sql`${agent} as agent, ${moment} as at`)}`);
  await server.query(sql`
    insert into recharge (no, user_id, agent_id, market_id, network, address, amount, source, state, credited_at,
      created_at, recorded_at, updated_at)
    select 'random-' || ${now}::text || '-' || n, ${user}, s.agent, s.market, 'X', 'x', s.amount, 1, s.state,
      case when s.state in (1, 4) then s.at end, s.at - 60000, s.at, s.at
    ${times(900, sql`${agent} as agent, ${market} as market, ${moment} as at, ${amount} as amount, floor(random() * 1.2 + 0.9)::int as state`)}`);
  await server.query(sql`
    insert into withdraw (no, user_id, agent_id, market_id, network, address, amount, fee, state, reviewed_at, paid_at,
      created_at, recorded_at, updated_at)
    select 'random-' || ${now}::text || '-' || n, ${user}, s.agent, s.market, 'X', 'x', s.amount, 0, s.state,
      case when s.state > 0 then s.at end, case when s.state = 4 then least(s.at + 600000, ${now}) end,
      s.at - floor(random() * 7200000)::bigint, s.at, ${now}
    ${times(900, sql`${agent} as agent, ${market} as market, ${moment} as at, ${amount} as amount, (array[0, 4, 4, 4, 5])[1 + floor(random() * 5)::int] as state`)}`);
}

/** Prices: markets 2 and 3 for all days, 4 for some days, 5 only a last price, 6 none. */
async function insertPrices(): Promise<void> {
  const now = server.clock.now();
  await server.query(sql`delete from tick`);
  await server.query(sql`
    insert into tick (market_id, price, at, recorded_at)
    select m, round((random() * 1000)::numeric, 6) + 0.000001, ${now}::bigint - floor(random() * ${DAY} * d)::bigint, ${now}
    from (values (2, 60), (3, 60), (4, 12)) v(m, d), generate_series(1, 300)`);
  await server.query(sql`
    update market m set price = case when m.id = 5 then 0.123457 when m.id between 2 and 4 then
      (select t.price from tick t where t.market_id = m.id order by t.at desc, t.id desc limit 1) end`);
}

const dateOf = (column: string, zone: string) =>
  sql`to_char(to_timestamp(${sql.ref(column)} / 1000.0) at time zone ${zone}, 'YYYY-MM-DD')`;
const ownedBy = (column: string, ids: readonly number[] | undefined) =>
  ids ? sql`${sql.ref(column)} = any(${[...ids]}::bigint[])` : sql`true`;

/** Computes the same figures independently: each row gets its own local date, and the last price of that date. */
async function expected(zone: string, ids: readonly number[] | undefined) {
  const now = server.clock.now();
  const today = sql`to_char(to_timestamp(${now}::bigint / 1000.0) at time zone ${zone}, 'YYYY-MM-DD')`;
  const moved = sql`
    select x.*, x.amount * case when x.market_id = 1 then 1 when x.day = ${today} then m.price
      else coalesce((select t.price from tick t where t.market_id = x.market_id
        and ${dateOf('t.at', zone)} <= x.day order by t.at desc, t.id desc limit 1), m.price) end as value
    from (
      select 'recharge' as kind, ${dateOf('r.credited_at', zone)} as day, r.market_id, r.amount from recharge r
      where r.state = 1 and ${ownedBy('r.agent_id', ids)}
      union all
      select 'withdraw', ${dateOf('w.paid_at', zone)}, w.market_id, w.amount from withdraw w
      where w.state = 4 and ${ownedBy('w.agent_id', ids)}) x
    join market m on m.id = x.market_id`;
  const first = sql`to_char((${today})::date - ${HOME_DAYS - 1}::int, 'YYYY-MM-DD')`;
  const flow = (kind: string) => sql`jsonb_build_object(
    'value', trim_scale(coalesce(round(sum(value) filter (where kind = ${kind}), 2), 0))::text,
    'count', count(*) filter (where kind = ${kind}))`;
  const days = await server.query<{ day: object }>(sql`
    with moved as (${moved}),
    dates as (select to_char((${today})::date - n, 'YYYY-MM-DD') as day from generate_series(0, ${HOME_DAYS - 1}::int) n)
    select jsonb_build_object('day', d.day, 'recharge', f.recharge, 'withdraw', f.withdraw,
      'net', trim_scale((f.recharge ->> 'value')::numeric - (f.withdraw ->> 'value')::numeric)::text,
      'users', (select count(*) from users u where u.deleted_at is null and ${dateOf('u.created_at', zone)} = d.day
        and ${ownedBy('u.agent_id', ids)}),
      'review', (select jsonb_build_object('count', count(*),
          'median', (array_agg(w.reviewed_at - w.created_at order by w.reviewed_at - w.created_at))[ceil(count(*) * 0.5)::int],
          'p90', (array_agg(w.reviewed_at - w.created_at order by w.reviewed_at - w.created_at))[ceil(count(*) * 0.9)::int])
        from withdraw w where ${dateOf('w.reviewed_at', zone)} = d.day and ${ownedBy('w.agent_id', ids)})) as day
    from dates d cross join lateral (
      select ${flow('recharge')} as recharge, ${flow('withdraw')} as withdraw from moved where moved.day = d.day) f
    order by d.day`);
  const coins = await server.query<{ coin: object }>(sql`
    select jsonb_build_object('marketId', m.id, 'marketName', m.market_name, 'recharge', trim_scale(c.came)::text,
      'withdraw', trim_scale(c.went)::text, 'net', trim_scale(c.came - c.went)::text, 'value', trim_scale(c.value)::text) as coin
    from (select market_id, coalesce(sum(amount) filter (where kind = 'recharge'), 0) as came,
        coalesce(sum(amount) filter (where kind = 'withdraw'), 0) as went,
        round(sum(case when kind = 'recharge' then value else -value end), 2) as value
      from (${moved}) moved where moved.day >= ${first} group by 1) c
    join market m on m.id = c.market_id order by m.sort, m.id`);
  const [waiting] = await server.query<object>(sql`
    select count(*) as count, min(w.created_at) as "oldestAt" from withdraw w
    where w.state = 0 and ${ownedBy('w.agent_id', ids)}`);
  return { zone, days: days.map(({ day }) => day), coins: coins.map(({ coin }) => coin), waiting };
}

describe('home/chart', () => {
  test('has thirty days of zeros for an operator without users', async () => {
    await moveTo('01-01T09:00:00Z', 'Asia/Shanghai');
    const { days, coins, waiting } = await freshChart((await makeOperator(server, admin)).token);
    expect(days).toHaveLength(HOME_DAYS);
    expect([days[0]?.day, days.at(-1)?.day]).toEqual([`${year - 1}-12-03`, `${year}-01-01`]);
    const none = { value: '0', count: 0 };
    for (const { day, ...figures } of days) {
      const zeros = {
        recharge: none,
        withdraw: none,
        net: '0',
        users: 0,
        review: { count: 0, median: null, p90: null },
      };
      expect([day, figures]).toEqual([day, zeros]);
    }
    expect({ coins, waiting }).toEqual({ coins: [], waiting: { count: 0, oldestAt: null } });
  });

  // Havana changes its clocks at midnight: one of the days begins at 01:00, or midnight occurs twice.
  test.each([
    ['Asia/Shanghai', '02-10T03:20:00Z'],
    ['America/Havana', '03-25T03:20:00Z'],
    ['America/Havana', '11-20T15:20:00Z'],
  ])('is exact for every scope, with days in %s at %s', async (zone, day) => {
    await moveTo(day, zone);
    const one = await makeOperator(server, admin);
    const below = await makeOperator(server, admin, { parent: one.account });
    const other = await makeOperator(server, admin);
    const empty = await makeOperator(server, admin);
    await makeUser(server, { agent: below.account });
    await insertPrices();
    await insertRandomRows([one, below, other]);
    await makeUser(server, { agent: one.account, amount: '12.345' });
    server.clock.move(CACHE_MS_MAX);
    for (const [operator, ids] of [
      [one, [one.id, below.id]],
      [below, [below.id]],
      [other, [other.id]],
      [empty, [empty.id]],
      [{ token: admin }, undefined],
    ] as const) {
      const chart = await chartOf(operator.token);
      const { at, ...figures } = chart;
      expect(at).toBeLessThanOrEqual(server.clock.now());
      expect(figures).toEqual(await expected(zone, ids));
      const cards = await cardsOf(operator.token);
      const last = chart.days.at(-1);
      expect(cards).toMatchObject({
        '今日充值(USDT)': last?.recharge.value,
        '今日提现(USDT)': last?.withdraw.value,
        今日新增用户: String(last?.users),
        待审核提现: String(chart.waiting.count),
      });
    }
    const { days, coins } = await chartOf(one.token);
    expect(days.filter(({ recharge: { count } }) => count > 0).length).toBeGreaterThan(10);
    expect(coins.some(({ value }) => value === null)).toBe(true);
  });

  test('caches the answer of a scope for some seconds, and gives it to no other scope', async () => {
    await moveTo('01-10T03:20:00Z', 'Asia/Shanghai');
    const one = await makeOperator(server, admin);
    const twin = await makeOperator(server, admin);
    const resumeClock = server.clock.freeze();
    const before = await chartOf(one.token);
    await makeUser(server, { agent: one.account, amount: '7' });
    expect(await chartOf(one.token)).toEqual(before);
    resumeClock();
    await makeUser(server, { agent: twin.account, amount: '8' });
    expect((await chartOf(twin.token)).days.at(-1)?.recharge).toEqual({ value: '8', count: 1 });
    server.clock.move(CACHE_MS_MAX);
    expect((await chartOf(one.token)).days.at(-1)?.recharge).toEqual({ value: '7', count: 1 });
    // A new agent changes the scope, so its cached answer is not used.
    await makeOperator(server, admin, { parent: one.account });
    expect((await chartOf(one.token)).at).toBeGreaterThan(before.at);
  });

  test('counts a withdrawal on the day of its payment, an imported one on the day of its decision', async () => {
    await moveTo('02-10T03:20:00Z', 'Asia/Shanghai');
    const agent = await makeOperator(server, admin);
    const user = await makeUser(server, { agent: agent.account });
    await recharge(server, user, '1000');
    const past = {
      no: 'past-1',
      account: user,
      market: 'USDT',
      ...onTron('any'),
      amount: '30',
      fee: '1',
    };
    const reviewedAt = Date.parse(`${year}-02-03T03:00:00Z`);
    await apply(server, {
      type: 'withdraw.imported',
      data: { ...past, state: 4, reviewedAt },
      at: Date.parse(`${year}-02-01T03:00:00Z`),
    });
    const live = await makeWithdraw(server, admin, user, { amount: '50' });
    await call(server, 'POST', 'withdraw/pass', { id: live.id }, { token: admin });
    server.clock.move(DAY);
    const yesterday = server.clock.now() - DAY + HOUR;
    await apply(server, { type: 'withdraw.paid', data: { no: live.no, txHash: '0x1' }, at: yesterday });
    const { token } = await loginAgain(agent);
    const days = new Map((await chartOf(token)).days.map((one) => [one.day, one]));
    expect(days.get(`${year}-02-03`)).toMatchObject({
      withdraw: { value: '30', count: 1 },
      net: '-30',
      review: { count: 1, median: 2 * DAY, p90: 2 * DAY },
    });
    expect(days.get(`${year}-02-10`)?.withdraw).toEqual({ value: '50', count: 1 });
    expect(days.get(`${year}-02-11`)?.withdraw).toEqual({ value: '0', count: 0 });
  });
});

const loginAgain = async ({ account }: TestOperator) => ({ token: await login(server, account, 'operator-password') });

test('a day begins at its first moment, also if clocks change at midnight', async () => {
  const read = async (iso: string, zone: string) => {
    await server.query(sql`update report_zone set zone = ${zone}`);
    const days = await reportDays(server.owner, Date.parse(iso), 2);
    expect(days[0]?.end).toBe(days[1]?.start);
    return days.map(({ day, start }) => [day, new Date(start).toISOString()]);
  };
  expect(await read('2027-02-10T16:00:00Z', 'Asia/Shanghai')).toEqual([
    ['2027-02-10', '2027-02-09T16:00:00.000Z'],
    ['2027-02-11', '2027-02-10T16:00:00.000Z'],
  ]);
  // Midnight of the 14th is skipped: at 05:00Z clocks go from 24:00 to 01:00.
  expect(await read('2027-03-14T12:00:00Z', 'America/Havana')).toEqual([
    ['2027-03-13', '2027-03-13T05:00:00.000Z'],
    ['2027-03-14', '2027-03-14T05:00:00.000Z'],
  ]);
  // Midnight of the 7th occurs twice: at 05:00Z clocks go from 01:00 back to 00:00.
  expect(await read('2027-11-07T12:00:00Z', 'America/Havana')).toEqual([
    ['2027-11-06', '2027-11-06T04:00:00.000Z'],
    ['2027-11-07', '2027-11-07T04:00:00.000Z'],
  ]);
});
