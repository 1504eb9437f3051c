import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { COMMAND, UNKNOWN_AFTER_MS, signedText } from '@hengtai/contract/gateway';
import type { WithdrawRow } from '@hengtai/contract/withdraw.schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { holdClock, makeMarket, setUserState } from '../../test/book.ts';
import { findWithdraw, makeOperator, makeUser, makeWithdraw } from '../../test/factories.ts';
import { type TestServer, apply, call, login, platformCall, send, testServer, unique } from '../../test/server.ts';
import { inTransaction } from '../db/connect.ts';
import { checkBook } from '../ledger/check.ts';
import { enqueue } from './command.store.ts';
import type { OutgoingCommand } from './command.store.ts';
import { publishCommands, timeOutCommands } from './publisher.ts';

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

type Command = OutgoingCommand & { data: Record<string, unknown> };

async function pull(query = 'limit=500'): Promise<Command[]> {
  const answer = await platformCall<Command[]>(server, 'GET', `commands?${query}`);
  if (answer.code !== 200) throw new Error(`commands: ${answer.code} ${answer.msg}`);
  return answer.data;
}

/** Everything that is not finished, of one request. */
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

/** A withdrawal that an operator passed. */
async function passed(): Promise<WithdrawRow> {
  const user = await makeUser(server, { amount: '150' });
  const row = await makeWithdraw(server, admin, user, { amount: '100', fee: '1', address: 'T-there' });
  const { code, msg } = await call(server, 'POST', 'withdraw/pass', { id: row.id }, { token: admin });
  if (code !== 200) throw new Error(`withdraw/pass: ${msg}`);
  return row;
}

const stateOf = async (no: string): Promise<number> => (await findWithdraw(server, admin, no)).state;

async function stored(id: number) {
  const [row] = await server.query(sql<{ state: number; seq: number | null; attempt: number; reason: string }>`
    select state, seq, attempt, reason from command where id = ${id}`);
  return row;
}

/** Something that tells the platform of itself, made as cheaply as possible: a credit that is withheld. */
async function tell(): Promise<string> {
  const no = unique('told-');
  const account = await makeUser(server);
  await setUserState(server, account, 0);
  await apply(server, {
    type: 'recharge.credited',
    data: { no, account, market: 'USDT', network: 'TRC20', address: 'T', amount: '1', confirmations: 1, source: 1 },
  });
  return no;
}

/** Watches a reader that waits: it asks the clock again each time that it has looked and found nothing. */
function looksOf({ clock }: TestServer): { twice(): Promise<void> } {
  const now = clock.now.bind(clock);
  const asked = { times: 0 };
  clock.now = () => {
    asked.times += 1;
    return now();
  };
  return {
    twice: async () => {
      // Its signing and its signature, until when it waits, and two for each look.
      for (let tries = 0; asked.times < 7; tries += 1) {
        if (tries === 6_000) throw new Error('nobody waits');
        await sleep(10);
      }
      clock.now = now;
    },
  };
}

const lastSeq = async (): Promise<number> => (await pull()).at(-1)?.seq ?? 0;

