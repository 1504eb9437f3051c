import { EVENT_TYPES } from '@hengtai/contract/gateway/gateway';
import { eventData } from '@hengtai/contract/gateway/events.schema';
import type { GatewayPlatform } from '@hengtai/contract/house/gateway-key/schema';
import type { UserLink } from '@hengtai/contract/people/user/schema';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { onTron } from '../../test/address.ts';
import { fingerprint } from '../../test/book.ts';
import { finishAll, lease, makePassedWithdraw, pull } from '../../test/commands.ts';
import { findUser, makeIeo, makeUser, makeWithdraw, recharge } from '../../test/factories.ts';
import { addSignal, followOpened } from '../../test/follow.ts';
import { openPosition } from '../../test/future.ts';
import { sampleOf } from '../../test/gateway-samples.ts';
import { type ProgramKey, type SignedAnswer, callAs, makeKey } from '../../test/gateway-key.ts';
import { apply, call, login, provideServer, send, unique } from '../../test/server.ts';
import { placeOrder } from '../../test/spot.ts';

/** The number of every record of the default platform's user, as the samples of events have it. */
const NO = 'X-1';
const ALICE = 'alice';

const server = provideServer({ jobs: false });
let token: string;
/** A program of the second platform, which may speak of BTC. */
let other: ProgramKey;
/** The user of the second platform. */
let bea: string;

beforeAll(async () => {
  token = await login(server);
  const { data } = await call<GatewayPlatform>(
    server,
    'POST',
    'gateway_key/platform_save',
    { name: 'second', markets: ['BTC'] },
    { token },
  );
  other = await makeKey(server, token, { platformId: data.id });
  bea = unique('bea');
  expect(await reported('user.registered', { account: bea })).toEqual({ result: 'applied' });
  await makeRecords();
});

/** Every kind of record, of a user of the default platform. */
async function makeRecords(): Promise<void> {
  await makeUser(server, { account: ALICE });
  await makeUser(server, { account: 'bob' });
  await recharge(server, ALICE, '100000');
  const fields = { account: ALICE, market: 'USDT', ...onTron('any') };
  await apply(server, {
    type: 'recharge.detected',
    data: { no: NO, ...fields, amount: '5', confirmations: 1, source: 1 },
  });
  await makeWithdraw(server, token, ALICE, { no: NO });
  await makeIeo(server, token, ALICE, { no: NO });
  for (const toPlatform of [2, 3]) {
    const transfer = { no: unique('T'), account: ALICE, toAccount: ALICE, market: 'USDT', platform: 1, toPlatform };
    await apply(server, { type: 'transfer.made', data: { ...transfer, amount: '1000' } });
  }
  await placeOrder(server, ALICE, { no: NO });
  await openPosition(server, ALICE, { no: NO });
  const signal = await addSignal(server, token);
  await apply(server, followOpened(ALICE, signal.no, '100', NO));
  const wallet = { wallet: NO, kind: 'hot', market: 'USDT', ...onTron('own'), state: 1 };
  await apply(
    server,
    { type: 'wallet.saved', data: wallet },
    { type: 'chain.moved', data: { no: NO, wallet: NO, kind: 'other', amount: '5', txHash: '0x1' } },
  );
}

async function reported(
  type: string,
  data: object,
  eventId = unique('e-'),
): Promise<{ result?: string; reason?: string; detail?: string }> {
  const body = [{ eventId, type, at: server.clock.now(), data }];
  const answer = await callAs(server, other, { method: 'POST', path: 'events', body });
  if (answer.status !== 200) throw new Error(`events: ${answer.status} ${answer.msg}`);
  const [{ eventId: _id, ...rest }] = answer.data as [
    { eventId: string; result?: string; reason?: string; detail?: string },
  ];
  return rest;
}

/** A deposit of the user of the second platform. */
const deposit = (no: string) => {
  const chain = { ...onTron('any'), amount: '500', confirmations: 1, source: 1 };
  return reported('recharge.credited', { account: bea, market: 'USDT', ...chain, no });
};

