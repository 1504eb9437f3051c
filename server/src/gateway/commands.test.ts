import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { COMMAND, UNKNOWN_AFTER_MS, signedText } from '@hengtai/contract/gateway/gateway';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onTron } from '../../test/address.ts';
import { freezeClock, makeMarket, setUserState } from '../../test/book.ts';
import * as commands from '../../test/commands.ts';
import type { Command } from '../../test/commands.ts';
import { findWithdraw, makeOperator, makeUser, makeWithdraw } from '../../test/factories.ts';
import { type TestServer, apply, call, login, platformCall, send, testServer, unique } from '../../test/server.ts';
import { inTransaction } from '../database/connect.ts';
import { checkBook } from '../books/ledger/check.ts';
import { enqueue } from './command.store.ts';
import { publishCommands, timeOutCommands } from './publisher.ts';
import { platform } from '../modules.ts';

let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});

const pull = (query?: string): Promise<Command[]> => commands.pull(server, query);

/** The unfinished commands of one request. */
const pullFor = async (no: string): Promise<Command[]> => (await pull()).filter((command) => command.data['no'] === no);

async function payoutOf(no: string): Promise<Command> {
  const found = (await pullFor(no)).find((command) => command.type === 'withdraw.payout');
  if (!found) throw new Error(`no payout of ${no}`);
  return found;
}

async function ack(id: number, state: string, reason?: string): Promise<string> {
  const answer = await platformCall<{ id: number; result: string }[]>(server, 'POST', 'commands/ack', [
    { id, state, ...(reason === undefined ? {} : { reason }) },
  ]);
  expect(answer.data).toMatchObject([{ id }]);
  return answer.data[0]?.result ?? '';
}

const makePassedWithdraw = (): Promise<WithdrawRow> => commands.makePassedWithdraw(server, admin);
const stateOf = async (no: string): Promise<number> => (await findWithdraw(server, admin, no)).state;

const stored = (id: number) => commands.stored(server, id);
const causeCommand = (): Promise<string> => commands.causeCommand(server);

/** Observes a long poll by counting its reads of the clock. */
function watchPoll({ clock }: TestServer): { polledTwice(): Promise<void> } {
  const now = clock.now.bind(clock);
  const count = { reads: 0 };
  clock.now = () => {
    count.reads += 1;
    return now();
  };
  return {
    polledTwice: async () => {
      // One read to sign, one to verify, one for the deadline, and two for each poll.
      for (let tries = 0; count.reads < 7; tries += 1) {
        if (tries === 6_000) throw new Error('The long poll did not poll twice within 60 s.');
        await sleep(10);
      }
      clock.now = now;
    },
  };
}

const lastSeq = async (): Promise<number> => (await pull()).at(-1)?.seq ?? 0;