describe('what is told', () => {
  test('a payout when an operator passes a withdrawal, with what is to be paid', async () => {
    const row = await passed();
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
        network: 'TRC20',
        address: 'T-there',
        memo: '',
        amount: '99',
      },
    });
    expect(reviewed).toMatchObject({ type: 'withdraw.reviewed', attempt: 1, data: { no: row.no, state: 2 } });
    expect(await stateOf(row.no)).toBe(2);
  });

  test('no payout while the second person has not spoken', async () => {
    const second = await makeOperator(server, admin, { abilities: [3, 11, 13] });
    const user = await makeUser(server, { amount: '50000' });
    const row = await makeWithdraw(server, admin, user, { amount: '20000' });
    const asked = await call<{ id: number }>(server, 'POST', 'withdraw/pass', { id: row.id }, { token: admin });
    expect(asked.code).toBe(202);
    expect(await pullFor(row.no)).toEqual([]);
    await call(server, 'POST', 'approval/pass', { id: asked.data.id }, { token: second.token });
    expect((await payoutOf(row.no)).data).toMatchObject({ amount: '19999', attempt: 1 });
  });

  test('a rejection, with its reason and the balance that came back', async () => {
    const user = await makeUser(server, { amount: '150' });
    const row = await makeWithdraw(server, admin, user, { amount: '100' });
    const reason = '资料不符，请联系客服';
    await call(server, 'POST', 'withdraw/reject', { id: row.id, reason }, { token: admin });
    expect(await pullFor(row.no)).toMatchObject([
      { type: 'withdraw.reviewed', data: { no: row.no, state: 5, reason } },
    ]);
    const changed = (await pull()).filter((command) => command.data['account'] === user);
    expect(changed.map(({ type, data }) => ({ type, data }))).toEqual([
      {
        type: 'balance.changed',
        data: { account: user, market: 'USDT', platform: 1, active: '150', frozen: '0', entry: expect.any(Number) },
      },
    ]);
  });

  test('a user that an operator made, with the hash of the password', async () => {
    const account = unique('user');
    const input = { account, password: 'customer-password' };
    expect((await call(server, 'POST', 'user/add', input, { token: admin })).code).toBe(200);
    const [made] = (await pull()).filter((command) => command.data['account'] === account);
    expect(made).toMatchObject({ type: 'user.created', data: { account, agent: 'admin' } });
    expect(made?.data['password']).toMatch(/^\$argon2id\$/);
  });

  test('nothing of what the platform did itself', async () => {
    const row = await passed();
    const before = (await pull()).length;
    await apply(server, { type: 'withdraw.paid', data: { no: row.no, txHash: '0x1' } });
    await makeUser(server, { amount: '5' });
    expect((await pull()).length).toBeLessThan(before);
  });
});