const kinds = EVENT_TYPES.filter((type) => !type.endsWith('.registered'));

describe('events about what belongs to another platform', () => {
  test.each(kinds)('%s is rejected as one about a record that does not exist, and changes nothing', async (type) => {
    const sample = sampleOf(eventData[type]) as Record<string, unknown>;
    const data = { ...sample, ...('market' in sample && { market: 'ETH' }) };
    const absent = Object.fromEntries(
      Object.entries(data).map(([field, value]) =>
        ['account', 'toAccount', 'no', 'position', 'wallet'].includes(field) ? [field, 'nobody'] : [field, value],
      ),
    );
    const before = await fingerprint(server);
    const answer = await reported(type, data);
    expect(answer).toEqual({
      result: 'rejected',
      reason: expect.stringMatching(/^(out_of_scope|invalid): /) as string,
      ...(answer.reason?.startsWith('invalid') && { detail: expect.any(String) as string }),
    });
    expect(await reported(type, absent)).toEqual(answer);
    // In a group, where rows are read beforehand.
    const body = [type, type, 'user.login'].map((one, index) => ({
      eventId: unique('e-'),
      type: one,
      at: server.clock.now(),
      data: index < 2 ? data : { account: bea, ip: '198.51.100.7' },
    }));
    const group = await callAs(server, other, { method: 'POST', path: 'events?dryRun=1', body });
    // The detail of an answer names the place of its event.
    const { detail: _d, ...same } = answer;
    expect(group.data).toMatchObject([same, same, { result: 'applied' }]);
    const after = await fingerprint(server);
    // What a wallet paid for an unknown number is never lost; people see it in an alarm.
    expect(after).toEqual(type === 'withdraw.paid' ? { ...before, alarm: after['alarm'] } : before);
  });

  test('its own user may trade its own markets only', async () => {
    const order = { no: unique('O'), account: bea, side: 1, type: 1, price: '1', amount: '1' };
    expect(await reported('order.placed', { ...order, market: 'ETH' })).toMatchObject({
      reason: 'out_of_scope: market',
    });
    expect(await reported('order.placed', { ...order, market: 'BTC' })).toMatchObject({ reason: 'insufficient' });
    expect(await deposit(unique('R'))).toEqual({ result: 'applied' });
    // Numbers of all platforms are in one namespace.
    expect(await deposit(NO)).toMatchObject({ reason: 'out_of_scope: no' });
    const tick = { price: '2', at: server.clock.now() };
    expect(await reported('tick', { market: 'ETH', ...tick })).toMatchObject({ reason: 'out_of_scope: market' });
    expect(await reported('tick', { market: 'BTC', ...tick })).toEqual({ result: 'applied' });
  });

  test('the default platform does not speak of the users of the second one', async () => {
    for (const account of ['nobody', bea])
      expect(await send(server, { type: 'user.login', data: { account, ip: '::1' } })).toMatchObject([
        { result: 'rejected', reason: 'unknown: account' },
      ]);
  });

  test('no platform can send an event id that looks like one of another platform', async () => {
    for (const separator of ['\u001f', '\u0000', '\u007f']) {
      const body = [{ eventId: `2${separator}e`, type: 'user.login', at: 1, data: {} }];
      const answer = await callAs(server, server.app.platform, { method: 'POST', path: 'events', body });
      expect(answer).toMatchObject({ status: 422, error: 'invalid' });
    }
  });

  test('event ids are unique per platform', async () => {
    const eventId = unique('shared-');
    const path = `events/${eventId}`;
    await apply(server, { type: 'user.login', data: { account: ALICE, ip: '::1' }, eventId });
    expect(await callAs(server, other, { path })).toMatchObject({ status: 404, error: 'not_found' });
    const login = { account: bea, ip: '198.51.100.7' };
    expect(await reported('user.login', login, eventId)).toEqual({ result: 'applied' });
    expect(await reported('user.login', login, eventId)).toEqual({ result: 'duplicate' });
    expect(await callAs(server, other, { path })).toMatchObject({ data: { eventId, type: 'user.login' } });
    expect(await callAs(server, server.app.platform, { path })).toMatchObject({ data: { eventId } });
  });
});

