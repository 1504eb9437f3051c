import { EVENT_TYPES, SIGNATURE_WINDOW_MS } from '@hengtai/contract/gateway/gateway';
import type { GatewayKeySave, GatewayPlatform } from '@hengtai/contract/house/gateway-key/schema';
import { rightsOfEvent } from '@hengtai/contract/gateway/rights';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { fingerprint } from '../../test/book.ts';
import { type ProgramKey, type SignedCall, callAs, everyRight, keyInput, makeKey } from '../../test/gateway-key.ts';
import { runWhileLocked, waitUntilBlocked } from '../../test/inspect.ts';
import { type TestServer, call, login, provideServer, unique } from '../../test/server.ts';
import { createProcessState } from '../app/process-state.ts';
import { buildServer } from '../programs/app.ts';
import { reportKeys } from '../app/known-key.store.ts';
import { deleteOldNonces } from './gateway-key.store.ts';

const server = provideServer({ jobs: false, trustProxy: 1 });
let token: string;
beforeAll(async () => {
  token = await login(server);
});

const nonce = () => unique('nonce-of-a-single-call-');
const registration = (account = unique('user')) => [
  { eventId: unique('e-'), type: 'user.registered', at: server.clock.now(), data: { account } },
];
const save = (change: object) => call(server, 'POST', 'gateway_key/save', keyInput(change), { token });

describe('rights', () => {
  const calls = [
    ['commands', 'GET', 'commands?peek=1'],
    ['commands', 'GET', 'commands/replay?from=0'],
    ['commands', 'POST', 'commands/ack', [{ id: 1, state: 'done' }]],
    ['commands', 'POST', 'commands/receipt', [{ id: 1, lease: '00000000-0000-4000-8000-000000000000' }]],
    ['commands', 'POST', 'commands/renew', [{ id: 1, lease: '00000000-0000-4000-8000-000000000000' }]],
    ['balances', 'GET', 'balances?account=nobody'],
    ['balances', 'GET', 'balances/snapshot'],
    ['balances', 'GET', 'liabilities/proof?account=nobody'],
    ['reads', 'GET', 'markets'],
    ['reads', 'GET', 'seconds'],
    ['reads', 'GET', 'announcements'],
    ['reads', 'GET', 'announcements/image?key=00000000000000000000000000000000'],
    ['reads', 'GET', 'signals'],
    ['reads', 'GET', 'liabilities'],
    ['support', 'POST', 'support/redeem', { token: 'x' }],
    ['import', 'POST', 'live'],
  ] as const;

  test('each right allows its own calls and events, and each other right refuses them', async () => {
    for (const right of everyRight) {
      const key = await makeKey(server, token, { rights: [right] });
      for (const [needed, method, path, body] of calls) {
        const answer = await callAs(server, key, { method, path, ...(body !== undefined && { body }) });
        if (needed !== right)
          expect(answer).toMatchObject({ status: 403, error: 'not_permitted', data: { rights: [needed] } });
        else expect(answer.error, path).not.toBe('not_permitted');
      }
      const eventsOf = (isOwn: boolean) =>
        EVENT_TYPES.filter((type) => rightsOfEvent(type).includes(right) === isOwn).map((type) => ({
          eventId: unique('e-'),
          type,
          at: server.clock.now(),
          data: {},
        }));
      const dryRun = { method: 'POST', path: 'events?dryRun=1' } as const;
      const others = [...new Set(eventsOf(false).flatMap(({ type }) => rightsOfEvent(type)))];
      expect(await callAs(server, key, { ...dryRun, body: eventsOf(false) })).toMatchObject({
        status: 403,
        error: 'not_permitted',
        data: { rights: others },
      });
      if (eventsOf(true).length > 0)
        expect(await callAs(server, key, { ...dryRun, body: eventsOf(true) })).toMatchObject({ status: 200 });
    }
  });

  test('one event without a right refuses the whole call, and none of it takes effect', async () => {
    const key = await makeKey(server, token, { rights: ['user'] });
    const before = await fingerprint(server);
    const tick = { eventId: unique('e-'), type: 'tick', at: 1, data: {} };
    const body = [...registration(), tick, { ...tick, type: 'order.placed' }];
    expect(await callAs(server, key, { method: 'POST', path: 'events', body })).toMatchObject({
      error: 'not_permitted',
      msg: '/1/type: the key has no right for tick',
      data: { rights: ['tick', 'order'], field: '1/type' },
    });
    expect(await fingerprint(server)).toEqual(before);
    const unknown = [{ ...tick, type: 'nothing.happened' }];
    expect(await callAs(server, key, { method: 'POST', path: 'events', body: unknown })).toMatchObject({
      data: [{ result: 'rejected', reason: 'unsupported' }],
    });
  });

  test('an applied event is found with the right of its family only', async () => {
    const users = await makeKey(server, token, { rights: ['user'] });
    const ticks = await makeKey(server, token, { rights: ['tick'] });
    const body = registration();
    expect(await callAs(server, users, { method: 'POST', path: 'events', body })).toMatchObject({ status: 200 });
    const path = `events/${body[0]?.eventId}`;
    expect(await callAs(server, users, { path })).toMatchObject({ status: 200 });
    const missing = await callAs(server, ticks, { path: 'events/never-sent' });
    expect(missing).toMatchObject({ status: 404 });
    expect(await callAs(server, ticks, { path })).toEqual(missing);
  });
});