describe('commands are sent', () => {
  test('as a payout with amount and address when an operator passes a withdrawal', async () => {
    const row = await makePassedWithdraw();
    const [payout, reviewed, ...rest] = await pullFor(row.no);
    expect(rest).toEqual([]);
    expect(payout).toEqual({
      seq: expect.any(Number),
      id: expect.any(Number),
      type: 'withdraw.payout',
      at: expect.any(Number),
      attempt: 1,
      data: {
        no: row.no,
        attempt: 1,
        account: row.account,
        market: 'USDT',
        ...onTron('there'),
        memo: '',
        amount: '99',
      },
    });
    expect(reviewed).toMatchObject({ type: 'withdraw.reviewed', attempt: 1, data: { no: row.no, state: 2 } });
    expect(await stateOf(row.no)).toBe(2);
  });

  test('as a payout only after the checker has approved', async () => {
    const checker = await makeOperator(server, admin, { abilities: [3, 11, 13] });
    const user = await makeUser(server, { amount: '50000' });
    const row = await makeWithdraw(server, admin, user, { amount: '20000' });
    const requested = await call<{ id: number }>(server, 'POST', 'withdraw/pass', { id: row.id }, { token: admin });
    expect(requested.code).toBe(202);
    expect(await pullFor(row.no)).toEqual([]);
    await call(server, 'POST', 'approval/pass', { id: requested.data.id }, { token: checker.token });
    expect((await payoutOf(row.no)).data).toMatchObject({ amount: '19999', attempt: 1 });
  });

  test('as a rejection with its reason, and the balance after the release', async () => {
    const user = await makeUser(server, { amount: '150' });
    const row = await makeWithdraw(server, admin, user, { amount: '100' });
    const reason = '资料不符，请联系客服';
    await call(server, 'POST', 'withdraw/reject', { id: row.id, reason }, { token: admin });
    expect(await pullFor(row.no)).toMatchObject([
      { type: 'withdraw.reviewed', data: { no: row.no, state: 5, reason, reasonCode: 'mismatched_data' } },
    ]);
    const changed = (await pull()).filter((command) => command.data['account'] === user);
    expect(changed.map(({ type, data }) => ({ type, data }))).toEqual([
      {
        type: 'balance.changed',
        data: { account: user, market: 'USDT', platform: 1, active: '150', frozen: '0', entry: expect.any(Number) },
      },
    ]);
  });

  test('as a new user with the password hash when an operator adds one', async () => {
    const account = unique('user');
    const input = { account, password: 'customer-password' };
    expect((await call(server, 'POST', 'user/add', input, { token: admin })).code).toBe(200);
    const [made] = (await pull()).filter((command) => command.data['account'] === account);
    expect(made).toMatchObject({ type: 'user.created', data: { account, agent: 'admin' } });
    expect(made?.data['password']).toMatch(/^\$argon2id\$/);
  });

  test('but not for changes that the platform made itself', async () => {
    const row = await makePassedWithdraw();
    const before = (await pull()).length;
    await apply(server, { type: 'withdraw.paid', data: { no: row.no, txHash: '0x1' } });
    await makeUser(server, { amount: '5' });
    expect((await pull()).length).toBeLessThan(before);
  });
});

