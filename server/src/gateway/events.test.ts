import { EVENT_AHEAD_MS } from '@hengtai/contract/gateway/gateway';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onTron } from '../../test/address.ts';
import {
  type SentEvent,
  fetchEntries,
  fingerprint,
  freezeClock,
  fetchBalances,
  makeMarket,
  expectRejection,
} from '../../test/book.ts';
import { makeUser } from '../../test/factories.ts';
import { type TestServer, send, testServer, unique } from '../../test/server.ts';
import { checkBook } from '../books/ledger/check.ts';

let server: TestServer;

beforeAll(async () => {
  server = await testServer({ jobs: false });
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});

const registered = (account: string): SentEvent => ({ type: 'user.registered', data: { account } });

const credited = (account: string, amount: string, market = 'USDT', no = unique('R')): SentEvent => ({
  type: 'recharge.credited',
  data: { no, account, market, ...onTron('1'), amount, confirmations: 1, source: 1 },
});

const requested = (account: string, amount: string, no = unique('W')): SentEvent => ({
  type: 'withdraw.requested',
  data: { no, account, market: 'USDT', ...onTron('1'), amount, fee: '0' },
});

const moved = (account: string, toAccount: string, amount: string, no = unique('T')): SentEvent => ({
  type: 'transfer.made',
  data: { no, account, toAccount, market: 'USDT', platform: 1, toPlatform: 1, amount },
});

const results = async (...events: SentEvent[]) => (await send(server, ...events)).map((answer) => answer.result);
const outcomes = async (...events: SentEvent[]) =>
  (await send(server, ...events)).map(({ result, reason }) => reason ?? result);

describe('one event has one effect', () => {
  test('is a duplicate without effect the second time', async () => {
    const user = await makeUser(server);
    const event = { ...credited(user, '10'), eventId: unique('once-') };
    expect(await send(server, event)).toEqual([{ eventId: event.eventId, result: 'applied' }]);
    const before = await fingerprint(server);
    expect(await send(server, event)).toEqual([{ eventId: event.eventId, result: 'duplicate' }]);
    expect(await fingerprint(server)).toEqual(before);
    expect(await fetchBalances(server, user)).toEqual({ 'USDT 1 active': '10' });
  });

  test('is applied once when it comes three times in one call', async () => {
    const user = await makeUser(server);
    const event = { ...credited(user, '10'), eventId: unique('once-') };
    expect(await results(event, event, event)).toEqual(['applied', 'duplicate', 'duplicate']);
    expect(await fetchBalances(server, user)).toEqual({ 'USDT 1 active': '10' });
  });

  test('is applied once when ten calls send it at the same time', async () => {
    const user = await makeUser(server);
    const event = { ...credited(user, '10'), eventId: unique('once-') };
    const answers = await Promise.all(Array.from({ length: 10 }, () => results(event)));
    expect(answers.flat().sort()).toEqual(['applied', ...Array.from({ length: 9 }, () => 'duplicate')]);
    expect(await fetchBalances(server, user)).toEqual({ 'USDT 1 active': '10' });
    expect(await fetchEntries(server, user)).toHaveLength(1);
  });

  test('is a conflict under a used id with other content, and raises one alarm', async () => {
    const user = await makeUser(server);
    const eventId = unique('once-');
    expect(await results({ ...credited(user, '10'), eventId })).toEqual(['applied']);
    const before = [await fetchEntries(server, user), await fetchBalances(server, user)];
    const others: SentEvent[] = [credited(user, '99'), registered('nobody-yet'), { type: 'no.such.type', data: {} }];
    for (const other of others) {
      expect(await outcomes({ ...other, eventId })).toEqual(['conflict']);
      // In a group as well, whose other events are applied.
      const login = { type: 'user.login', data: { account: user, ip: '198.51.100.7' } };
      expect(await outcomes({ ...other, eventId }, login)).toEqual(['conflict', 'applied']);
    }
    expect([await fetchEntries(server, user), await fetchBalances(server, user)]).toEqual(before);
    expect(await outcomes(registered('nobody-yet'))).toEqual(['applied']);
    const alarms = await server.query(sql<{ detail: unknown }>`
      select detail from alarm where kind = 'event.conflict' and detail ->> 'eventId' = ${eventId}`);
    expect(alarms).toEqual([{ detail: { eventId } }]);
  });

  test('is a duplicate with the same content at another time, with fields in another order, and without a digest', async () => {
    const user = await makeUser(server);
    const eventId = unique('once-');
    const event = credited(user, '10');
    expect(await results({ ...event, eventId })).toEqual(['applied']);
    const reordered = Object.fromEntries(Object.entries(event.data).toReversed());
    expect(await results({ ...event, eventId, data: reordered, at: server.clock.now() - 5 })).toEqual(['duplicate']);
    await sql`update inbox set digest = null where event_id = ${eventId}`.execute(server.owner);
    expect(await results({ ...credited(user, '11'), eventId })).toEqual(['duplicate']);
  });

  test('of two with one id in a call, the second is a duplicate or a conflict', async () => {
    const user = await makeUser(server);
    const [eventId, other] = [unique('once-'), unique('once-')];
    const first = credited(user, '1');
    const second = { ...credited(user, '2'), eventId: other };
    expect(await outcomes({ ...first, eventId }, { ...first, eventId }, second, { ...first, eventId: other })).toEqual([
      'applied',
      'duplicate',
      'applied',
      'conflict',
    ]);
  });

  test('compares ids exactly, including case and spaces', async () => {
    const eventId = unique('Once-');
    expect(await results({ ...registered(unique('user')), eventId })).toEqual(['applied']);
    expect(await results({ ...registered(unique('user')), eventId: eventId.toUpperCase() })).toEqual(['applied']);
    expect(await results({ ...registered(unique('user')), eventId: `${eventId} ` })).toEqual(['applied']);
  });
});