describe('reads', () => {
  const same = async (path: string, absent: string): Promise<void> => {
    const answer = await callAs(server, other, { path: absent });
    expect(answer.status).toBe(404);
    expect(await callAs(server, other, { path })).toEqual(answer);
  };

  test('balances and proofs of another user are those of nobody', async () => {
    await same(`balances?account=${ALICE}`, 'balances?account=nobody');
    await same(`liabilities/proof?account=${ALICE}`, 'liabilities/proof?account=nobody');
    expect(await callAs(server, other, { path: `balances?account=${bea}` })).toMatchObject({ status: 200 });
    expect(await callAs(server, server.app.platform, { path: `balances?account=${bea}` })).toMatchObject({
      status: 404,
    });
  });

  test('a snapshot has the own users only', async () => {
    const accounts = async (key: Pick<ProgramKey, 'key' | 'secret'>) => {
      const { data } = await callAs(server, key, { path: 'balances/snapshot' });
      return new Set((data as { balances: { account: string }[] }).balances.map(({ account }) => account));
    };
    await deposit(unique('R'));
    expect(await accounts(other)).toEqual(new Set([bea]));
    const ofDefault = await accounts(server.app.platform);
    expect(ofDefault.has(ALICE)).toBe(true);
    expect(ofDefault.has(bea)).toBe(false);
  });

  test('markets, second contracts and signals are those of its markets', async () => {
    const names = (answer: SignedAnswer, field: string) =>
      [...new Set((answer.data as Record<string, string | null>[]).map((row) => row[field] ?? null))].toSorted((a, b) =>
        String(a).localeCompare(String(b)),
      );
    expect(names(await callAs(server, other, { path: 'markets' }), 'marketName')).toEqual(['BTC', 'USDT']);
    for (const path of ['seconds', 'signals'])
      for (const name of names(await callAs(server, other, { path }), 'market')) expect([null, 'BTC']).toContain(name);
  });

  test('a support link about another user is not opened and stays valid', async () => {
    const { id } = await findUser(server, token, ALICE);
    const { data } = await call<UserLink>(server, 'POST', 'user/token', { id }, { token });
    const body = { token: new URL(data.url).searchParams.get('token') };
    const redeem = (key: Pick<ProgramKey, 'key' | 'secret'>) =>
      callAs(server, key, { method: 'POST', path: 'support/redeem', body });
    expect(await redeem(other)).toMatchObject({ status: 404 });
    expect(await redeem(server.app.platform)).toMatchObject({ status: 200, data: { account: ALICE } });
  });
});