describe('pulling', () => {
  test('returns commands after a seq, in the order of seq, up to the limit', async () => {
    const from = await lastSeq();
    const numbers = [await causeCommand(), await causeCommand(), await causeCommand()];
    const first = await pull(`after=${from}&limit=2`);
    expect(first.map(({ data }) => data['no'])).toEqual(numbers.slice(0, 2));
    const rest = await pull(`after=${first[1]?.seq}`);
    expect(rest.map(({ data }) => data['no'])).toEqual(numbers.slice(2));
    expect(await pull(`after=${rest[0]?.seq}`)).toEqual([]);
    const seqs = [...first, ...rest].map(({ seq }) => seq);
    expect(seqs).toEqual([from + 1, from + 2, from + 3]);
  });

  test('returns a command again until it is acked', async () => {
    const no = await causeCommand();
    const once = await pullFor(no);
    expect(await pullFor(no)).toEqual(once);
    expect(await pullFor(no)).toEqual(once);
    const [command] = once;
    if (!command) throw new Error('no command');
    expect(await stored(command.id)).toMatchObject({ state: COMMAND.sent });
    expect(await ack(command.id, 'done')).toBe('applied');
    expect(await pullFor(no)).toEqual([]);
    expect(await stored(command.id)).toMatchObject({ state: COMMAND.done });
  });

  test('returns the same commands to two readers', async () => {
    const from = await lastSeq();
    await causeCommand();
    await causeCommand();
    const [one, other] = await Promise.all([pull(`after=${from}`), pull(`after=${from}`)]);
    expect(one).toHaveLength(2);
    expect(other).toEqual(one);
  });

  test('returns the command of a completed action at once, with or without the publisher', async () => {
    const no = await causeCommand();
    expect(await pullFor(no)).toHaveLength(1);
    const published = await causeCommand();
    await publishCommands(server.app);
    expect(await pullFor(published)).toHaveLength(1);
  });

  test('numbers committed commands only, so a slow transaction is not skipped', async () => {
    const from = await lastSeq();
    const data = (no: string) => ({ no, state: 3 });
    const command = (no: string) =>
      ({ type: 'recharge.reviewed', refType: 'recharge', refId: 1, data: data(no), now: server.clock.now() }) as const;
    const seen = await inTransaction(server.owner, async (slow) => {
      await enqueue(slow, command('slow'));
      await inTransaction(server.app.system, (quick) => enqueue(quick, command('quick')));
      return pull(`after=${from}`);
    });
    expect(seen.map((found) => found.data['no'])).toEqual(['quick']);
    const later = await pull(`after=${seen[0]?.seq}`);
    expect(later.map((found) => found.data['no'])).toEqual(['slow']);
  });

  test('misses no command of many concurrent actions when it continues from the last seq', async () => {
    const account = await makeUser(server);
    await setUserState(server, account, 0);
    const from = await lastSeq();
    const numbers = Array.from({ length: 120 }, () => unique('flood-'));
    const finished = new AbortController();
    const publisher = (async () => {
      while (!finished.signal.aborted) await publishCommands(server.app);
    })();
    const flood = Promise.all(
      numbers.map((no) =>
        apply(server, {
          type: 'recharge.credited',
          data: {
            no,
            account,
            market: 'USDT',
            ...onTron('any'),
            amount: '1',
            confirmations: 1,
            source: 1,
          },
        }),
      ),
    ).finally(() => finished.abort());
    const seen: Command[] = [];
    let after = from;
    while (!finished.signal.aborted) {
      const found = await pull(`after=${after}&limit=7`);
      seen.push(...found);
      after = found.at(-1)?.seq ?? after;
    }
    await Promise.all([flood, publisher]);
    for (let found = await pull(`after=${after}`); found.length > 0; found = await pull(`after=${after}`)) {
      seen.push(...found);
      after = found.at(-1)?.seq ?? after;
    }
    expect(seen.map(({ seq }) => seq)).toEqual(numbers.map((_, n) => from + n + 1));
    expect(new Set(seen.map(({ data }) => data['no']))).toEqual(new Set(numbers));
  });

  test('answers a waiting reader with the next command', async () => {
    const from = await lastSeq();
    const poll = watchPoll(server);
    const waiting = pull(`after=${from}&wait=30`);
    await poll.polledTwice();
    const no = await causeCommand();
    expect((await waiting).map(({ data }) => data['no'])).toEqual([no]);
  });

  test('answers a waiting reader with an empty list at the deadline', async () => {
    const from = await lastSeq();
    const clock = freezeClock(server);
    try {
      const poll = watchPoll(server);
      const waiting = pull(`after=${from}&wait=30`);
      await poll.polledTwice();
      clock.move(30_000);
      expect(await waiting).toEqual([]);
    } finally {
      clock.release();
    }
  });

  test('answers waiting readers when the server stops', async () => {
    const stopping = await testServer({ jobs: false });
    const url = await stopping.server.listen({ host: '127.0.0.1', port: 0 });
    const poll = watchPoll(stopping);
    const path = '/platform/v1/commands?wait=30';
    const time = String(stopping.clock.now());
    const { key, secret } = stopping.app.platform;
    const signature = createHmac('sha256', secret)
      .update(signedText(time, 'GET', path, ''))
      .digest('hex');
    const waiting = fetch(`${url}${path}`, { headers: { 'x-key': key, 'x-time': time, 'x-signature': signature } });
    await poll.polledTwice();
    await stopping.stop();
    expect(await (await waiting).json()).toMatchObject({ code: 200, data: [] });
  });
});

