import { randomUUID } from 'node:crypto';
import { COMMAND, UNKNOWN_AFTER_MS } from '@hengtai/contract/gateway/gateway';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { freezeClock } from '../../test/book.ts';
import * as commands from '../../test/commands.ts';
import type { LeasedCommand } from '../../test/commands.ts';
import { findWithdraw, makeUser } from '../../test/factories.ts';
import { type TestServer, call, login, platformCall, testServer } from '../../test/server.ts';
import { checkBook } from '../books/ledger/check.ts';
import { platform } from '../modules.ts';
import { inTransaction } from '../database/connect.ts';
import { leaseCommands } from './command-lease.store.ts';
import { type NewCommand, enqueue } from './command.store.ts';
import { DEFAULT_SCOPE } from './platform-scope.ts';
import { publishCommands, timeOutCommands } from './publisher.ts';

let server: TestServer;
let admin: string;
let clock: ReturnType<typeof freezeClock>;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
});
beforeEach(async () => {
  await commands.finishAll(server);
  clock = freezeClock(server);
});
afterEach(() => clock.release());
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});

const lease = (seconds?: number, more?: string) => commands.lease(server, seconds, more);
const post = (path: string, body: object[]) => commands.post(server, path, body);
const timeOut = () => timeOutCommands(server.app, platform.answers);
const stored = (id: number) => commands.stored(server, id);
const whole = () => server.query(sql<{ row: unknown }>`select to_jsonb(command) as row from command order by id`);

/** Leases the one command that is offered. */
async function leaseOne(seconds?: number): Promise<LeasedCommand> {
  const [command, ...more] = await lease(seconds);
  if (!command || more.length > 0) throw new Error(`${command ? more.length + 1 : 0} commands are offered`);
  return command;
}

/** Makes a payout, the first command of its withdrawal. */
async function makePayout() {
  const { no } = await commands.makePassedWithdraw(server, admin);
  return { no, stateOf: async () => (await findWithdraw(server, admin, no)).state };
}

/** A command of each kind: one that becomes unknown without an answer, and one that is sent again. */
const kinds = [
  ['a payout', async () => void (await makePayout()), COMMAND.unknown],
  ['a review', async () => void (await commands.causeCommand(server)), COMMAND.waiting],
] as const;

describe('peeking', () => {
  test('changes nothing: a payout that was only looked at stays open', async () => {
    const payout = await makePayout();
    await publishCommands(server.app);
    const before = await whole();
    for (let n = 0; n < 5; n += 1) {
      const seen = await commands.pull(server, 'peek=1');
      expect(seen.map(({ type }) => type)).toEqual(['withdraw.payout', 'withdraw.reviewed']);
      clock.move(10 * UNKNOWN_AFTER_MS);
      await timeOut();
    }
    expect(await whole()).toEqual(before);
    expect(await payout.stateOf()).toBe(2);
  });

  test('returns open commands after a number, also leased ones, up to the limit', async () => {
    await commands.enqueueFor(server, 1, 2, 3);
    const leased = await lease(30, '&limit=2');
    const seen = await commands.pull(server, 'peek=1');
    expect(seen).toHaveLength(3);
    expect(await commands.pull(server, `peek=1&after=${seen[0]?.seq}&limit=1`)).toEqual([seen[1]]);
    await post('ack', [{ id: leased[0]?.id, state: 'done' }]);
    expect(await commands.pull(server, 'peek=1')).toEqual(seen.slice(1));
  });

  test.each(['lease=0', 'lease=601', 'lease=30&after=1', 'lease=30&peek=1', 'peek=0', 'lease=x'])(
    'refuses %s',
    async (query) => {
      expect(await platformCall(server, 'GET', `commands?${query}`)).toMatchObject({ code: 422, error: 'invalid' });
    },
  );
});

