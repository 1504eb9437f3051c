// @module-tag full
// @module-tag soak
import { ENTRY, PLATFORM } from '@hengtai/contract/values/money';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onTron } from '../../test/address.ts';
import { fetchEntries, fetchBalances, makeMarket } from '../../test/book.ts';
import { makeTrader } from '../../test/spot.ts';
import { makeUser, recharge } from '../../test/factories.ts';
import { BatchAudit } from '../../test/batch-audit.ts';
import { type TestServer, apply, send, testServer, unique } from '../../test/server.ts';
import { inTransaction } from '../database/connect.ts';
import { checkBook } from '../books/ledger/check.ts';
import { type HoldOwner, activeOf } from '../books/ledger/hold.ts';
import { post } from '../books/ledger/post.ts';
import { sized } from '../../../testing/level.ts';

let server: TestServer;
const audit = new BatchAudit();
beforeAll(async () => {
  audit.start();
  server = await testServer({ jobs: false });
  await server.query(sql`update installation set live = 1`);
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});

type Sent = Parameters<typeof send>[1];

const USERS = 3;
const userIndex = fc.nat({ max: USERS - 1 });
const numberIndex = fc.nat({ max: 4 });
const amount = fc.constantFrom('1', '2.5', '30', '400', '0');
const step = fc.record({
  kind: fc.nat({ max: 41 }),
  user: userIndex,
  other: userIndex,
  number: numberIndex,
  amount,
  /** A small range, so that some events repeat. */
  eventId: fc.nat({ max: 60 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Prices inside the protected band, on its edge and beyond it, and an invalid one. */
const PRICES: Readonly<Record<string, string>> = { '1': '95', '2.5': '110', '30': '100.5', '400': '200', '0': '0' };

/** The event of a step in one of the two worlds. All names of a world begin with its tag. */
function eventOf({ tag, users, market }: World, at: number, what: Step): Sent {
  const account = users[what.user] ?? '';
  const no = `${tag}-${what.number}`;
  const chain = { market: 'USDT', network: 'TRC20', address: `${tag}-T${what.number}` };
  const { network } = chain;
  const txHash = `${tag}-${what.other}`;
  const chainMove = { wallet: `${tag}-${what.other}`, amount: '-1', txHash, address: chain.address };
  const order = { no, account, market, side: 1, type: 1, price: '10', amount: what.amount };
  const position = { no, account, market, demo: 0, side: 1, type: 2, leverage: 1, amount: '1' };
  // Some ticks have equal times, some are older than their predecessor.
  const tick: [string, object] = ['tick', { market, price: PRICES[what.amount], at: at - 100 + 10 * what.other }];
  const identity = { name: 'A B', country: 'CN', idType: 1, idNumber: '1', level: 1, front: 'a', back: 'b' };
  const kinds: readonly [string, object][] = [
    ['recharge.credited', { no, account, ...chain, txHash: '0x1', amount: what.amount, confirmations: 9, source: 1 }],
    ['recharge.detected', { no, account, ...chain, txHash: '0x1', amount: what.amount, confirmations: 0, source: 1 }],
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
    ['user.registered', { account: `${tag}-n${what.number}` }],
    ['auth.submitted', { ...identity, account: what.other === 0 ? `${tag}-n${what.number}` : account }],
    ['follow.closed', { no, profit: '0' }],
    ['no.such', {}],
    tick,
    tick,
    tick,
    // The valuation depends on the last price.
    ['withdraw.requested', { no, account, ...chain, market, amount: what.amount, fee: '0' }],
    ['withdraw.cancelled', { no }],
    ['withdraw.paying', { no, txHash: '0x1' }],
    ['withdraw.paid', { no, txHash: '0x1' }],
    ['withdraw.failed', { no, reason: 'no gas' }],
    ['withdraw.unknown', { no, reason: 'no answer' }],
    // The next two change the risks of later withdrawals only.
    ['user.credential', { account, kind: 'password' }],
    ['withdraw.requested', { no, account, ...chain, address: `${tag}-T`, amount: what.amount, fee: '0.5' }],
    ['agent.registered', { account: `${tag}-a${what.number}` }],
    ['message.received', { no, account, text: 'hello' }],
    ['ieo.ordered', { no, account, market, price: '2', amount: what.amount }],
    ['ieo.cancelled', { no }],
    ['second.opened', { no, account, market, side: 1, seconds: 30, amount: what.amount }],
    ['follow.opened', { no, account, signal: 'none', amount: what.amount }],
    ['wallet.saved', { wallet: no, kind: 'hot', market: what.other === 0 ? market : 'USDT', network, state: 1 }],
    ['wallet.balance', { wallet: no, amount: what.amount }],
    ['chain.moved', { ...chainMove, no, kind: 'other', fee: what.amount, feeMarket: 'USDT' }],
    ['chain.reverted', { no }],
    ['withdraw.paid', { no, txHash, chainFee: what.amount }],
  ];
  const [type, data] = kinds[what.kind] ?? ['no.such', {}];
  return { eventId: `${tag}-e${what.eventId}`, type, at, data };
}

/** Kinds of `eventOf` that the examples use. */
const KIND = {
  recharge: 0,
  request: 4,
  placed: 6,
  filled: 7,
  positionPlaced: 11,
  opened: 12,
  closed: 14,
  funding: 15,
  tick: 20,
  coinRequest: 23,
  credential: 29,
  requestToSharedAddress: 30,
  walletSaved: 37,
  moved: 39,
  reverted: 40,
} as const;
type Example = Partial<Omit<Step, 'kind'>> & { kind: keyof typeof KIND };

/** Sequences that random steps contain too rarely. Every step has its own event id and, unless given, number. */
const example = (...steps: readonly Example[]): [Step[]] => [
  steps.map(({ kind, ...rest }, n) => ({
    user: 0,
    other: 0,
    number: n,
    amount: '1',
    eventId: n,
    ...rest,
    kind: KIND[kind],
  })),
];
const examples = [
  // The recharge decides whether the second request exceeds what is left without the manual adjustment.
  example(
    { kind: 'recharge', amount: '400' },
    { kind: 'request', amount: '400' },
    { kind: 'request', amount: '30' },
    { kind: 'credential' },
    { kind: 'request', amount: '1' },
  ),
  // Only the second request has an address of another user.
  example(
    { kind: 'recharge', amount: '30' },
    { kind: 'recharge', amount: '30', user: 1 },
    { kind: 'requestToSharedAddress', amount: '30' },
    { kind: 'requestToSharedAddress', amount: '30', user: 1 },
  ),
  // Each request is valued at the price before it.
  example(
    { kind: 'coinRequest', amount: '1' },
    { kind: 'tick', amount: '1' },
    { kind: 'coinRequest', amount: '2.5' },
    { kind: 'tick', amount: '30', other: 1 },
    { kind: 'coinRequest', amount: '1' },
    { kind: 'coinRequest', amount: '1', user: 1 },
  ),
  example(
    { kind: 'placed', amount: '2.5' },
    { kind: 'positionPlaced', amount: '30', number: 1 },
    { kind: 'filled', amount: '2.5', number: 0 },
    { kind: 'opened', number: 1 },
    { kind: 'funding', number: 1 },
    { kind: 'closed', number: 1 },
  ),
  // The first move posts its fee, the second one states another.
  example(
    { kind: 'moved' },
    { kind: 'walletSaved', number: 0 },
    { kind: 'moved', amount: '2.5' },
    { kind: 'moved', amount: '30' },
    { kind: 'reverted', number: 3 },
    { kind: 'reverted', number: 3 },
  ),
];

interface World {
  tag: string;
  users: readonly string[];
  market: string;
}

/** Creates users with money on two account types, and a market with price protection. */
async function makeWorld(tag: string): Promise<World> {
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
  await addByHand(users);
  return { tag, users, market };
}

/** Adds 60 USDT to the fund accounts as operators do. A withdrawal of more than the rest is a risk. */
async function addByHand(users: readonly string[]): Promise<void> {
  const owners = await server.query(sql<HoldOwner['user']>`
    select id, agent_id as "agentId" from users where account = any(${users}::text[]) order by id`);
  const [at, type] = [server.clock.now(), ENTRY.manualAdd];
  for (const user of owners) {
    const debit = { house: 'adjustment', stripe: user.id, marketId: 1 } as const;
    const credit = activeOf({ user, marketId: 1, platform: PLATFORM.fund });
    await inTransaction(server.app.system, (db) =>
      post(db, { refType: 'adjustment', refId: user.id, at, now: at }, [
        { debit, credit, amount: '60', debitType: type, creditType: type },
      ]),
    );
  }
}

/** All rows of a world, without its tag. */
async function fetchRows({ tag, users, market }: World): Promise<unknown> {
  const named = sql`replace(no, ${tag}, '')`;
  const isOwn = sql`left(no, ${tag.length + 1}) = ${`${tag}-`}`;
  const rows = (statement: ReturnType<typeof sql>) => server.query(statement);
  return {
    holdings: await Promise.all(users.map((user) => fetchBalances(server, user))),
    entries: await Promise.all(users.map((user) => fetchEntries(server, user))),
    recharges: await rows(
      sql`select ${named} as no, state, amount, confirmations from recharge where ${isOwn} order by id`,
    ),
    withdraws: await rows(
      sql`select ${named} as no, state, amount, valuation, risk from withdraw where ${isOwn} order by id`,
    ),
    orders: await rows(
      sql`select ${named} as no, state, filled, frozen, turnover from trade_order where ${isOwn} order by id`,
    ),
    positions: await rows(sql`
      select ${named} as no, state, held, margin, close_amount, realized, fee, funding, insured from future_order
      where ${isOwn} order by id`),
    closes: await rows(sql`
      select replace(c.close_no, ${tag}, '') as no, c.realized, c.released, c.fee from future_close c
      where c.close_no like ${`${tag}-%`} order by c.id`),
    people: await rows(sql`
      select case when account like ${`${tag}-%`} then replace(account, ${tag}, '') end as account, auth, last_login_ip from users
      where account like ${`${tag}-%`} or account = any(${[...users]}::text[]) order by id`),
    identities: await rows(sql`
      select a.state, a.level from auth a join users u on u.id = a.user_id
      where u.account like ${`${tag}-%`} or u.account = any(${[...users]}::text[]) order by a.id`),
    transfers: await rows(sql`select ${named} as no, amount from internal_transfer where ${isOwn} order by id`),
    inbox: await rows(sql`
      select replace(event_id, ${tag}, '') as id, type from inbox where left(event_id, ${tag.length + 1}) = ${`${tag}-`} order by 1`),
    notifications: await rows(sql`
      select n.type, n.amount, n.state from notice n join users u on u.id = n.user_id
      where u.account = any(${[...users]}::text[]) order by n.ref_type, n.ref_id, n.id`),
    holds: await rows(sql`
      select h.ref_type, h.amount, h.released from hold h join users u on u.id = h.user_id
      where u.account = any(${[...users]}::text[]) order by h.id`),
    prices: await rows(sql`
      select t.price, t.at from tick t join market m on m.id = t.market_id where m.market_name = ${market} order by t.id`),
    wallets: await rows(sql`
      select ${named} as no, (select count(*) from wallet_reading r where r.wallet_id = w.id) as readings
      from wallet w where ${isOwn} order by id`),
    moves: await rows(sql`
      select replace(c.no, ${tag}, '') as no, c.amount, r.move_id is not null as reverted
      from chain_move c left join chain_revert r on r.move_id = c.id where c.no like ${`${tag}-%`} order by c.id`),
    fees: await rows(sql`
      select replace(f.tx_hash, ${tag}, '') as hash, f.market, f.amount, f.effect, sum(e.amount) as posted
      from chain_fee f left join entry e on e.ref_type = 'chainFee' and e.ref_id = f.id and e.side = 1
      where f.tx_hash like ${`${tag}-%`} group by f.id order by f.id`),
    watched: await rows(sql`
      select m.price, m.price_at, m.halted_at, m.future_halted_at, p.market_type, p.inside, p.trigger_price, p.triggered_at,
        (select count(*) from command c where c.ref_type = 'market' and c.ref_id = m.id) as commands,
        (select count(*) from notice n where n.ref_type = 'plan' and n.ref_id = m.id) as notifications
      from market m join plan p on p.market_id = m.id where m.market_name = ${market} order by p.market_type`),
  };
}

test('a batch gives the same answers and rows as its events one by one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 45 }), async (walk) => {
      const at = server.clock.now();
      const outcomes: unknown[] = [];
      for (const together of [true, false]) {
        const world = await makeWorld(unique(together ? 'together' : 'oneByOne'));
        const events = walk.map((what) => eventOf(world, at, what));
        const answers = together ? await send(server, ...events) : [];
        if (!together) for (const event of events) answers.push(...(await send(server, event)));
        const results = answers.map(({ eventId, detail, ...rest }) => ({
          ...rest,
          eventId: eventId.replace(world.tag, ''),
          detail: detail?.replace(/^\/\d+/, ''),
        }));
        outcomes.push({ results, rows: normalized(await fetchRows(world), world.market) });
      }
      expect(outcomes[0]).toEqual(outcomes[1]);
    }),
    { numRuns: sized({ full: 18, long: 300 }), examples },
  );
  audit.stop();
  expect(await audit.findViolations(server.owner)).toEqual([]);
  expect(audit.size).toBeGreaterThan(5);
});