describe('acks of a payout', () => {
  const outcomes = [
    ['done', 3, COMMAND.done],
    ['failed', 7, COMMAND.failed],
    ['unknown', 8, COMMAND.unknown],
  ] as const;

  test.each(outcomes)('%s moves the withdrawal from 2 to %i', async (state, to, commandState) => {
    const row = await makePassedWithdraw();
    const payout = await payoutOf(row.no);
    expect(await ack(payout.id, state, 'says the wallet')).toBe('applied');
    const after = await findWithdraw(server, admin, row.no);
    expect(after).toMatchObject({ state: to, reason: state === 'done' ? '' : 'says the wallet' });
    expect(await stored(payout.id)).toMatchObject({ state: commandState, reason: 'says the wallet' });
    expect((await pullFor(row.no)).map(({ type }) => type)).toEqual(['withdraw.reviewed']);
  });

  test.each(outcomes)('after %s every further ack is a duplicate without effect', async (state, to) => {
    const row = await makePassedWithdraw();
    const payout = await payoutOf(row.no);
    await ack(payout.id, state);
    expect(await ack(payout.id, state)).toBe('duplicate');
    for (const other of ['done', 'failed']) {
      if (state !== 'unknown') expect(await ack(payout.id, other)).toBe('duplicate');
    }
    expect(await stateOf(row.no)).toBe(to);
  });

  test('a later ack of an unknown outcome changes the command only; events decide on the withdrawal', async () => {
    const row = await makePassedWithdraw();
    const payout = await payoutOf(row.no);
    await ack(payout.id, 'unknown');
    expect(await ack(payout.id, 'done')).toBe('applied');
    expect(await stored(payout.id)).toMatchObject({ state: COMMAND.done });
    expect(await stateOf(row.no)).toBe(8);
    await apply(server, { type: 'withdraw.paying', data: { no: row.no } });
    expect(await stateOf(row.no)).toBe(3);
  });

  test('are duplicates after an event reported the outcome', async () => {
    const outcomeEvents = [
      ['paying', {}, 3],
      ['paid', { txHash: '0x1' }, 4],
      ['failed', {}, 7],
    ] as const;
    for (const [event, data, state] of outcomeEvents) {
      const row = await makePassedWithdraw();
      const payout = await payoutOf(row.no);
      await apply(server, { type: `withdraw.${event}`, data: { no: row.no, ...data } });
      expect(await pullFor(row.no)).toHaveLength(1);
      for (const answer of ['done', 'failed', 'unknown']) expect(await ack(payout.id, answer)).toBe('duplicate');
      expect(await stateOf(row.no)).toBe(state);
    }
  });

  test('have one effect when ten arrive at once', async () => {
    const row = await makePassedWithdraw();
    const payout = await payoutOf(row.no);
    const states = ['done', 'failed'];
    const results = await Promise.all(Array.from({ length: 10 }, (_, n) => ack(payout.id, states[n % 2] ?? '')));
    expect(results.filter((result) => result === 'applied')).toHaveLength(1);
    const { state } = await findWithdraw(server, admin, row.no);
    expect(await stored(payout.id)).toMatchObject({ state: state === 3 ? COMMAND.done : COMMAND.failed });
  });

  test('of an earlier attempt do not change the current one', async () => {
    const row = await makePassedWithdraw();
    const first = await payoutOf(row.no);
    await ack(first.id, 'failed');
    await call(server, 'POST', 'withdraw/retry', { id: row.id }, { token: admin });
    const next = await payoutOf(row.no);
    expect(next).toMatchObject({ attempt: 1, data: { no: row.no, attempt: 2 } });
    expect(next.id).not.toBe(first.id);
    for (const state of ['done', 'failed', 'unknown']) expect(await ack(first.id, state)).toBe('duplicate');
    // Even an open command of an earlier attempt must not change the withdrawal.
    await server.query(sql`update command set state = 1 where id = ${first.id}`);
    expect(await ack(first.id, 'failed')).toBe('applied');
    expect(await stateOf(row.no)).toBe(2);
    expect(await ack(next.id, 'done')).toBe('applied');
    expect(await stateOf(row.no)).toBe(3);
  });

  test('move no money', async () => {
    const row = await makePassedWithdraw();
    const balances = () => platformCall(server, 'GET', `balances?account=${row.account}`);
    const before = (await balances()).data;
    await ack((await payoutOf(row.no)).id, 'failed');
    expect((await balances()).data).toEqual(before);
  });
});

