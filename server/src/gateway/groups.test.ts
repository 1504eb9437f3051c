// @module-tag soak
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entriesOf, holdingsOf, makeMarket } from '../../test/book.ts';
import { makeTrader } from '../../test/spot.ts';
import { makeUser, recharge } from '../../test/factories.ts';
import { type TestServer, apply, send, testServer, unique } from '../../test/server.ts';
import { checkBook } from '../ledger/check.ts';
import { sized } from '../../../testing/level.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer({ jobs: false });
  await server.query(sql`update installation set live = 1`);
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});

type Sent = Parameters<typeof send>[1];

const USERS = 3;
const who = fc.nat({ max: USERS - 1 });
const which = fc.nat({ max: 4 });
const amount = fc.constantFrom('1', '2.5', '30', '400', '0');
const step = fc.record({
  kind: fc.nat({ max: 24 }),
  who,
  other: who,
  which,
  amount,
  /** Few, so that the same event comes twice now and then. */
  eventId: fc.nat({ max: 60 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Inside of the band that is watched, at its edge, beyond it, and none at all. */
const PRICES: Readonly<Record<string, string>> = { '1': '95', '2.5': '110', '30': '100.5', '400': '200', '0': '0' };

/** What a step says in one of the two worlds, whose names all begin with its tag, about its users and its market. */
function eventOf({ tag, users, market }: Place, at: number, what: Step): Sent {
  const account = users[what.who] ?? '';
  const no = `${tag}-${what.which}`;
  const chain = { market: 'USDT', network: 'TRC20', address: `${tag}-T${what.which}` };
  const order = { no, account, market, side: 1, type: 1, price: '10', amount: what.amount };
  const position = { no, account, market, demo: 0, side: 1, type: 2, leverage: 1, amount: '1' };
  // Some of one time, some older than what came before.
  const tick: [string, object] = ['tick', { market, price: PRICES[what.amount], at: at - 100 + 10 * what.other }];
  const identity = { name: 'A B', country: 'CN', idType: 1, idNumber: '1', level: 1, front: 'a', back: 'b' };
  const kinds: readonly [string, object][] = [
    ['recharge.credited', { no, account, ...chain, txHash: '', amount: what.amount, confirmations: 9, source: 1 }],
    ['recharge.detected', { no, account, ...chain, txHash: '', amount: what.amount, confirmations: 0, source: 1 }],
    ['recharge.failed', { no }],
    ['recharge.reversed', { no }],
    ['withdraw.requested', { no, account, ...chain, amount: what.amount, fee: '0.5' }],
    ['withdraw.cancelled', { no }],
    ['order.placed', order],
    ['order.filled', { no, tradeNo: `${no}-${what.amount}`, price: '9.5', amount: what.amount, fee: '0' }],
    ['order.cancelled', { no }],
    [
      'transfer.made',
      { no, account, toAccount: users[what.other], market: 'USDT', platform: 2, toPlatform: 1, amount: what.amount },
    ],
    ['user.login', { account, ip: '198.18.0.1', device: tag }],
    ['position.placed', { ...position, margin: what.amount }],
    ['position.opened', { no, price: '9.5', fee: what.amount === '0' ? '0' : '0.5' }],
    ['position.changed', { no, margin: what.amount }],
    ['position.closed', { no, closeNo: `${no}-${what.other}`, amount: '0.5', price: '9', fee: '0.1', closeType: 1 }],
    ['funding.paid', { no: `${no}-${what.amount}`, position: no, amount: '-0.5' }],
    ['user.registered', { account: `${tag}-n${what.which}` }],
    ['auth.submitted', { ...identity, account: what.other === 0 ? `${tag}-n${what.which}` : account }],
    ['follow.closed', { no, profit: '0' }],
    ['no.such', {}],
    tick,
    tick,
    tick,
    // Its value depends on the last price.
    ['withdraw.requested', { no, account, ...chain, market, amount: what.amount, fee: '0' }],
    ['withdraw.cancelled', { no }],
  ];
  const [type, data] = kinds[what.kind] ?? ['no.such', {}];
  return { eventId: `${tag}-e${what.eventId}`, type, at, data };
}

interface Place {
  tag: string;
  users: readonly string[];
  market: string;
}

/** Users with money on two accounts and with a coin whose price is watched. */
async function makePlace(tag: string): Promise<Place> {
  const market = await makeMarket(server);
  await server.query(sql`update market set spot = 1, future = 1 where market_name = ${market}`);
  await server.query(sql`
    insert into plan (market_id, market_type, min_price, plan_price, max_price, watched, created_at, recorded_at, updated_at)
    select id, type, 90, 100, 110, 1, 0, 0, 0 from market, (values (1), (2)) t(type) where market_name = ${market}`);
  const users: string[] = [];
  for (let n = 0; n < USERS; n += 1) users.push(await makeTrader(server, { USDT: '150' }));
  for (const account of users) await recharge(server, account, '40', market);
  const move = { market: 'USDT', platform: 2, toPlatform: 3, amount: '50' };
  await apply(
    server,
    ...users.map((account) => ({
      type: 'transfer.made',
      data: { no: unique('F'), account, toAccount: account, ...move },
    })),
  );
  return { tag, users, market };
}

/** Everything that a world holds, without the names and numbers that are its own. */
async function worldOf({ tag, users, market }: Place): Promise<unknown> {
  const named = sql`replace(no, ${tag}, '')`;
  const mine = sql`left(no, ${tag.length + 1}) = ${`${tag}-`}`;
  const rows = (statement: ReturnType<typeof sql>) => server.query(statement);
  return {
    holdings: await Promise.all(users.map((user) => holdingsOf(server, user))),
    entries: await Promise.all(users.map((user) => entriesOf(server, user))),
    recharges: await rows(
      sql`select ${named} as no, state, amount, confirmations from recharge where ${mine} order by id`,
    ),
    withdraws: await rows(
      sql`select ${named} as no, state, amount, valuation, risk from withdraw where ${mine} order by id`,
    ),
    orders: await rows(
      sql`select ${named} as no, state, filled, frozen, turnover from trade_order where ${mine} order by id`,
    ),
    positions: await rows(sql`
      select ${named} as no, state, held, margin, close_amount, realized, fee, funding, insured from future_order
      where ${mine} order by id`),
    closes: await rows(sql`
      select replace(c.close_no, ${tag}, '') as no, c.realized, c.released, c.fee from future_close c
      where c.close_no like ${`${tag}-%`} order by c.id`),
    people: await rows(sql`
      select case when account like ${`${tag}-%`} then replace(account, ${tag}, '') end as account, auth, last_login_ip from users
      where account like ${`${tag}-%`} or account = any(${[...users]}::text[]) order by id`),
    identities: await rows(sql`
      select a.state, a.level from auth a join users u on u.id = a.user_id
      where u.account like ${`${tag}-%`} or u.account = any(${[...users]}::text[]) order by a.id`),
    transfers: await rows(sql`select ${named} as no, amount from internal_transfer where ${mine} order by id`),
    inbox: await rows(sql`
      select replace(event_id, ${tag}, '') as id, type from inbox where left(event_id, ${tag.length + 1}) = ${`${tag}-`} order by 1`),
    told: await rows(sql`
      select n.type, n.amount, n.state from notice n join users u on u.id = n.user_id
      where u.account = any(${[...users]}::text[]) order by n.ref_type, n.ref_id, n.id`),
    holds: await rows(sql`
      select h.ref_type, h.amount, h.released from hold h join users u on u.id = h.user_id
      where u.account = any(${[...users]}::text[]) order by h.id`),
    prices: await rows(sql`
      select t.price, t.at from tick t join market m on m.id = t.market_id where m.market_name = ${market} order by t.id`),
    watched: await rows(sql`
      select m.price, m.price_at, m.halted_at, m.future_halted_at, p.market_type, p.inside, p.trigger_price, p.triggered_at,
        (select count(*) from command c where c.ref_type = 'market' and c.ref_id = m.id) as commands,
        (select count(*) from notice n where n.ref_type = 'plan' and n.ref_id = m.id) as told
      from market m join plan p on p.market_id = m.id where m.market_name = ${market} order by p.market_type`),
  };
}

test('a batch does what its events do one by one: the same answers, and the same rows', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 45 }), async (walk) => {
      const at = server.clock.now();
      const lived: unknown[] = [];
      for (const together of [true, false]) {
        const place = await makePlace(unique(together ? 'together' : 'oneByOne'));
        const events = walk.map((what) => eventOf(place, at, what));
        const answers = together ? await send(server, ...events) : [];
        if (!together) for (const event of events) answers.push(...(await send(server, event)));
        const told = answers.map(({ eventId, ...rest }) => ({ ...rest, eventId: eventId.replace(place.tag, '') }));
        lived.push({ told, world: timeless(await worldOf(place), place.market) });
      }
      expect(lived[0]).toEqual(lived[1]);
    }),
    { numRuns: sized({ full: 12, long: 300 }) },
  );
});