describe.each(kinds)('a lease of %s', (_kind, make, unanswered) => {
  test('is no delivery: when it runs out, the command is offered again', async () => {
    await make();
    const first = await leaseOne(30);
    expect(first.leaseUntil).toBe(server.clock.now() + 30_000);
    clock.move(29_999);
    expect(await lease()).toEqual([]);
    clock.move(1);
    await timeOut();
    const second = await leaseOne(600);
    expect(second).toEqual({ ...first, lease: expect.any(String), leaseUntil: server.clock.now() + 600_000 });
    clock.move(599_999);
    await timeOut();
    expect(await stored(first.id)).toMatchObject({ state: COMMAND.waiting, seq: first.seq, attempt: 1 });
    expect(await post('receipt', commands.idsOf([first]))).toEqual(['lost']);
    expect(await post('receipt', commands.idsOf([second]))).toEqual(['applied']);
  });

  test('counts as delivered from its receipt on', async () => {
    await make();
    const command = await leaseOne(600);
    clock.move(100_000);
    const answer = await platformCall(server, 'POST', 'commands/receipt', commands.idsOf([command]));
    expect(answer.data).toEqual([{ id: command.id, result: 'applied', until: server.clock.now() + UNKNOWN_AFTER_MS }]);
    expect(await post('receipt', commands.idsOf([command]))).toEqual(['duplicate']);
    expect(await lease()).toEqual([]);
    clock.move(UNKNOWN_AFTER_MS - 1);
    await timeOut();
    expect(await stored(command.id)).toMatchObject({ state: COMMAND.sent });
    clock.move(1);
    await timeOut();
    expect(await stored(command.id)).toMatchObject({ state: unanswered });
  });

  test('is extended by a renewal, before and after the receipt', async () => {
    await make();
    const command = await leaseOne(30);
    clock.move(25_000);
    const renewal = await platformCall(server, 'POST', 'commands/renew', commands.idsOf([command]));
    expect(renewal.data).toEqual([{ id: command.id, result: 'applied', until: server.clock.now() + 30_000 }]);
    clock.move(29_999);
    expect(await lease()).toEqual([]);
    await post('receipt', commands.idsOf([command]));
    clock.move(UNKNOWN_AFTER_MS - 1);
    expect(await post('renew', commands.idsOf([command]))).toEqual(['applied']);
    clock.move(UNKNOWN_AFTER_MS - 1);
    await timeOut();
    expect(await stored(command.id)).toMatchObject({ state: COMMAND.sent });
    clock.move(1);
    await timeOut();
    expect(await stored(command.id)).toMatchObject({ state: unanswered });
  });

  test('is lost when another program has the command, and when it is finished', async () => {
    await make();
    const first = await leaseOne(1);
    clock.move(1_000);
    const second = await leaseOne();
    for (const path of ['renew', 'receipt']) expect(await post(path, commands.idsOf([first]))).toEqual(['lost']);
    const until = await platformCall(server, 'POST', 'commands/renew', commands.idsOf([first, second]));
    expect(until.data).toEqual([
      { id: first.id, result: 'lost', until: null },
      { id: first.id, result: 'applied', until: second.leaseUntil },
    ]);
    expect(await post('ack', [{ id: second.id, lease: second.lease, state: 'done' }])).toEqual(['applied']);
    for (const path of ['renew', 'receipt']) expect(await post(path, commands.idsOf([second]))).toEqual(['lost']);
  });
});

describe('an answer', () => {
  test('needs no receipt', async () => {
    const payout = await makePayout();
    const { id, lease: own } = await leaseOne();
    expect(await post('ack', [{ id, lease: own, state: 'done' }])).toEqual(['applied']);
    expect(await payout.stateOf()).toBe(3);
  });

  test.each(['failed', 'unknown'])('%s with a lost lease has no effect, a success has', async (state) => {
    const payout = await makePayout();
    const first = await leaseOne(1);
    clock.move(1_000);
    const second = await leaseOne();
    expect(await post('ack', [{ id: first.id, lease: first.lease, state }])).toEqual(['lost']);
    expect(await payout.stateOf()).toBe(2);
    expect(await post('ack', [{ id: first.id, lease: first.lease, state: 'done' }])).toEqual(['applied']);
    expect(await payout.stateOf()).toBe(3);
    expect(await post('ack', [{ id: second.id, lease: second.lease, state }])).toEqual(['duplicate']);
  });

  test('is accepted after the time-out, as without a lease', async () => {
    const payout = await makePayout();
    const command = await leaseOne();
    await post('receipt', commands.idsOf([command]));
    clock.move(UNKNOWN_AFTER_MS);
    await timeOut();
    expect(await payout.stateOf()).toBe(8);
    expect(await post('ack', [{ id: command.id, lease: command.lease, state: 'failed' }])).toEqual(['applied']);
    expect(await stored(command.id)).toMatchObject({ state: COMMAND.failed });
  });

  test('of an earlier sending is lost after the command is sent again', async () => {
    await commands.causeCommand(server);
    const first = await leaseOne();
    await post('receipt', commands.idsOf([first]));
    clock.move(UNKNOWN_AFTER_MS);
    await timeOut();
    expect(await post('ack', [{ id: first.id, lease: first.lease, state: 'failed' }])).toEqual(['lost']);
    const second = await leaseOne();
    expect(second).toMatchObject({ id: first.id, attempt: 2 });
    expect(second.seq).toBeGreaterThan(first.seq);
  });

  test('that an operator overrides by sending the command again frees it at once', async () => {
    await commands.causeCommand(server);
    const first = await leaseOne(600);
    await post('ack', [{ id: first.id, state: 'failed' }]);
    expect(await call(server, 'POST', 'command/retry', { id: first.id }, { token: admin })).toMatchObject({
      code: 200,
    });
    expect(await leaseOne()).toMatchObject({ id: first.id, attempt: 2 });
  });
});