describe('before the signature is right', () => {
  test('nothing tells a revoked, an unissued and an unknown key apart, nor what a key demands', async () => {
    const revoked = await makeKey(server, token);
    await call(server, 'POST', 'gateway_key/revoke', { id: revoked.id }, { token });
    const { data } = await call<{ key: string }>(server, 'POST', 'gateway_key/save', keyInput(), { token });
    server.clock.move(1_000);
    const unknown = await callAs(server, { key: 'nothing', secret: 'x' });
    expect(unknown).toMatchObject({ status: 401, error: 'unknown_key' });
    expect(await callAs(server, revoked)).toEqual(unknown);
    expect(await callAs(server, { key: data.key, secret: 'x' })).toEqual(unknown);

    const strict = { addresses: ['192.0.2.0/24'], nonce: 1, rights: ['tick'], expiresAt: server.clock.now() } as const;
    const limited = await makeKey(server, token, {
      ...strict,
      rights: [...strict.rights],
      addresses: [...strict.addresses],
    });
    const free = await makeKey(server, token);
    const wrong = await callAs(server, { ...free, secret: 'x' });
    expect(wrong).toMatchObject({ status: 401, error: 'bad_signature', data: null });
    expect(await callAs(server, { ...limited, secret: 'x' })).toEqual(wrong);
  });

  test('a wrong signature uses up no nonce and is no use of the key', async () => {
    const key = await makeKey(server, token, { nonce: 1 });
    const once = nonce();
    expect(await callAs(server, { ...key, secret: 'x' }, { nonce: once })).toMatchObject({ error: 'bad_signature' });
    await reportKeys(server.app.system, server.app);
    const lastUse = () =>
      server.query(sql<{ at: number | null }>`select last_used_at as at from gateway_key where id = ${key.id}`);
    expect(await lastUse()).toEqual([{ at: null }]);
    expect(await callAs(server, key, { nonce: once })).toMatchObject({ status: 200 });
    await reportKeys(server.app.system, server.app);
    expect(await lastUse()).toEqual([{ at: expect.any(Number) as number }]);
  });
});

describe('expiry', () => {
  test('is exact', async () => {
    const release = server.clock.freeze();
    try {
      const key = await makeKey(server, token, { expiresAt: server.clock.now() + 10_000 });
      server.clock.move(10_000 - 1_000 - 1);
      expect(await callAs(server, key)).toMatchObject({ status: 200 });
      server.clock.move(1);
      expect(await callAs(server, key)).toMatchObject({ status: 401, error: 'key_expired' });
    } finally {
      release();
    }
  });
});