describe('acks', () => {
  test('are answered in order, also that of a command that does not exist', async () => {
    const ids = [(await pullFor(await causeCommand()))[0]?.id ?? 0, (await pullFor(await causeCommand()))[0]?.id ?? 0];
    const body = [
      { id: ids[1], state: 'done' },
      { id: 999_999_999, state: 'done' },
      { id: ids[0], state: 'failed', reason: 'no such user' },
      { id: ids[1], state: 'done' },
    ];
    const answer = await platformCall(server, 'POST', 'commands/ack', body);
    expect(answer.data).toEqual([
      { id: ids[1], result: 'applied' },
      { id: 999_999_999, result: 'unknown' },
      { id: ids[0], result: 'applied' },
      { id: ids[1], result: 'duplicate' },
    ]);
    expect(await stored(ids[0] ?? 0)).toMatchObject({ state: COMMAND.failed, reason: 'no such user' });
  });

  test('of several commands in one call move the withdrawal of a payout, and the first of a command wins', async () => {
    const { no } = await makePassedWithdraw();
    const payout = await payoutOf(no);
    const [first, second] = [
      (await pullFor(await causeCommand()))[0]?.id ?? 0,
      (await pullFor(await causeCommand()))[0]?.id ?? 0,
    ];
    const body = [
      { id: first, state: 'failed', reason: 'busy' },
      { id: payout.id, state: 'done' },
      { id: second, state: 'done' },
      { id: first, state: 'done' },
    ];
    const send = async () =>
      (await platformCall<{ result: string }[]>(server, 'POST', 'commands/ack', body)).data.map(({ result }) => result);
    expect(await send()).toEqual(['applied', 'applied', 'applied', 'duplicate']);
    expect(await send()).toEqual(Array(4).fill('duplicate'));
    expect(await stateOf(no)).toBe(3);
    expect(await stored(first)).toMatchObject({ state: COMMAND.failed, reason: 'busy' });
    expect(await stored(second)).toMatchObject({ state: COMMAND.done });
  });

  test('of a review change nothing but the command', async () => {
    const row = await makePassedWithdraw();
    const reviewed = (await pullFor(row.no)).find((command) => command.type === 'withdraw.reviewed');
    expect(await ack(reviewed?.id ?? 0, 'failed')).toBe('applied');
    expect(await stateOf(row.no)).toBe(2);
  });
});

