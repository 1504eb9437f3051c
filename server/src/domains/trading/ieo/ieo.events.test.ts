import type { UserDetail } from '@hengtai/contract/people/user/schema';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectRejection } from '../../../../test/book.ts';
import { fetchBalance, findIeo, findUser, makeIeo, makeUser } from '../../../../test/factories.ts';
import { fetchRequestEntries, setPolicy } from '../../../../test/inspect.ts';
import { apply, call, login, provideServer, send, unique } from '../../../../test/server.ts';
import { checkBook } from '../../../books/ledger/check.ts';
import { canSell } from '../../people/user/user.steps.ts';
import { computePay } from './ieo.rules.ts';

const server = provideServer({ jobs: false });
let admin: string;
let user: string;

beforeAll(async () => {
  admin = await login(server);
});
beforeEach(async () => {
  user = await makeUser(server, { amount: '1000' });
});

const post = (path: string, input: object) => call(server, 'POST', path, input, { token: admin });
const ordered = (over: object = {}) => ({
  type: 'ieo.ordered',
  data: { no: unique('I'), account: user, market: 'HTT', price: '0.5', amount: '100', ...over },
});

describe('ieo.ordered', () => {
  test('freezes price times amount on the funding account and waits for review', async () => {
    const at = server.clock.now() - 60_000;
    const event = { ...ordered({ price: '0.123456789012345678', amount: '7' }), at };
    await apply(server, event);
    const row = await findIeo(server, admin, event.data.no);
    expect(row).toMatchObject({
      no: event.data.no,
      account: user,
      agent: 'admin',
      marketName: 'HTT',
      price: '0.123456789012345678',
      amount: '7',
      pay: '0.864197523086419746',
      state: 0,
      reason: '',
      by: null,
      reviewedAt: null,
      secondBy: null,
      createdAt: at,
    });
    expect(await fetchRequestEntries(server, row.id, 'ieo')).toMatchObject([
      { owner: 'user', bucket: 'active', type: 21, amount: '-0.864197523086419746' },
      { owner: 'user', bucket: 'frozen', type: 21, amount: '0.864197523086419746' },
    ]);
    expect(await fetchBalance(server, admin, user)).toEqual({
      active: '999.135802476913580254',
      frozen: '0.864197523086419746',
    });
    expect(await checkBook(server.owner)).toEqual([]);
  });

  test.each<[string, object, string]>([
    ['more than the user has', { amount: '2000.01' }, 'insufficient'],
    ['a market without subscription', { market: 'BTC' }, 'closed'],
    ['the settlement asset', { market: 'USDT' }, 'invalid: market'],
    ['an unknown market', { market: 'NONE' }, 'unknown: market'],
    ['an unknown account', { account: 'nobody-here' }, 'unknown: account'],
    ['a zero amount', { amount: '0' }, 'invalid: amount'],
    ['a zero price', { price: '0' }, 'invalid: price'],
    ['a cost with too many decimals', { price: '0.0000000001', amount: '0.0000000001' }, 'invalid: amount'],
    ['a cost beyond the range of amounts', { price: '999999999999', amount: '999999999999' }, 'invalid: amount'],
  ])('is rejected for %s', async (_what, over, reason) => {
    expect(await expectRejection(server, ordered(over))).toBe(reason);
  });

  test('is rejected for a frozen user and for one without subscriptions', async () => {
    const { id } = await findUser(server, admin, user);
    await post('user/ieo_buy/state', { id, state: 0 });
    expect(await expectRejection(server, ordered())).toBe('subscribing closed');
    await post('user/ieo_buy/state', { id, state: 1 });
    await post('user/state/disable', { id });
    expect(await expectRejection(server, ordered())).toBe('frozen');
    await post('user/state/enable', { id });
    await apply(server, ordered());
  });

  test('is rejected while the market is not listed or takes no subscriptions', async () => {
    const htt = sql`update market set ieo = 1, state = 1 where market_name = 'HTT'`;
    for (const change of [sql`state = 0`, sql`state = 2`, sql`ieo = 0`]) {
      await server.query(sql`update market set ${change} where market_name = 'HTT'`);
      expect(await expectRejection(server, ordered())).toBe('closed');
      await server.query(htt);
    }
  });

  test('rejects a repeated number and ignores a repeated event', async () => {
    const event = { ...ordered(), eventId: unique('twice-') };
    expect((await send(server, event, event)).map(({ result }) => result)).toEqual(['applied', 'duplicate']);
    expect(await expectRejection(server, ordered({ no: event.data.no }))).toBe('exists');
    expect((await fetchBalance(server, admin, user)).frozen).toBe('50');
  });

  test('a waiting subscription blocks the deletion of its user and appears in the user detail', async () => {
    const row = await makeIeo(server, admin, user);
    const { data } = await call<UserDetail>(server, 'GET', 'user/detail', { id: row.userId }, { token: admin });
    expect(data.ieos).toEqual([row]);
    expect(data.open).toContainEqual({ what: 'ieo', text: `待审核认购 ${row.no}（100 HTT）` });
  });
});