describe('commands', () => {
  const seen = async (query: string): Promise<{ id: number; type: string; data: Record<string, unknown> }[]> => {
    const { status, data, msg } = await callAs(server, other, { path: `commands${query}` });
    if (status !== 200) throw new Error(msg);
    return data as { id: number; type: string; data: Record<string, unknown> }[];
  };
  const post = async (path: string, body: object[]) =>
    (await callAs(server, other, { method: 'POST', path: `commands/${path}`, body })).data;

  test('about a user go to its platform only, and no other one can receive or answer them', async () => {
    await finishAll(server);
    await makePassedWithdraw(server, token);
    const payout = (await lease(server)).find(({ type }) => type === 'withdraw.payout');
    if (!payout) throw new Error('no payout');
    for (const query of ['?peek=1', '', '?lease=30', '/replay?from=0'])
      expect(
        (await seen(query)).filter(({ type }) => type === 'withdraw.payout'),
        query,
      ).toEqual([]);
    const state = () =>
      server.query(sql`select state, lease, lease_until, due_at from command where id = ${payout.id}`);
    const before = await state();
    const held = [{ id: payout.id, lease: payout.lease }];
    const lost = [{ id: payout.id, result: 'lost', until: null }];
    expect(await post('receipt', held)).toEqual(lost);
    expect(await post('renew', held)).toEqual(lost);
    for (const ackState of ['done', 'failed', 'unknown'])
      for (const fields of [{}, { lease: payout.lease }, { reason: 'x' }])
        expect(await post('ack', [{ id: payout.id, state: ackState, ...fields }])).toEqual(
          ((await post('ack', [{ id: 999_999_999, state: ackState, ...fields }])) as object[]).map((answer) => ({
            ...answer,
            id: payout.id,
          })),
        );
    expect(await state()).toEqual(before);
  });

  test('about its own user reach it, and not the default platform', async () => {
    await finishAll(server);
    const { id } = await findUser(server, token, bea);
    expect(await call(server, 'POST', 'user/state/disable', { id, reason: 'x' }, { token })).toMatchObject({
      code: 200,
    });
    expect((await pull(server)).map(({ data }) => data['account'])).not.toContain(bea);
    const [command] = await seen('');
    expect(command).toMatchObject({ type: 'user.updated', data: { account: bea } });
    expect(await post('ack', [{ id: command?.id, state: 'done' }])).toMatchObject([{ result: 'applied' }]);
    expect(await call(server, 'POST', 'user/state/enable', { id, reason: 'x' }, { token })).toMatchObject({
      code: 200,
    });
  });

  test('about no user reach every platform, which answer for themselves; about a market, those that have it', async () => {
    await finishAll(server);
    const { data: settings } = await call<{ id: number; key: string }[]>(server, 'GET', 'config/list', {}, { token });
    const id = settings.find(({ key }) => key === 'withdraw.limit24h')?.id;
    expect(await call(server, 'POST', 'config/save', { id, num: '49999' }, { token })).toMatchObject({ code: 200 });
    for (const [market, minPrice] of [
      ['BTC', '1'],
      ['ETH', '1'],
    ] as const) {
      await server.query(sql`insert into command (type, ref_type, ref_id, data, created_at, recorded_at)
        select 'market.updated', 'market', id, json_build_object('marketName', market_name, 'min', ${minPrice}::text), 1, 1
        from market where market_name = ${market}`);
    }
    const own = await pull(server);
    expect(own.map(({ type }) => type)).toEqual(['config.updated', 'market.updated', 'market.updated']);
    const others = await seen('?lease=30');
    expect(others.map(({ type, data }) => [type, data['marketName']])).toEqual([
      ['config.updated', undefined],
      ['market.updated', 'BTC'],
    ]);
    expect(
      await post(
        'ack',
        others.map(({ id: command }) => ({ id: command, state: 'done' })),
      ),
    ).toMatchObject([{ result: 'applied' }, { result: 'applied' }]);
    expect((await pull(server)).map(({ id: command }) => command)).toEqual(own.map(({ id: command }) => command));
    expect(await seen('')).toEqual([]);
  });
});

test('markets that a platform loses are out of scope within a second', async () => {
  const { data } = await call<{ platforms: GatewayPlatform[] }>(server, 'GET', 'gateway_key/list', {}, { token });
  const platform = data.platforms.find(({ name }) => name === 'second');
  const save = (markets: string[]) =>
    call(server, 'POST', 'gateway_key/platform_save', { id: platform?.id, name: 'second', markets }, { token });
  expect(await save(['ETH'])).toMatchObject({ code: 200 });
  server.clock.move(1_000);
  expect(await reported('tick', { market: 'BTC', price: '2', at: server.clock.now() })).toMatchObject({
    reason: 'out_of_scope: market',
  });
  expect(await save(['NOTHING'])).toMatchObject({ code: 422, msg: '市场：没有市场 NOTHING' });
  expect(await save(['BTC'])).toMatchObject({ code: 200 });
  server.clock.move(1_000);
});