/** Each world is made at a moment of its own, and has a market of its own. */
const timeless = (world: unknown, market: string): unknown =>
  JSON.parse(
    JSON.stringify(world, (key, value: unknown) => (key === 'createdAt' ? undefined : value)).replaceAll(
      market,
      'COIN',
    ),
  );

const credited = (account: string) => ({
  type: 'recharge.credited',
  data: {
    no: unique('G'),
    account,
    market: 'USDT',
    network: 'TRC20',
    address: 'T',
    amount: '5',
    confirmations: 9,
    source: 1,
  },
});

test('an event that has to wait for somebody waits alone: what came before it is done, and its rows are free', async () => {
  const [before, held, behind] = [await makeUser(server), await makeUser(server), await makeUser(server)];
  // Their accounts are there, so that nothing but the one row stands in the way.
  await apply(server, credited(before), credited(held), credited(behind));
  let sent: Promise<unknown> | undefined;
  await server.owner.transaction().execute(async (db) => {
    await sql`select 1 from users where account = ${held} for update`.execute(db);
    const events = [credited(before), credited(held), credited(behind)];
    sent = send(server, ...events);
    await expect.poll(() => holdingsOf(server, before)).toEqual({ 'USDT 1 active': '10' });
    expect(await holdingsOf(server, behind)).toEqual({ 'USDT 1 active': '5' });
    await sql`select 1 from account a join users u on u.id = a.user_id where u.account = ${before} for update of a nowait`.execute(
      db,
    );
  });
  expect(await sent).toMatchObject([{ result: 'applied' }, { result: 'applied' }, { result: 'applied' }]);
  for (const user of [before, held, behind]) expect(await holdingsOf(server, user)).toEqual({ 'USDT 1 active': '10' });
});