describe('address lists', () => {
  const via = (address: string) => ({ headers: { 'x-forwarded-for': address }, remoteAddress: '127.0.0.1' });

  test('the address behind the trusted proxy counts', async () => {
    const key = await makeKey(server, token, { addresses: ['192.0.2.0/24', '2001:db8::/32'] });
    for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::5'])
      expect(await callAs(server, key, via(address)), address).toMatchObject({ status: 200 });
    for (const address of ['192.0.3.7', '::ffff:192.0.3.7', '2001:db9::5'])
      expect(await callAs(server, key, via(address)), address).toMatchObject({
        status: 403,
        error: 'address_not_allowed',
      });
    // What a client adds itself is before the address that the proxy adds.
    expect(await callAs(server, key, via('192.0.2.7, 203.0.113.1'))).toMatchObject({ error: 'address_not_allowed' });
  });
});

describe('nonces', () => {
  test('a demanded nonce must be there and well formed', async () => {
    const key = await makeKey(server, token, { nonce: 1 });
    for (const bad of [undefined, 'short', 'x'.repeat(65), 'with a space in it'])
      expect(await callAs(server, key, bad === undefined ? {} : { nonce: bad })).toMatchObject({
        status: 401,
        error: 'nonce_required',
      });
    expect(await callAs(server, key, { nonce: nonce() })).toMatchObject({ status: 200 });
  });

  test('a nonce is good for one call of one key, however the call is varied', async () => {
    const key = await makeKey(server, token, { nonce: 1 });
    const other = await makeKey(server, token);
    const once = nonce();
    expect(await callAs(server, key, { nonce: once })).toMatchObject({ status: 200 });
    expect(await callAs(server, key, { nonce: once })).toMatchObject({ status: 401, error: 'nonce_reused' });
    expect(await callAs(server, key, { nonce: once, path: 'signals' })).toMatchObject({ error: 'nonce_reused' });
    // Checked as well where it is not demanded.
    expect(await callAs(server, other, { nonce: once })).toMatchObject({ status: 200 });
    expect(await callAs(server, other, { nonce: once })).toMatchObject({ error: 'nonce_reused' });
  });

  test('of the same call twenty times at once, one is accepted', async () => {
    const key = await makeKey(server, token, { nonce: 1 });
    const once = nonce();
    const body = registration();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => callAs(server, key, { method: 'POST', path: 'events', body, nonce: once })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ error }) => error === 'nonce_reused')).toHaveLength(19);
  });

  test('the signature covers the nonce: it can be neither removed nor replaced', async () => {
    const key = await makeKey(server, token);
    const signed = { nonce: nonce() };
    expect(await callAs(server, key, { ...signed, headers: { 'x-nonce': nonce() } })).toMatchObject({
      error: 'bad_signature',
    });
    expect(await callAs(server, key, { headers: { 'x-nonce': nonce() } })).toMatchObject({ error: 'bad_signature' });
    // A header without a value signs another text.
    expect(await callAs(server, key, { ...signed, headers: { 'x-nonce': '' } })).toMatchObject({
      error: 'bad_signature',
    });
  });

  test('a nonce is kept for as long as any server can accept its call, and then deleted', async () => {
    const key = await makeKey(server, token, { nonce: 1 });
    const release = server.clock.freeze();
    try {
      const time = server.clock.now() + SIGNATURE_WINDOW_MS;
      const once = nonce();
      expect(await callAs(server, key, { nonce: once, time })).toMatchObject({ status: 200 });
      server.clock.move(2 * SIGNATURE_WINDOW_MS);
      await deleteOldNonces(server.app.system, server.clock.now());
      expect(await callAs(server, key, { nonce: once, time })).toMatchObject({ error: 'nonce_reused' });
      server.clock.move(SIGNATURE_WINDOW_MS + 1);
      await deleteOldNonces(server.app.system, server.clock.now());
      expect(await server.query(sql`select 1 from gateway_nonce where nonce = ${once}`)).toEqual([]);
      expect(await callAs(server, key, { nonce: once, time })).toMatchObject({ error: 'clock_skew' });
    } finally {
      release();
    }
  });
});