/** Removes what differs between worlds: creation times and the name of the market. */
const normalized = (rows: unknown, market: string): unknown =>
  JSON.parse(
    JSON.stringify(rows, (key, value: unknown) => (key === 'createdAt' ? undefined : value)).replaceAll(market, 'COIN'),
  );

const credited = (account: string) => ({
  type: 'recharge.credited',
  data: {
    no: unique('G'),
    account,
    market: 'USDT',
    ...onTron('any'),
    amount: '5',
    confirmations: 9,
    source: 1,
  },
});

test('an event that waits for a locked row does not delay or lock the events before it', async () => {
  const [before, locked, behind] = [await makeUser(server), await makeUser(server), await makeUser(server)];
  // The ledger accounts exist already, so only the one locked row can block.
  await apply(server, credited(before), credited(locked), credited(behind));
  let sent: Promise<unknown> | undefined;
  await server.owner.transaction().execute(async (db) => {
    await sql`select 1 from users where account = ${locked} for update`.execute(db);
    const events = [credited(before), credited(locked), credited(behind)];
    sent = send(server, ...events);
    await expect.poll(() => fetchBalances(server, before)).toEqual({ 'USDT 1 active': '10' });
    expect(await fetchBalances(server, behind)).toEqual({ 'USDT 1 active': '5' });
    await sql`select 1 from account a join users u on u.id = a.user_id where u.account = ${before} for update of a nowait`.execute(
      db,
    );
  });
  expect(await sent).toMatchObject([{ result: 'applied' }, { result: 'applied' }, { result: 'applied' }]);
  for (const user of [before, locked, behind])
    expect(await fetchBalances(server, user)).toEqual({ 'USDT 1 active': '10' });
});