test('one batch takes rows from their beginning to their end, and stops nobody but who is refused', async () => {
  const account = await makeTrader(server, { USDT: '100' });
  const [p, o] = [unique('GP'), unique('GO')];
  const position = { no: p, account, market: 'BTC', demo: 0, side: 1, type: 2, leverage: 1, amount: '2', margin: '20' };
  const order = { no: o, account, market: 'BTC', side: 1, type: 1, price: '10', amount: '2' };
  const closed = (closeNo: string, amount: string) => ({
    type: 'position.closed',
    data: { no: p, closeNo, amount, price: '10', fee: '0', closeType: 1 },
  });
  const filled = (tradeNo: string) => ({
    type: 'order.filled',
    data: { no: o, tradeNo, price: '10', amount: '1', fee: '0' },
  });
  const moved = (amount: string) => ({
    type: 'transfer.made',
    data: { no: unique('T'), account, toAccount: account, market: 'USDT', platform: 2, toPlatform: 3, amount },
  });
  const twice = { eventId: unique('twice'), ...moved('1') };
  const answers = await send(
    server,
    moved('50'),
    { type: 'position.placed', data: position },
    { type: 'position.placed', data: position },
    { type: 'position.opened', data: { no: p, price: '10', fee: '0' } },
    twice,
    closed('GC-1' + p, '1'),
    closed('GC-1' + p, '1'),
    closed('GC-2' + p, '5'),
    moved('1000'),
    closed('GC-3' + p, '1'),
    { type: 'order.placed', data: order },
    filled('GT-1' + o),
    filled('GT-1' + o),
    filled('GT-2' + o),
    twice,
    moved('30'),
    { type: 'order.cancelled', data: { no: o } },
  );
  expect(answers.map(({ result, reason }) => reason ?? result)).toEqual([
    'applied',
    'applied',
    'exists',
    'applied',
    'applied',
    'applied',
    'exists',
    'beyond the order',
    'insufficient',
    'applied',
    'applied',
    'applied',
    'exists',
    'applied',
    'duplicate',
    'insufficient',
    'state',
  ]);
  expect(await holdingsOf(server, account)).toEqual({
    'BTC 2 active': '2',
    'USDT 2 active': '29',
    'USDT 3 active': '51',
  });
});

test('what is gathered and meets an account that somebody else holds is done event by event', async () => {
  const [before, held, behind] = [await makeUser(server), await makeUser(server), await makeUser(server)];
  await apply(server, credited(before), credited(held), credited(behind));
  let sent: Promise<unknown> | undefined;
  await server.owner.transaction().execute(async (db) => {
    await sql`select 1 from account a join users u on u.id = a.user_id where u.account = ${held} for update of a`.execute(
      db,
    );
    sent = send(server, credited(before), credited(held), credited(behind));
    await expect.poll(() => holdingsOf(server, before), { timeout: 20_000 }).toEqual({ 'USDT 1 active': '10' });
    expect(await holdingsOf(server, behind)).toEqual({ 'USDT 1 active': '5' });
  });
  expect(await sent).toMatchObject([{ result: 'applied' }, { result: 'applied' }, { result: 'applied' }]);
  for (const user of [before, held, behind]) expect(await holdingsOf(server, user)).toEqual({ 'USDT 1 active': '10' });
});