describe('an unanswered command', () => {
  test('that is a payout becomes unknown after a minute and is never sent again automatically', async () => {
    const row = await makePassedWithdraw();
    const clock = freezeClock(server);
    try {
      const payout = await payoutOf(row.no);
      clock.move(UNKNOWN_AFTER_MS - 1);
      await timeOutCommands(server.app, platform.answers);
      expect(await stateOf(row.no)).toBe(2);
      clock.move(1);
      await timeOutCommands(server.app, platform.answers);
      expect(await stored(payout.id)).toMatchObject({ state: COMMAND.unknown, attempt: 1 });
      expect(await findWithdraw(server, admin, row.no)).toMatchObject({ state: 8, reason: '钱包 60 秒内没有回应' });
      for (let shifts = 0; shifts < 6; shifts += 1) {
        clock.move(8 * 3_600_000);
        await timeOutCommands(server.app, platform.answers);
        await publishCommands(server.app);
        expect((await pullFor(row.no)).map(({ type }) => type)).toEqual(['withdraw.reviewed']);
      }
    } finally {
      clock.release();
    }
    expect(await stateOf(row.no)).toBe(8);
  });

  test('times out a minute after its first delivery', async () => {
    const row = await makePassedWithdraw();
    const clock = freezeClock(server);
    try {
      clock.move(10 * UNKNOWN_AFTER_MS);
      await publishCommands(server.app);
      await timeOutCommands(server.app, platform.answers);
      expect(await stateOf(row.no)).toBe(2);
      await payoutOf(row.no);
      clock.move(UNKNOWN_AFTER_MS / 2);
      await payoutOf(row.no);
      clock.move(UNKNOWN_AFTER_MS / 2);
      await timeOutCommands(server.app, platform.answers);
      expect(await stateOf(row.no)).toBe(8);
    } finally {
      clock.release();
    }
  });

  test('does not time out after an ack or an event reported the outcome', async () => {
    const acked = await makePassedWithdraw();
    const reported = await makePassedWithdraw();
    const clock = freezeClock(server);
    try {
      await ack((await payoutOf(acked.no)).id, 'done');
      await payoutOf(reported.no);
      await apply(server, { type: 'withdraw.paying', data: { no: reported.no } });
      clock.move(UNKNOWN_AFTER_MS);
      await timeOutCommands(server.app, platform.answers);
      expect([await stateOf(acked.no), await stateOf(reported.no)]).toEqual([3, 3]);
    } finally {
      clock.release();
    }
  });

  test('records a late ack of a timed-out payout without changing the withdrawal', async () => {
    const row = await makePassedWithdraw();
    const clock = freezeClock(server);
    try {
      const payout = await payoutOf(row.no);
      clock.move(UNKNOWN_AFTER_MS);
      await timeOutCommands(server.app, platform.answers);
      expect(await ack(payout.id, 'unknown')).toBe('duplicate');
      expect(await ack(payout.id, 'failed', 'late')).toBe('applied');
      expect(await ack(payout.id, 'done')).toBe('duplicate');
      expect(await stored(payout.id)).toMatchObject({ state: COMMAND.failed, reason: 'late' });
      expect(await stateOf(row.no)).toBe(8);
      await apply(server, { type: 'withdraw.paid', data: { no: row.no, txHash: '0x1' } });
      expect(await stateOf(row.no)).toBe(4);
    } finally {
      clock.release();
    }
  });

  test('that is no payout is sent again with a new seq after 1, 2, 4, 8 and then every 15 minutes', async () => {
    const no = await causeCommand();
    const clock = freezeClock(server);
    try {
      let [sent] = await pullFor(no);
      const id = sent?.id ?? 0;
      for (const [attempt, minutes] of [1, 2, 4, 8, 15, 15].entries()) {
        expect(sent).toMatchObject({ id, attempt: attempt + 1, data: { no } });
        clock.move(minutes * 60_000 - 1);
        await timeOutCommands(server.app, platform.answers);
        expect(await stored(id)).toMatchObject({ state: COMMAND.sent, seq: sent?.seq });
        clock.move(1);
        await timeOutCommands(server.app, platform.answers);
        expect(await stored(id)).toMatchObject({ state: COMMAND.waiting, seq: null });
        const [again] = (await pull(`after=${sent?.seq}&limit=500`)).filter((command) => command.id === id);
        expect(again?.seq).toBeGreaterThan(sent?.seq ?? Infinity);
        sent = again;
      }
      expect(await ack(id, 'done')).toBe('applied');
      expect(await pullFor(no)).toEqual([]);
    } finally {
      clock.release();
    }
  });

  test('with very many attempts does not overflow the delay', async () => {
    const no = await causeCommand();
    await server.query(sql`update command set attempt = 100000 where data ->> 'no' = ${no}`);
    expect(await pullFor(no)).toMatchObject([{ attempt: 100_001 }]);
  });
});

describe('several processes', () => {
  test('publish and time out concurrently without sending a command twice', async () => {
    const market = await makeMarket(server, { rechargeState: 0 });
    const account = await makeUser(server);
    const from = await lastSeq();
    const numbers = Array.from({ length: 30 }, () => unique('many-'));
    const events = numbers.map((no) => ({
      type: 'recharge.credited',
      data: { no, account, market, ...onTron('any'), amount: '1', confirmations: 1, source: 1 },
    }));
    expect((await send(server, ...events)).every(({ result }) => result === 'applied')).toBe(true);
    await Promise.all(Array.from({ length: 8 }, () => publishCommands(server.app)));
    const seen = await pull(`after=${from}`);
    expect(seen.map(({ data }) => data['no'])).toEqual(numbers);
    expect(seen.every(({ attempt }) => attempt === 1)).toBe(true);
    const clock = freezeClock(server);
    try {
      clock.move(60 * 60_000);
      await Promise.all(Array.from({ length: 8 }, () => timeOutCommands(server.app, platform.answers)));
      const again = (await pull(`after=${seen.at(-1)?.seq}&limit=500`)).filter(({ data }) =>
        numbers.includes(String(data['no'])),
      );
      expect(again).toHaveLength(numbers.length);
      expect(again.every(({ attempt }) => attempt === 2)).toBe(true);
    } finally {
      clock.release();
    }
  });
});