describe('several programs', () => {
  test('that race for 500 commands get each exactly once, in order', async () => {
    const records = Array.from({ length: 500 }, (_, n) => 1_000_000 + n);
    await commands.enqueueFor(server, ...records);
    for (let round = 1; round <= 2; round += 1) {
      const seen: LeasedCommand[] = [];
      const program = async (limit: number): Promise<void> => {
        for (let found = await lease(60, `&limit=${limit}`); found.length > 0;) {
          expect(found.map(({ seq }) => seq)).toEqual(found.map(({ seq }) => seq).toSorted((a, b) => a - b));
          seen.push(...found);
          found = await lease(60, `&limit=${limit}`);
        }
      };
      await Promise.all([7, 7, 11, 13, 50, 100].map(program));
      expect(seen.map(({ data }) => String(data['no'])).toSorted()).toEqual(records.map((id) => `R-${id}`));
      clock.move(60_000);
    }
  });

  test('never have two commands of one record at the same time', async () => {
    await commands.enqueueFor(server, 1, 1, 2, 1, 2);
    const rounds: LeasedCommand[][] = [];
    for (;;) {
      const found = (await Promise.all(Array.from({ length: 5 }, () => lease()))).flat();
      if (found.length === 0) break;
      rounds.push(found);
      // Also after the receipt, the next command waits for the answer.
      await post('receipt', commands.idsOf(found));
      expect(await lease()).toEqual([]);
      const done = commands.idsOf(found).map((one) => ({ ...one, state: 'done' }));
      await post('ack', done);
    }
    const records = rounds.map((round) => round.map(({ data }) => String(data['no'])).toSorted());
    expect(records).toEqual([['R-1', 'R-2'], ['R-1', 'R-2'], ['R-1']]);
    const ofFirst = rounds.flat().filter(({ data }) => data['no'] === 'R-1');
    expect(ofFirst.map(({ seq }) => seq)).toEqual(ofFirst.map(({ seq }) => seq).toSorted((a, b) => a - b));
  });

  test('get balances of one user one after the other', async () => {
    const user = await makeUser(server, { amount: '100' });
    const other = await makeUser(server, { amount: '100' });
    for (const account of [user, user, other]) await freezeSome(account);
    const found = await lease();
    const balances = found.filter(({ type }) => type === 'balance.changed');
    expect(balances.map(({ data }) => data['account'])).toEqual([user, other]);
  });

  test('of halts wait neither for a plan of the market nor for settings, but for each other', async () => {
    const market = { marketName: 'BTC', marketType: 1 as const };
    const plan = { ...market, minPrice: '1', maxPrice: '9', planPrice: '5', planMinute: 1, planState: 1 };
    const sent = [
      { type: 'plan.updated', data: plan },
      { type: 'market.halted', data: { ...market, haltedAt: 1, resumeAt: 2, price: null } },
      { type: 'plan.updated', data: plan },
      { type: 'market.resumed', data: market },
    ] as const;
    const all = sent.map((one): NewCommand => ({ ...one, refType: 'market', refId: 2, now: server.clock.now() }));
    await inTransaction(server.app.system, (db) => enqueue(db, ...all));
    expect((await lease()).map(({ type }) => type)).toEqual(['plan.updated', 'market.halted']);
  });

  /** Sends a finished command again, beside a newer one of its record. */
  const requeue = (id: number) =>
    server.query(sql`update command set state = 0, seq = null, lease_until = null where id = ${id}`);

  test('do not get an older command of a record while a newer one is held', async () => {
    await commands.enqueueFor(server, 5, 5);
    const first = await leaseOne();
    await post('ack', [{ id: first.id, state: 'failed' }]);
    const second = await leaseOne();
    await requeue(first.id);
    expect(await lease()).toEqual([]);
    await post('receipt', commands.idsOf([second]));
    expect(await lease()).toEqual([]);
    await post('ack', [{ id: second.id, state: 'done' }]);
    expect((await leaseOne()).id).toBe(first.id);
  });

  test('nor while a newer one is just being leased', async () => {
    await commands.enqueueFor(server, 6, 6);
    const first = await leaseOne();
    await post('ack', [{ id: first.id, state: 'failed' }]);
    const request = {
      scope: DEFAULT_SCOPE,
      lease: randomUUID(),
      seconds: 30,
      limit: 100,
      now: server.clock.now(),
    };
    const { held, other } = await inTransaction(server.app.system, async (db) => {
      const held = await leaseCommands(db, request);
      await requeue(first.id);
      const other = lease();
      const isBlocked = vi.waitFor(
        async () => expect(await server.query(sql`select from pg_locks where not granted`)).not.toEqual([]),
        { interval: 5, timeout: 10_000 },
      );
      await Promise.race([other, isBlocked]);
      return { held, other };
    });
    expect(held).toHaveLength(1);
    expect(await other).toEqual([]);
  });
});