describe('a number of the platform is used once', () => {
  test('rejects a number that was used under another eventId', async () => {
    const user = await makeUser(server, { amount: '100' });
    const other = await makeUser(server, { amount: '100' });
    const events: [SentEvent, SentEvent][] = [
      [credited(user, '1', 'USDT', 'N-1'), credited(user, '1', 'USDT', 'N-1')],
      [requested(user, '2', 'N-1'), requested(other, '3', 'N-1')],
      [moved(user, other, '1', 'N-1'), moved(other, user, '5', 'N-1')],
    ];
    for (const [first, second] of events) {
      expect(await results(first)).toEqual(['applied']);
      expect(await expectRejection(server, second)).toBe('exists');
    }
  });

  test('separates the numbers of deposits, withdrawals and transfers', async () => {
    const user = await makeUser(server, { amount: '100' });
    const other = await makeUser(server);
    const no = unique('shared-');
    const answers = await results(
      credited(user, '1', 'USDT', no),
      requested(user, '1', no),
      moved(user, other, '1', no),
    );
    expect(answers).toEqual(['applied', 'applied', 'applied']);
  });

  test.each([
    ['recharge.credited', (user: string, no: string) => credited(user, '10', 'USDT', no), '30'],
    ['withdraw.requested', (user: string, no: string) => requested(user, '10', no), '10'],
    ['transfer.made', (user: string, no: string) => moved(user, 'sink', '10', no), '10'],
  ])('applies one of ten concurrent events of %s with the same number', async (_type, make, left) => {
    const user = await makeUser(server, { amount: '20' });
    await send(server, { ...registered('sink'), eventId: 'sink' });
    const no = unique('N');
    const answers = (await Promise.all(Array.from({ length: 10 }, () => send(server, make(user, no))))).flat();
    expect(answers.filter((answer) => answer.result === 'applied')).toHaveLength(1);
    expect(answers.filter((answer) => answer.reason === 'exists')).toHaveLength(9);
    expect(await fetchBalances(server, user)).toMatchObject({ 'USDT 1 active': left });
  });
});