test('a batch applies the whole life of an order and a position, and skips only the rejected events', async () => {
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
  expect(await fetchBalances(server, account)).toEqual({
    'BTC 2 active': '2',
    'USDT 2 active': '29',
    'USDT 3 active': '51',
  });
});

test('a ledger batch that meets a locked account is applied event by event', async () => {
  const [before, locked, behind] = [await makeUser(server), await makeUser(server), await makeUser(server)];
  await apply(server, credited(before), credited(locked), credited(behind));
  let sent: Promise<unknown> | undefined;
  await server.owner.transaction().execute(async (db) => {
    await sql`select 1 from account a join users u on u.id = a.user_id where u.account = ${locked} for update of a`.execute(
      db,
    );
    sent = send(server, credited(before), credited(locked), credited(behind));
    await expect.poll(() => fetchBalances(server, before), { timeout: 20_000 }).toEqual({ 'USDT 1 active': '10' });
    expect(await fetchBalances(server, behind)).toEqual({ 'USDT 1 active': '5' });
  });
  expect(await sent).toMatchObject([{ result: 'applied' }, { result: 'applied' }, { result: 'applied' }]);
  for (const user of [before, locked, behind])
    expect(await fetchBalances(server, user)).toEqual({ 'USDT 1 active': '10' });
});