describe('pulling', () => {
  test('in the order of seq, not more than the limit, on from a seq', async () => {
    const from = await lastSeq();
    const told = [await tell(), await tell(), await tell()];
    const first = await pull(`after=${from}&limit=2`);
    expect(first.map(({ data }) => data['no'])).toEqual(told.slice(0, 2));
    const rest = await pull(`after=${first[1]?.seq}`);
    expect(rest.map(({ data }) => data['no'])).toEqual(told.slice(2));
    expect(await pull(`after=${rest[0]?.seq}`)).toEqual([]);
    const seqs = [...first, ...rest].map(({ seq }) => seq);
    expect(seqs).toEqual([from + 1, from + 2, from + 3]);
  });

  test('at least once: the same again until it is acked', async () => {
    const no = await tell();
    const once = await pullFor(no);
    expect(await pullFor(no)).toEqual(once);
    expect(await pullFor(no)).toEqual(once);
    const [command] = once;
    if (!command) throw new Error('nothing');
    expect(await stored(command.id)).toMatchObject({ state: COMMAND.sent });
    expect(await ack(command.id, 'done')).toBe('applied');
    expect(await pullFor(no)).toEqual([]);
    expect(await stored(command.id)).toMatchObject({ state: COMMAND.done });
  });

  test('two readers see the same', async () => {
    const from = await lastSeq();
    await tell();
    await tell();
    const [one, other] = await Promise.all([pull(`after=${from}`), pull(`after=${from}`)]);
    expect(one).toHaveLength(2);
    expect(other).toEqual(one);
  });

  test('an answered action is seen by the next pull, whether or not the publisher ran', async () => {
    const no = await tell();
    expect(await pullFor(no)).toHaveLength(1);
    const published = await tell();
    await publishCommands(server.app);
    expect(await pullFor(published)).toHaveLength(1);
  });

  test('numbers are given to what is committed: a slow transaction is not skipped', async () => {
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

  test('a reader that goes on from the last seq misses none of many concurrent actions', async () => {
    const account = await makeUser(server);
    await setUserState(server, account, 0);
    const from = await lastSeq();
    const numbers = Array.from({ length: 120 }, () => unique('flood-'));
    const over = new AbortController();
    const publisher = (async () => {
      while (!over.signal.aborted) await publishCommands(server.app);
    })();
    const flood = Promise.all(
      numbers.map((no) =>
        apply(server, {
          type: 'recharge.credited',
          data: {
            no,
            account,
            market: 'USDT',
            network: 'TRC20',
            address: 'T',
            amount: '1',
            confirmations: 1,
            source: 1,
          },
        }),
      ),
    ).finally(() => over.abort());
    const seen: Command[] = [];
    let after = from;
    while (!over.signal.aborted) {
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

  test('a reader that waits is woken by the next command', async () => {
    const from = await lastSeq();
    const looked = looksOf(server);
    const waiting = pull(`after=${from}&wait=30`);
    await looked.twice();
    const no = await tell();
    expect((await waiting).map(({ data }) => data['no'])).toEqual([no]);
  });

  test('a reader that waited in vain gets nothing', async () => {
    const from = await lastSeq();
    const clock = holdClock(server);
    try {
      const looked = looksOf(server);
      const waiting = pull(`after=${from}&wait=30`);
      await looked.twice();
      clock.move(30_000);
      expect(await waiting).toEqual([]);
    } finally {
      clock.release();
    }
  });

  test('a server that stops lets its readers go', async () => {
    const stopping = await testServer({ jobs: false });
    const url = await stopping.server.listen({ host: '127.0.0.1', port: 0 });
    const looked = looksOf(stopping);
    const path = '/platform/v1/commands?wait=30';
    const time = String(stopping.clock.now());
    const { key, secret } = stopping.app.platform;
    const signature = createHmac('sha256', secret)
      .update(signedText(time, 'GET', path, ''))
      .digest('hex');
    const waiting = fetch(`${url}${path}`, { headers: { 'x-key': key, 'x-time': time, 'x-signature': signature } });
    await looked.twice();
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
    const row = await passed();
    const payout = await payoutOf(row.no);
    expect(await ack(payout.id, state, 'says the wallet')).toBe('applied');
    const after = await findWithdraw(server, admin, row.no);
    expect(after).toMatchObject({ state: to, reason: state === 'done' ? '' : 'says the wallet' });
    expect(await stored(payout.id)).toMatchObject({ state: commandState, reason: 'says the wallet' });
    expect((await pullFor(row.no)).map(({ type }) => type)).toEqual(['withdraw.reviewed']);
  });

  test.each(outcomes)('after %s every further ack is a duplicate without effect', async (state, to) => {
    const row = await passed();
    const payout = await payoutOf(row.no);
    await ack(payout.id, state);
    expect(await ack(payout.id, state)).toBe('duplicate');
    for (const other of ['done', 'failed']) {
      if (state !== 'unknown') expect(await ack(payout.id, other)).toBe('duplicate');
    }
    expect(await stateOf(row.no)).toBe(to);
  });

  test('an unknown outcome that is cleared up later changes the command only; events decide on the withdrawal', async () => {
    const row = await passed();
    const payout = await payoutOf(row.no);
    await ack(payout.id, 'unknown');
    expect(await ack(payout.id, 'done')).toBe('applied');
    expect(await stored(payout.id)).toMatchObject({ state: COMMAND.done });
    expect(await stateOf(row.no)).toBe(8);
    await apply(server, { type: 'withdraw.paying', data: { no: row.no } });
    expect(await stateOf(row.no)).toBe(3);
  });

  test('after the event that told the outcome, it is a duplicate', async () => {
    const endings = [
      ['paying', {}, 3],
      ['paid', { txHash: '0x1' }, 4],
      ['failed', {}, 7],
    ] as const;
    for (const [event, data, state] of endings) {
      const row = await passed();
      const payout = await payoutOf(row.no);
      await apply(server, { type: `withdraw.${event}`, data: { no: row.no, ...data } });
      expect(await pullFor(row.no)).toHaveLength(1);
      for (const answer of ['done', 'failed', 'unknown']) expect(await ack(payout.id, answer)).toBe('duplicate');
      expect(await stateOf(row.no)).toBe(state);
    }
  });

  test('ten at once have one effect', async () => {
    const row = await passed();
    const payout = await payoutOf(row.no);
    const states = ['done', 'failed'];
    const results = await Promise.all(Array.from({ length: 10 }, (_, n) => ack(payout.id, states[n % 2] ?? '')));
    expect(results.filter((result) => result === 'applied')).toHaveLength(1);
    const { state } = await findWithdraw(server, admin, row.no);
    expect(await stored(payout.id)).toMatchObject({ state: state === 3 ? COMMAND.done : COMMAND.failed });
  });

  test('of a former attempt leave the current one alone', async () => {
    const row = await passed();
    const first = await payoutOf(row.no);
    await ack(first.id, 'failed');
    await call(server, 'POST', 'withdraw/retry', { id: row.id }, { token: admin });
    const next = await payoutOf(row.no);
    expect(next).toMatchObject({ attempt: 1, data: { no: row.no, attempt: 2 } });
    expect(next.id).not.toBe(first.id);
    for (const state of ['done', 'failed', 'unknown']) expect(await ack(first.id, state)).toBe('duplicate');
    // Even one that was still open would speak for its own attempt only.
    await server.query(sql`update command set state = 1 where id = ${first.id}`);
    expect(await ack(first.id, 'failed')).toBe('applied');
    expect(await stateOf(row.no)).toBe(2);
    expect(await ack(next.id, 'done')).toBe('applied');
    expect(await stateOf(row.no)).toBe(3);
  });

  test('move no money', async () => {
    const row = await passed();
    const balances = () => platformCall(server, 'GET', `balances?account=${row.account}`);
    const before = (await balances()).data;
    await ack((await payoutOf(row.no)).id, 'failed');
    expect((await balances()).data).toEqual(before);
  });
});

describe('acks', () => {
  test('are answered in their order; of a command that does not exist, as a duplicate', async () => {
    const ids = [(await pullFor(await tell()))[0]?.id ?? 0, (await pullFor(await tell()))[0]?.id ?? 0];
    const body = [
      { id: ids[1], state: 'done' },
      { id: 999_999_999, state: 'done' },
      { id: ids[0], state: 'failed', reason: 'no such user' },
      { id: ids[1], state: 'done' },
    ];
    const answer = await platformCall(server, 'POST', 'commands/ack', body);
    expect(answer.data).toEqual([
      { id: ids[1], result: 'applied' },
      { id: 999_999_999, result: 'duplicate' },
      { id: ids[0], result: 'applied' },
      { id: ids[1], result: 'duplicate' },
    ]);
    expect(await stored(ids[0] ?? 0)).toMatchObject({ state: COMMAND.failed, reason: 'no such user' });
  });

  test('of a review change nothing but the command', async () => {
    const row = await passed();
    const reviewed = (await pullFor(row.no)).find((command) => command.type === 'withdraw.reviewed');
    expect(await ack(reviewed?.id ?? 0, 'failed')).toBe('applied');
    expect(await stateOf(row.no)).toBe(2);
  });
});

describe('silence', () => {
  test('after a minute a payout’s outcome is unknown, and it is never sent again by itself', async () => {
    const row = await passed();
    const clock = holdClock(server);
    try {
      const payout = await payoutOf(row.no);
      clock.move(UNKNOWN_AFTER_MS - 1);
      await timeOutCommands(server.app);
      expect(await stateOf(row.no)).toBe(2);
      clock.move(1);
      await timeOutCommands(server.app);
      expect(await stored(payout.id)).toMatchObject({ state: COMMAND.unknown, attempt: 1 });
      expect(await findWithdraw(server, admin, row.no)).toMatchObject({ state: 8, reason: '钱包 60 秒内没有回应' });
      for (let shifts = 0; shifts < 6; shifts += 1) {
        clock.move(8 * 3_600_000);
        await timeOutCommands(server.app);
        await publishCommands(server.app);
        expect((await pullFor(row.no)).map(({ type }) => type)).toEqual(['withdraw.reviewed']);
      }
    } finally {
      clock.release();
    }
    expect(await stateOf(row.no)).toBe(8);
  });

  test('the minute counts from the first delivery', async () => {
    const row = await passed();
    const clock = holdClock(server);
    try {
      clock.move(10 * UNKNOWN_AFTER_MS);
      await publishCommands(server.app);
      await timeOutCommands(server.app);
      expect(await stateOf(row.no)).toBe(2);
      await payoutOf(row.no);
      clock.move(UNKNOWN_AFTER_MS / 2);
      await payoutOf(row.no);
      clock.move(UNKNOWN_AFTER_MS / 2);
      await timeOutCommands(server.app);
      expect(await stateOf(row.no)).toBe(8);
    } finally {
      clock.release();
    }
  });

  test('a payout that was answered, or whose outcome an event told, does not time out', async () => {
    const acked = await passed();
    const told = await passed();
    const clock = holdClock(server);
    try {
      await ack((await payoutOf(acked.no)).id, 'done');
      await payoutOf(told.no);
      await apply(server, { type: 'withdraw.paying', data: { no: told.no } });
      clock.move(UNKNOWN_AFTER_MS);
      await timeOutCommands(server.app);
      expect([await stateOf(acked.no), await stateOf(told.no)]).toEqual([3, 3]);
    } finally {
      clock.release();
    }
  });

  test('a late ack of a payout that timed out is kept, and moves nothing', async () => {
    const row = await passed();
    const clock = holdClock(server);
    try {
      const payout = await payoutOf(row.no);
      clock.move(UNKNOWN_AFTER_MS);
      await timeOutCommands(server.app);
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

  test('every other command is sent again, under a new seq, after 1, 2, 4, 8 and then every 15 minutes', async () => {
    const no = await tell();
    const clock = holdClock(server);
    try {
      let [sent] = await pullFor(no);
      const id = sent?.id ?? 0;
      for (const [attempt, minutes] of [1, 2, 4, 8, 15, 15].entries()) {
        expect(sent).toMatchObject({ id, attempt: attempt + 1, data: { no } });
        clock.move(minutes * 60_000 - 1);
        await timeOutCommands(server.app);
        expect(await stored(id)).toMatchObject({ state: COMMAND.sent, seq: sent?.seq });
        clock.move(1);
        await timeOutCommands(server.app);
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

  test('of months does not make pulling fail', async () => {
    const no = await tell();
    await server.query(sql`update command set attempt = 100000 where data ->> 'no' = ${no}`);
    expect(await pullFor(no)).toMatchObject([{ attempt: 100_001 }]);
  });
});

describe('many processes', () => {
  test('publish and time out beside one another without a second copy', async () => {
    const market = await makeMarket(server, { rechargeState: 0 });
    const account = await makeUser(server);
    const from = await lastSeq();
    const numbers = Array.from({ length: 30 }, () => unique('many-'));
    const events = numbers.map((no) => ({
      type: 'recharge.credited',
      data: { no, account, market, network: 'TRC20', address: 'T', amount: '1', confirmations: 1, source: 1 },
    }));
    expect((await send(server, ...events)).every(({ result }) => result === 'applied')).toBe(true);
    await Promise.all(Array.from({ length: 8 }, () => publishCommands(server.app)));
    const seen = await pull(`after=${from}`);
    expect(seen.map(({ data }) => data['no'])).toEqual(numbers);
    expect(seen.every(({ attempt }) => attempt === 1)).toBe(true);
    const clock = holdClock(server);
    try {
      clock.move(60 * 60_000);
      await Promise.all(Array.from({ length: 8 }, () => timeOutCommands(server.app)));
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