describe('a rejected event', () => {
  test('leaves no rows, and is applied when it is sent again after the cause is gone', async () => {
    const user = await makeUser(server, { amount: '5' });
    const event = { ...requested(user, '50'), eventId: unique('again-') };
    expect(await expectRejection(server, event)).toBe('insufficient');
    expect(await expectRejection(server, event)).toBe('insufficient');
    expect(await results(credited(user, '45'))).toEqual(['applied']);
    expect(await results(event)).toEqual(['applied']);
    expect(await results(event)).toEqual(['duplicate']);
    expect(await fetchBalances(server, user)).toEqual({ 'USDT 1 frozen': '50' });
  });

  test('does not stop the following events of its call', async () => {
    const user = unique('user');
    const answers = await send(
      server,
      credited(user, '10'),
      registered(user),
      { type: 'no.such.type', data: {} },
      credited(user, '10'),
      requested(user, '11'),
      requested(user, '10'),
    );
    expect(answers.map(({ result, reason }) => reason ?? result)).toEqual([
      'unknown: account',
      'applied',
      'unsupported',
      'applied',
      'insufficient',
      'applied',
    ]);
    expect(await fetchBalances(server, user)).toEqual({ 'USDT 1 frozen': '10' });
  });
});

describe('a call', () => {
  test('is applied and answered in the order of its events', async () => {
    const user = unique('user');
    const events = [
      registered(user),
      ...Array.from({ length: 20 }, (_, n) => credited(user, String(n + 1))),
      requested(user, '210'),
    ].map((event) => ({ ...event, eventId: unique('ordered-') }));
    const answers = await send(server, ...events);
    expect(answers).toEqual(events.map(({ eventId }) => ({ eventId, result: 'applied' })));
    const entries = await fetchEntries(server, user);
    expect(entries.slice(0, 20).map((entry) => entry.amount)).toEqual(
      Array.from({ length: 20 }, (_, n) => String(n + 1)),
    );
    expect(entries.at(-1)).toMatchObject({ type: 9, amount: '210', balance: '210', bucket: 'frozen' });
  });

  test('may contain a thousand events: valid, invalid and repeated', async () => {
    const users = Array.from({ length: 50 }, () => unique('many-'));
    const batch: SentEvent[] = [];
    for (const user of users) {
      const other = users[(users.indexOf(user) + 1) % users.length] ?? user;
      const once = { ...credited(user, '100'), eventId: unique('many-event-') };
      batch.push(registered(user), registered(user));
      for (let n = 0; n < 3; n += 1) batch.push(once, { type: 'user.login', data: { account: user, ip: '10.0.0.1' } });
      for (let n = 0; n < 4; n += 1) batch.push(moved(user, user, '1'), moved(user, 'nobody', '1'));
      batch.push(requested(user, '60'), requested(user, '60'));
      batch.push({ type: 'transfer.made', data: { ...moved(user, user, '5').data, toPlatform: 2 } });
      batch.push({ type: 'user.credential', data: { account: other, kind: 'otp' } });
    }
    expect(batch).toHaveLength(1_000);
    const answers = await send(server, ...batch);
    const tally: Record<string, number> = {};
    for (const { result, reason } of answers) tally[reason ?? result] = (tally[reason ?? result] ?? 0) + 1;
    expect(tally).toEqual({
      // Per user: registration, deposit, three logins, withdrawal, own transfer. One credential names a registered
      // user.
      applied: 50 * 7 + 1,
      'unknown: account': 49,
      'unknown: toAccount': 200,
      'same account': 200,
      duplicate: 100,
      exists: 50,
      insufficient: 50,
    });
    for (const user of users) {
      expect(await fetchBalances(server, user)).toEqual({
        'USDT 1 active': '35',
        'USDT 1 frozen': '60',
        'USDT 2 active': '5',
      });
    }
  });
});