describe('ieo.cancelled', () => {
  test('returns the full hold and expires the open approval', async () => {
    await setPolicy(server, 'ieo.pass', 1);
    const row = await makeIeo(server, admin, user);
    expect((await post('ieo/order/pass', { id: row.id })).code).toBe(202);
    await apply(server, { type: 'ieo.cancelled', data: { no: row.no } });
    await setPolicy(server, 'ieo.pass', 0);
    expect(await findIeo(server, admin, row.no)).toMatchObject({ state: 3, by: null, reviewedAt: null });
    expect(await fetchBalance(server, admin, user)).toEqual({ active: '1000', frozen: '0' });
    expect((await fetchRequestEntries(server, row.id, 'ieo')).slice(2)).toMatchObject([
      { bucket: 'frozen', type: 22, amount: '-50' },
      { bucket: 'active', type: 22, amount: '50' },
    ]);
    const approvals = sql`select state, answer from approval where target_type = 'ieo' and target_id = ${row.id}`;
    expect(await server.query(approvals)).toEqual([{ state: 3, answer: '用户已撤销' }]);
    expect(await expectRejection(server, { type: 'ieo.cancelled', data: { no: row.no } })).toBe('state');
    expect(await checkBook(server.owner)).toEqual([]);
  });

  test('is rejected for an unknown or decided subscription', async () => {
    expect(await expectRejection(server, { type: 'ieo.cancelled', data: { no: 'none' } })).toBe('unknown: no');
    const row = await makeIeo(server, admin, user);
    await post('ieo/order/pass', { id: row.id });
    expect(await expectRejection(server, { type: 'ieo.cancelled', data: { no: row.no } })).toBe('state');
  });
});

describe('ieo.imported', () => {
  const imported = (over: object) => ({ type: 'ieo.imported', data: { ...ordered().data, state: 1, ...over } });

  test('imports history without ledger entries, unless it is booked', async () => {
    const reviewedAt = server.clock.now() - 1_000;
    const plain = imported({ by: 'someone', reviewedAt, secondBy: 'another' });
    const booked = imported({ booked: true });
    const refused = imported({ state: 2, reason: '认购额度已满', booked: true });
    await apply(server, plain, booked, refused);
    expect(await findIeo(server, admin, plain.data.no)).toMatchObject({
      state: 1,
      by: 'someone',
      secondBy: 'another',
      reviewedAt,
      updatedAt: reviewedAt,
    });
    expect(await findIeo(server, admin, refused.data.no)).toMatchObject({ state: 2, reason: '认购额度已满' });
    expect(await fetchBalance(server, admin, user)).toEqual({ active: '950', frozen: '0' });
    expect(await fetchBalance(server, admin, user, 'HTT')).toEqual({ active: '100', frozen: '0' });
    const { id } = await findIeo(server, admin, booked.data.no);
    expect(await fetchRequestEntries(server, id, 'ieo')).toMatchObject([
      { owner: 'user', type: 23, amount: '-50' },
      { owner: 'subscription', type: 23, amount: '50' },
      { owner: 'subscription', type: 23, amount: '-100' },
      { owner: 'user', type: 23, amount: '100' },
    ]);
    expect(await checkBook(server.owner)).toEqual([]);
    // Imported history creates no notification.
    expect(await server.query(sql`select 1 from notice where noun = 'ieo' and ref_id = ${id}`)).toEqual([]);
  });

  test('is rejected in the waiting state, and once the installation is live', async () => {
    expect(await expectRejection(server, imported({ state: 0 }))).toBe('invalid: state');
    await server.query(sql`update installation set live = 1`);
    expect(await expectRejection(server, imported({}))).toBe('live');
    await server.query(sql`update installation set live = 0`);
  });
});

test('canSell limits the sale of subscription tokens only', () => {
  expect(canSell({ ieoSell: 0 }, { ieo: 1 })).toBe(false);
  expect(canSell({ ieoSell: 1 }, { ieo: 1 })).toBe(true);
  expect(canSell({ ieoSell: 0 }, { ieo: 0 })).toBe(true);
});

test('payOf is exact or undefined', () => {
  expect(computePay('0.1', '0.2')).toBe('0.02');
  expect(computePay('999999999999999999', '1')).toBe('999999999999999999');
  expect(computePay('0.000000000000000001', '123456789012345678')).toBe('0.123456789012345678');
  expect(computePay('0.000000000000000003', '0.5')).toBeUndefined();
  expect(computePay('1000000000', '1000000000')).toBeUndefined();
});