/** Freezes 1 USDT of a user, which sends a command with the new balance. */
async function freezeSome(account: string): Promise<void> {
  const [key] = await server.query(sql<{ userId: number; marketId: number }>`
    select u.id as "userId", m.id as "marketId" from users u, market m
    where u.account = ${account} and m.market_name = 'USDT'`);
  const input = { ...key, platform: 1, amount: '1', state: 0, reason: '测试冻结' };
  const { code, msg } = await call(server, 'POST', 'asset/frozen/add', input, { token: admin });
  if (code !== 200) throw new Error(`asset/frozen/add: ${msg}`);
}

describe('beside programs that continue from a number', () => {
  test('leases hide nothing from them, and their reading is a delivery', async () => {
    const payout = await makePayout();
    const command = await leaseOne(600);
    const seen = await commands.pull(server);
    expect(seen.map(({ id }) => id)).toContain(command.id);
    expect(seen[0]).not.toHaveProperty('lease');
    clock.move(UNKNOWN_AFTER_MS);
    await timeOut();
    expect(await payout.stateOf()).toBe(8);
  });

  test('what they received is not leased', async () => {
    await commands.causeCommand(server);
    await commands.pull(server);
    expect(await lease()).toEqual([]);
    clock.move(UNKNOWN_AFTER_MS);
    await timeOut();
    expect(await leaseOne()).toMatchObject({ attempt: 2 });
  });
});

test('a waiting program gets the next command with a lease', async () => {
  clock.release();
  const waiting = lease(30, '&wait=30');
  const no = await commands.causeCommand(server);
  expect((await waiting).map(({ data, leaseUntil }) => [data['no'], leaseUntil > 0])).toEqual([[no, true]]);
});

describe('the replay', () => {
  test('returns all commands from a number with state and reason, and changes nothing', async () => {
    await commands.enqueueFor(server, 11, 12, 13, 14);
    const [first, second, third] = await lease(30, '&limit=3');
    if (!first || !second || !third) throw new Error('no commands');
    await post('ack', [
      { id: first.id, state: 'done' },
      { id: second.id, state: 'failed', reason: 'no such recharge' },
    ]);
    await post('receipt', commands.idsOf([third]));
    const before = await whole();
    const replay = async (query: string) =>
      (
        await platformCall<(LeasedCommand & { state: string; reason: string })[]>(
          server,
          'GET',
          `commands/replay?${query}`,
        )
      ).data;
    const all = await replay(`from=${first.seq}`);
    expect(all.map(({ seq, state, reason }) => [seq, state, reason])).toEqual([
      [first.seq, 'done', ''],
      [first.seq + 1, 'failed', 'no such recharge'],
      [first.seq + 2, 'sent', ''],
      [first.seq + 3, 'waiting', ''],
    ]);
    const { lease: _lease, leaseUntil: _until, ...command } = second;
    expect(all[1]).toEqual({ ...command, state: 'failed', reason: 'no such recharge' });
    expect(await replay(`from=${second.seq}&limit=1`)).toEqual([all[1]]);
    expect(await whole()).toEqual(before);
  });

  test('needs a number', async () => {
    expect(await platformCall(server, 'GET', 'commands/replay')).toMatchObject({ code: 422 });
  });
});