describe('concurrent calls', () => {
  test('cannot spend a balance twice', async () => {
    const user = await makeUser(server, { amount: '500' });
    const answers = await Promise.all(Array.from({ length: 12 }, () => send(server, requested(user, '100'))));
    const outcomes = answers.flat().map(({ result, reason }) => reason ?? result);
    expect(outcomes.filter((outcome) => outcome === 'applied')).toHaveLength(5);
    expect(outcomes.filter((outcome) => outcome === 'insufficient')).toHaveLength(7);
    expect(await fetchBalances(server, user)).toEqual({ 'USDT 1 frozen': '500' });
  });

  test('with transfers in opposite directions are all applied', async () => {
    const one = await makeUser(server, { amount: '100' });
    const two = await makeUser(server, { amount: '100' });
    const crossing = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? moved(one, two, '3') : moved(two, one, '2')));
    const answers = await Promise.all(crossing.map((event) => results(event)));
    expect(answers.flat().every((result) => result === 'applied')).toBe(true);
    expect(await fetchBalances(server, one)).toEqual({ 'USDT 1 active': '90' });
    expect(await fetchBalances(server, two)).toEqual({ 'USDT 1 active': '110' });
  });
});

describe('the time of an event', () => {
  test('is stored as the time of its row and entries', async () => {
    const user = await makeUser(server);
    const at = server.clock.now() - 90 * 86_400_000;
    expect(await results({ ...credited(user, '10'), at })).toEqual(['applied']);
    expect(await fetchEntries(server, user)).toMatchObject([{ createdAt: at }]);
    const [row] = await server.query(sql<{ created_at: number; credited_at: number }>`
      select r.created_at, r.credited_at from recharge r join users u on u.id = r.user_id where u.account = ${user}`);
    expect(row).toEqual({ created_at: at, credited_at: at });
  });

  test('may be a minute ahead, but no row is later than now', async () => {
    const user = await makeUser(server);
    const clock = freezeClock(server);
    try {
      const ahead = { ...credited(user, '10'), at: clock.at + EVENT_AHEAD_MS + 1 };
      expect(await expectRejection(server, ahead)).toBe('ahead');
      expect(await results({ ...ahead, at: clock.at + EVENT_AHEAD_MS })).toEqual(['applied']);
      expect(await fetchEntries(server, user)).toMatchObject([{ createdAt: clock.at }]);
    } finally {
      clock.release();
    }
  });
});

describe('types', () => {
  test.each(['message.taken', 'User.Registered', 'constructor', '__proto__', 'a\u0000b'])(
    'rejects the unknown type %j',
    async (type) => {
      expect(await expectRejection(server, { type, data: {} })).toBe(
        type.includes('\0') ? 'invalid: type' : 'unsupported',
      );
    },
  );
});