describe('changes', () => {
  const send = (key: ProgramKey, count = 1) => {
    const body = Array.from({ length: count }, () => registration()).flat();
    return callAs(server, key, { method: 'POST', path: 'events', body });
  };
  const revoke = ({ id }: ProgramKey) => call(server, 'POST', 'gateway_key/revoke', { id }, { token });
  const countUsers = async () => (await server.query(sql<{ n: number }>`select count(*) as n from users`))[0]?.n;
  const never = (n: number) => ({
    eventId: `never-${n}`,
    type: 'user.registered',
    at: 1,
    data: { account: `never-${n}` },
  });
  const leases = [{ id: 1, lease: '00000000-0000-4000-8000-000000000000' }];

  test.each<[string, SignedCall]>([
    ['an event', { method: 'POST', path: 'events', body: [never(1)] }],
    ['a group of events', { method: 'POST', path: 'events', body: [never(1), never(2)] }],
    ['a dry run', { method: 'POST', path: 'events?dryRun=1', body: [never(1)] }],
    ['an applied event', { path: 'events/e' }],
    ['commands', { path: 'commands' }],
    ['a lease', { path: 'commands?lease=30' }],
    ['a look', { path: 'commands?peek=1' }],
    ['a replay', { path: 'commands/replay?from=0' }],
    ['a success', { method: 'POST', path: 'commands/ack', body: [{ id: 1, state: 'done' }] }],
    ['a failure', { method: 'POST', path: 'commands/ack', body: [{ id: 1, state: 'failed' }] }],
    ['a receipt', { method: 'POST', path: 'commands/receipt', body: leases }],
    ['a renewal', { method: 'POST', path: 'commands/renew', body: leases }],
    ['a support link', { method: 'POST', path: 'support/redeem', body: { token: 'x' } }],
    ['a read', { path: 'balances?account=nobody' }],
  ])('a revoked key is refused at once while the server still has it: %s', async (_name, next) => {
    const release = server.clock.freeze();
    try {
      const key = await makeKey(server, token);
      expect(await callAs(server, key)).toMatchObject({ status: 200 });
      expect(await revoke(key)).toMatchObject({ code: 200 });
      const before = await countUsers();
      expect(await callAs(server, key, next)).toMatchObject({ status: 401, error: 'unknown_key' });
      expect(await countUsers()).toBe(before);
    } finally {
      release();
    }
  });

  test.each<[string, Partial<GatewayKeySave>, string]>([
    ['right', { rights: ['reads'] }, 'not_permitted'],
    ['address', { addresses: ['192.0.2.1'] }, 'address_not_allowed'],
    ['term', { expiresAt: 1 }, 'key_expired'],
    ['call without a nonce', { nonce: 1 }, 'nonce_required'],
  ])('a key that lost a %s is refused at once, and a renamed one is not', async (_name, narrower, error) => {
    const release = server.clock.freeze();
    try {
      const key = await makeKey(server, token);
      expect(await send(key)).toMatchObject({ status: 200 });
      expect(await save({ id: key.id, name: 'renamed' })).toMatchObject({ code: 200 });
      expect(await send(key, 2)).toMatchObject({ data: [{ result: 'applied' }, { result: 'applied' }] });
      expect(await save({ id: key.id, ...narrower })).toMatchObject({ code: 200 });
      const before = await countUsers();
      expect(await send(key)).toMatchObject({ error });
      expect(await countUsers()).toBe(before);
    } finally {
      release();
    }
  });

  test('a market that a platform lost is out of scope at once', async () => {
    const release = server.clock.freeze();
    try {
      const markets = ['BTC', 'ETH'];
      const platform = { name: unique('brand '), markets };
      const { data: added } = await call<GatewayPlatform>(server, 'POST', 'gateway_key/platform_save', platform, {
        token,
      });
      const key = await makeKey(server, token, { platformId: added.id });
      const tick = () => {
        const at = server.clock.now();
        const body = [{ eventId: unique('e-'), type: 'tick', at, data: { market: 'ETH', price: '2', at } }];
        return callAs(server, key, { method: 'POST', path: 'events', body });
      };
      expect(await tick()).toMatchObject({ data: [{ result: 'applied' }] });
      const narrower = { id: added.id, ...platform, markets: ['BTC'] };
      expect(await call(server, 'POST', 'gateway_key/platform_save', narrower, { token })).toMatchObject({ code: 200 });
      server.clock.move(1);
      expect(await tick()).toMatchObject({ data: [{ result: 'rejected', reason: 'out_of_scope: market' }] });
    } finally {
      release();
    }
  });

  test.each([1, 2])('a revocation that commits while a call of %i events waits wins', async (count) => {
    const key = await makeKey(server, token);
    const before = await countUsers();
    const answer = await server.owner.transaction().execute(async (tx) => {
      await sql`lock table inbox in access exclusive mode`.execute(tx);
      const waiting = send(key, count);
      await waitUntilBlocked(server);
      expect(await revoke(key)).toMatchObject({ code: 200 });
      return { waiting };
    });
    expect(await answer.waiting).toMatchObject({ status: 401, error: 'unknown_key' });
    expect(await countUsers()).toBe(before);
  });

  test.each([1, 2])(
    'a revocation waits for a call of %i events that took their ids, and comes after it',
    async (count) => {
      const key = await makeKey(server, token);
      const before = await countUsers();
      const [events, revoked] = await runWhileLocked<{ code?: number; status?: number }>(
        server,
        async (tx) => sql`lock table users in exclusive mode`.execute(tx),
        () => send(key, count),
        () => revoke(key),
      );
      expect([events, revoked]).toMatchObject([{ status: 200 }, { code: 200 }]);
      expect(await countUsers()).toBe((before ?? 0) + count);
      expect(await send(key)).toMatchObject({ error: 'unknown_key' });
    },
  );

  test('ends a call that waits for commands', async () => {
    const key = await makeKey(server, token);
    const poll = callAs(server, key, { path: `commands?wait=30&after=${Number.MAX_SAFE_INTEGER}` });
    expect(await revoke(key)).toMatchObject({ code: 200 });
    expect(await poll).toMatchObject({ status: 401, error: 'unknown_key' });
  });

  test('keys are rotated under load on two servers without a refused call', async () => {
    const second = await buildServer({ ...server.app, state: createProcessState() }, { trustProxy: false });
    const both = [server, { ...server, server: second }];
    const old = await makeKey(server, token);
    let key: Pick<ProgramKey, 'key' | 'secret'> = old;
    const load = { isDone: false };
    const refused: unknown[] = [];
    const send = async (where: TestServer): Promise<number> => {
      let count = 0;
      for (; !load.isDone && refused.length < 10; count += 1) {
        const answer = await callAs(where, key, { method: 'POST', path: 'events', body: registration() });
        if (answer.status !== 200) refused.push(answer);
      }
      return count;
    };
    const senders = both.map(send);
    const next = await makeKey(server, token);
    for (const where of both) expect(await callAs(where, next)).toMatchObject({ status: 200 });
    key = next;
    for (const where of both) expect(await callAs(where, old)).toMatchObject({ status: 200 });
    // Calls that began with the old key are over after two more with the new one.
    for (const where of both) for (let n = 0; n < 2; n += 1) await callAs(where, next);
    load.isDone = true;
    const counts = await Promise.all(senders);
    expect(await revoke(old)).toMatchObject({ code: 200 });
    for (const where of both) expect(await callAs(where, old)).toMatchObject({ error: 'unknown_key' });
    expect(refused).toEqual([]);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    await second.close();
  });

  test('a nonce that one server took is refused by another one, and after a restart', async () => {
    const key = await makeKey(server, token, { nonce: 1 });
    const once = nonce();
    expect(await callAs(server, key, { nonce: once })).toMatchObject({ status: 200 });
    const restarted = await buildServer({ ...server.app, state: createProcessState() }, { trustProxy: false });
    expect(await callAs({ ...server, server: restarted }, key, { nonce: once })).toMatchObject({
      error: 'nonce_reused',
    });
    await restarted.close();
  });
});