test('a connection lost in the middle of a group leaves no partial events, and repeating the call completes it', async () => {
  const users = await Promise.all([1, 2, 3].map(() => makeUser(server)));
  const events = Array.from({ length: 60 }, (_, n) => ({ ...credited(users[n % 3] ?? ''), eventId: unique('lost-') }));
  const countRows = async () => {
    const [row] = await server.query(sql<{ inbox: number; rows: number; entries: number }>`
      select (select count(*)::int from inbox where event_id like 'lost-%') as inbox,
        (select count(*)::int from recharge r join users u on u.id = r.user_id where u.account = any(${users}::text[])) as rows,
        (select count(*)::int from entry e join users u on u.id = e.user_id where u.account = any(${users}::text[])) as entries`);
    return row;
  };
  await server.owner.transaction().execute(async (db) => {
    // A locked user row blocks the call, so that its connection can be cut in the middle.
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
  const cut = await countRows();
  expect(cut).toEqual({ inbox: cut?.inbox, rows: cut?.inbox, entries: cut?.inbox });
  expect(cut?.inbox).toBeLessThan(60);
  const again = await send(server, ...events);
  expect(again.filter(({ result }) => result === 'duplicate')).toHaveLength(cut?.inbox ?? -1);
  expect(await countRows()).toEqual({ inbox: 60, rows: 60, entries: 60 });
});

test('a tick that halts the market rejects the orders after it, and none before it', async () => {
  const world = await makeWorld(unique('halting'));
  const [account = ''] = world.users;
  const { market } = world;
  const at = server.clock.now();
  const order = (n: number) => ({
    type: 'order.placed',
    data: { no: `${world.tag}-${n}`, account, market, side: 1, type: 1, price: '10', amount: '1' },
  });
  const tick = (price: string, after: number) => ({ type: 'tick', data: { market, price, at: at + after } });
  const answers = await send(
    server,
    order(1),
    tick('100', 1),
    order(2),
    tick('120', 2),
    order(3),
    tick('100', 3),
    order(4),
  );
  expect(answers.map(({ result, reason }) => reason ?? result)).toEqual([
    'applied',
    'applied',
    'applied',
    'applied',
    'halted',
    'applied',
    'halted',
  ]);
});

test('a bad tick is rejected in its place, and a repeated one stores no second price', async () => {
  const world = await makeWorld(unique('odd'));
  const [account = ''] = world.users;
  const { market } = world;
  const at = server.clock.now();
  const tick = (price: string, after: number, more: object = {}) => ({
    type: 'tick',
    data: { market, price, at: at + after },
    ...more,
  });
  const twice = { eventId: unique('twice') };
  const userLogin = (n: number) => ({ type: 'user.login', data: { account, ip: `198.18.0.${n}`, device: 'x' } });
  const answers = (events: Sent[]) => send(server, ...events);
  const first = await answers([
    userLogin(1),
    tick('100', 5),
    userLogin(2),
    tick('101', 4),
    tick('0', 6),
    tick('102', 6, twice),
    userLogin(3),
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
    userLogin(4),
    tick('103', 7),
    tick('102', 6, twice),
    userLogin(5),
    tick('104', 8),
    tick('104', 8, twice),
  ]);
  expect(again.map(({ result, reason }) => reason ?? result)).toEqual([
    'applied',
    'applied',
    'duplicate',
    'applied',
    'applied',
    'conflict',
  ]);
  const prices = await server.query(sql<{ price: string }>`
    select t.price from tick t join market m on m.id = t.market_id where m.market_name = ${market} order by t.id`);
  expect(prices.map(({ price }) => price)).toEqual(['100', '102', '103', '104']);
});