describe('fields', () => {
  const valid = credited('somebody', '1').data;
  const faults: [string, object][] = [
    ['no', { ...valid, no: 'x'.repeat(65) }],
    ['no', { ...valid, no: '' }],
    ['no', { ...valid, no: 'a\tb' }],
    ['account', { ...valid, account: 'a' }],
    ['account', { ...valid, account: 'a b' }],
    ['market', { ...valid, market: 1 }],
    ['address', { ...valid, address: 'x'.repeat(257) }],
    ['confirmations', { ...valid, confirmations: -1 }],
    ['confirmations', { ...valid, confirmations: '1' }],
    ['confirmations', { ...valid, confirmations: 2_147_483_648 }],
    ['source', { ...valid, source: 3 }],
    ['extra', { ...valid, extra: 1 }],
  ];
  test.each(faults)('names an invalid %s in the reason', async (field, data) => {
    expect(await expectRejection(server, { type: 'recharge.detected', data })).toBe(`invalid: ${field}`);
  });

  test.each([
    ['1.000000000000000000000001', 'at most 18 decimals, 24 given'],
    ['0.0000000000000000000000000000001', 'at most 18 decimals, 31 given'],
    ['1.0000000000000000000', 'at most 18 decimals, 19 given'],
    ['999999999999999999.0000000000000000001', 'at most 18 decimals, 19 given'],
    ['01.0000000000000000001', 'decimal string above zero, in the coin of the market expected'],
    ['1e-24', 'decimal string above zero, in the coin of the market expected'],
    ['0', 'decimal string above zero, in the coin of the market expected'],
  ])('says of the amount %s: %s', async (amount, detail) => {
    const [answer] = await send(server, credited('nobody', amount));
    expect(answer).toMatchObject({ reason: 'invalid: amount', detail: expect.stringContaining(detail) });
  });

  test('names a missing field in the reason', async () => {
    for (const field of ['no', 'account', 'market', 'network', 'address', 'amount', 'confirmations', 'source']) {
      const data = Object.fromEntries(Object.entries(valid).filter(([name]) => name !== field));
      expect(await expectRejection(server, { type: 'recharge.detected', data })).toBe(`invalid: ${field}`);
    }
  });

  test.each([
    1,
    '0',
    '0.0',
    '-1',
    '+1',
    '1e3',
    '01',
    '.5',
    '1.',
    '1,5',
    ' 1',
    '',
    'NaN',
    'Infinity',
    '1.0000000000000000001',
    '1000000000000000000',
  ])('rejects the amount %j', async (amount) => {
    expect(await expectRejection(server, { type: 'recharge.detected', data: { ...valid, amount } })).toBe(
      'invalid: amount',
    );
  });

  test.each(['ip', 'market', 'network', 'voucher', 'memo'])(
    'a NUL character in %s rejects its own event only',
    async (field) => {
      const user = await makeUser(server, { amount: '10' });
      const bad: Record<string, SentEvent> = {
        ip: { type: 'user.login', data: { account: user, ip: 'a\u0000b' } },
        market: credited(user, '1', 'US\u0000DT'),
        network: { type: 'recharge.detected', data: { ...credited(user, '1').data, network: 'T\u0000' } },
        voucher: { type: 'recharge.detected', data: { ...credited(user, '1').data, voucher: '\u0000' } },
        memo: { type: 'withdraw.requested', data: { ...requested(user, '1').data, memo: '\u0000' } },
      };
      const event = bad[field];
      if (!event) throw new Error(field);
      expect(await expectRejection(server, event)).toBe(`invalid: ${field}`);
      expect(await results(event, registered(unique('user')))).toEqual(['rejected', 'applied']);
    },
  );
});

describe('the largest and the smallest amounts', () => {
  const max = `${'9'.repeat(18)}.${'9'.repeat(18)}`;
  const min = `0.${'0'.repeat(17)}1`;

  test('are stored to the last digit', async () => {
    const market = await makeMarket(server);
    const user = await makeUser(server);
    const belowMax = `${'9'.repeat(18)}.${'9'.repeat(17)}8`;
    expect(await results(credited(user, belowMax, market), credited(user, min, market))).toEqual([
      'applied',
      'applied',
    ]);
    expect(await fetchBalances(server, user)).toEqual({ [`${market} 1 active`]: max });
    const withdrawal = { ...requested(user, max).data, market, fee: min };
    expect(await results({ type: 'withdraw.requested', data: withdrawal })).toEqual(['applied']);
    expect(await fetchBalances(server, user)).toEqual({ [`${market} 1 frozen`]: max });
  });

  test('a sum beyond them is rejected and causes no server error', async () => {
    const market = await makeMarket(server);
    const user = await makeUser(server);
    expect(await results(credited(user, max, market))).toEqual(['applied']);
    expect(await expectRejection(server, credited(user, min, market))).toBe('invalid: amount');
    const imported = { account: user, market, platform: 1, active: '1' };
    expect(await expectRejection(server, { type: 'balance.imported', data: imported })).toBe('invalid: amount');
    const friend = await makeUser(server);
    const transfer = { ...moved(user, friend, min).data, market };
    expect(await results({ type: 'transfer.made', data: transfer })).toEqual(['applied']);
    expect(await fetchBalances(server, friend)).toEqual({ [`${market} 1 active`]: min });
  });
});