test('a connection that is lost in the middle of a group loses all of it or nothing, and the same call makes it whole', async () => {
  const users = await Promise.all([1, 2, 3].map(() => makeUser(server)));
  const events = Array.from({ length: 60 }, (_, n) => ({ ...credited(users[n % 3] ?? ''), eventId: unique('lost-') }));
  const known = async () => {
    const [row] = await server.query(sql<{ inbox: number; rows: number; entries: number }>`
      select (select count(*)::int from inbox where event_id like 'lost-%') as inbox,
        (select count(*)::int from recharge r join users u on u.id = r.user_id where u.account = any(${users}::text[])) as rows,
        (select count(*)::int from entry e join users u on u.id = e.user_id where u.account = any(${users}::text[])) as entries`);
    return row;
  };
  await server.owner.transaction().execute(async (db) => {
    // A user's row stands in the way, so that the connection is cut in the middle of the call.
    await sql`select 1 from users where account = ${users[2]} for update`.execute(db);
    const call: { answer?: string } = {};
    void send(server, ...events).then(
      () => (call.answer = 'answered'),
      (error: unknown) => (call.answer = String(error)),
    );
    while (call.answer === undefined) {
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`.execute(server.owner);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(call.answer).toContain('events: 503');
  });
  const cut = await known();
  expect(cut).toEqual({ inbox: cut?.inbox, rows: cut?.inbox, entries: cut?.inbox });
  expect(cut?.inbox).toBeLessThan(60);
  const again = await send(server, ...events);
  expect(again.filter(({ result }) => result === 'duplicate')).toHaveLength(cut?.inbox ?? -1);
  expect(await known()).toEqual({ inbox: 60, rows: 60, entries: 60 });
});

test('a tick that halts among orders stops those behind it, and none before it', async () => {
  const place = await makePlace(unique('halting'));
  const [account = ''] = place.users;
  const { market } = place;
  const at = server.clock.now();
  const order = (n: number) => ({
    type: 'order.placed',
    data: { no: `${place.tag}-${n}`, account, market, side: 1, type: 1, price: '10', amount: '1' },
  });
  const tick = (price: string, after: number) => ({ type: 'tick', data: { market, price, at: at + after } });
  const told = await send(
    server,
    order(1),
    tick('100', 1),
    order(2),
    tick('120', 2),
    order(3),
    tick('100', 3),
    order(4),
  );
  expect(told.map(({ result, reason }) => reason ?? result)).toEqual([
    'applied',
    'applied',
    'applied',
    'applied',
    'halted',
    'applied',
    'halted',
  ]);
});

test('what is wrong with a tick is told in its place, and one that came twice is no second price', async () => {
  const place = await makePlace(unique('odd'));
  const [account = ''] = place.users;
  const { market } = place;
  const at = server.clock.now();
  const tick = (price: string, after: number, more: object = {}) => ({
    type: 'tick',
    data: { market, price, at: at + after },
    ...more,
  });
  const twice = { eventId: unique('twice') };
  const own = (n: number) => ({ type: 'user.login', data: { account, ip: `198.18.0.${n}`, device: 'x' } });
  const answers = (events: Sent[]) => send(server, ...events);
  const first = await answers([
    own(1),
    tick('100', 5),
    own(2),
    tick('101', 4),
    tick('0', 6),
    tick('102', 6, twice),
    own(3),
  ]);
  expect(first.map(({ result, reason }) => reason ?? result)).toEqual([
    'applied',
    'applied',
    'applied',
    'late',
    'invalid: price',
    'applied',
    'applied',
  ]);
  const again = await answers([
    own(4),
    tick('103', 7),
    tick('102', 6, twice),
    own(5),
    tick('104', 8),
    tick('104', 8, twice),
  ]);
  expect(again.map(({ result, reason }) => reason ?? result)).toEqual([
    'applied',
    'applied',
    'duplicate',
    'applied',
    'applied',
    'duplicate',
  ]);
  const prices = await server.query(sql<{ price: string }>`
    select t.price from tick t join market m on m.id = t.market_id where m.market_name = ${market} order by t.id`);
  expect(prices.map(({ price }) => price)).toEqual(['100', '102', '103', '104']);
});
