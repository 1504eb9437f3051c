// @module-tag full
import type { WithdrawState } from '@hengtai/contract/funds/withdraw/calls';
import type { PayoutStatement, WithdrawDetail, WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import type { AlarmRow } from '@hengtai/contract/house/alarm/schema';
import type { Page } from '@hengtai/contract/wire/list';
import { sample, shuffledSubarray } from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sized } from '../../../../../testing/level.ts';
import { finishAll, pull } from '../../../../test/commands.ts';
import { makeUser } from '../../../../test/factories.ts';
import { setPolicy } from '../../../../test/inspect.ts';
import { type TestServer, apply, call, login, send, testServer, unique } from '../../../../test/server.ts';
import { findHoldDiscrepancies } from '../../../books/ledger/hold-check.ts';
import { checkBook } from '../../../books/ledger/check.ts';

// Every state of a withdrawal, with each statement of the wallet, against a model that is independent of the server.

let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  for (const policy of ['withdraw.pass', 'withdraw.retry', 'withdraw.refund', 'withdraw.resolve'] as const)
    await setPolicy(server, policy, 0);
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  expect(await findHoldDiscrepancies(server.owner)).toEqual([]);
  await server.stop();
});

const EVENTS = ['paying', 'paid', 'failed', 'unknown'] as const;
type EventName = (typeof EVENTS)[number];

interface Statement {
  event: EventName;
  attempt: number | undefined;
  /** Empty for events without one. */
  txHash: string;
}

interface Scenario {
  state: WithdrawState;
  /** Payouts that were ordered: none, or two, the first of which failed. */
  ordered: 0 | 2;
  /** Whether the platform has taken the command of the last one. */
  isHandedOver: boolean;
}

/** The hash of the payment in state 4. */
const OWN_HASH = '0xown';

const scenarios: readonly Scenario[] = [
  ...([0, 1, 5, 6] as const).map((state) => ({ state, ordered: 0 as const, isHandedOver: false })),
  ...([2, 3, 4, 7, 8, 9] as const).flatMap((state) =>
    [true, false].map((isHandedOver) => ({ state, ordered: 2 as const, isHandedOver })),
  ),
];

const statementsIn = ({ ordered }: Scenario): Statement[] =>
  (ordered === 0 ? [undefined, 1] : [undefined, 1, 2, 3]).flatMap((attempt) =>
    EVENTS.flatMap((event) =>
      (event === 'paid' || event === 'paying' ? [OWN_HASH, '0xother'] : ['']).map((txHash) => ({
        event,
        attempt,
        txHash,
      })),
    ),
  );

interface Outcome {
  /** Empty if it is applied. */
  rejection: string;
  state: WithdrawState;
  /** The attempt with which the statement is kept; undefined if it has an effect instead. */
  keptAs: number | undefined;
  alarm: 'withdraw.unexpected' | 'withdraw.paidAfterRefund' | undefined;
}

const TO: Readonly<Record<EventName, WithdrawState>> = { paying: 3, paid: 4, failed: 7, unknown: 8 };
const isOneOf = (value: number, ...values: number[]): boolean => values.includes(value);

/** The model. */
function expectOutcome({ state, ordered, isHandedOver }: Scenario, { event, attempt, txHash }: Statement): Outcome {
  const meant = attempt ?? (ordered === 0 ? 0 : isHandedOver ? 2 : 1);
  const isPayment = event === 'paid';
  const isKnownPayment = state === 4 && txHash === OWN_HASH;
  const ignored = (rejection: string): Outcome => ({
    rejection,
    state,
    keptAs: meant,
    alarm: isPayment && !isKnownPayment ? 'withdraw.unexpected' : undefined,
  });
  if (meant > ordered) return ignored('invalid: attempt');
  if (isPayment) {
    if (state === 9) return { rejection: '', state, keptAs: meant, alarm: 'withdraw.paidAfterRefund' };
    if (!isOneOf(state, 2, 3, 7, 8)) return ignored('state');
    // The last payout may be paid as well, unless it failed or nobody was given its command.
    const mayPayTwice = meant < ordered && state !== 7 && !(state === 2 && !isHandedOver);
    return { rejection: '', state: 4, keptAs: meant, alarm: mayPayTwice ? 'withdraw.unexpected' : undefined };
  }
  if (meant < ordered) return { rejection: '', state, keptAs: meant, alarm: undefined };
  if (!isOneOf(state, 2, 3, 8)) return ignored('state');
  return { rejection: '', state: TO[event], keptAs: undefined, alarm: undefined };
}

const eventOf = (no: string, { event, attempt, txHash }: Statement) => ({
  type: `withdraw.${event}`,
  data: { no, ...(attempt !== undefined && { attempt }), ...(txHash !== '' && { txHash }) },
});
const ok = async (path: string, input: object): Promise<void> => {
  const { code, msg } = await call(server, 'POST', path, input, { token: admin });
  if (code !== 200 && code !== 202) throw new Error(`${path}: ${code} ${msg}`);
};
const sayAll = (rows: readonly WithdrawRow[], event: string, more: object = {}): Promise<void> =>
  apply(server, ...rows.map(({ no }) => ({ type: `withdraw.${event}`, data: { no, ...more } })));

/** Makes withdrawals of one user in a state. */
async function makeIn({ state, ordered, isHandedOver }: Scenario, count: number): Promise<WithdrawRow[]> {
  // A pull takes at most 500 commands, the oldest first.
  await finishAll(server);
  const account = await makeUser(server, { amount: String(100 * count) });
  const fields = { account, market: 'USDT', network: 'TRC20', address: 'T-there', amount: '100', fee: '1' };
  await apply(
    server,
    ...Array.from({ length: count }, () => ({ type: 'withdraw.requested', data: { ...fields, no: unique('W') } })),
  );
  const { data } = await call<Page<WithdrawRow>>(
    server,
    'GET',
    'withdraw/list',
    { account, size: 100 },
    { token: admin },
  );
  const rows = data.list;
  const ids = rows.map(({ id }) => id);
  if (ordered === 0) {
    if (state === 1) {
      await setPolicy(server, 'withdraw.pass', 2);
      for (const id of ids) await ok('withdraw/pass', { id });
      await setPolicy(server, 'withdraw.pass', 0);
    }
    if (state === 5) await ok('withdraw/reject/many', { ids, reason: 'no' });
    if (state === 6) await sayAll(rows, 'cancelled');
    return rows;
  }
  await ok('withdraw/pass/many', { ids });
  await pull(server);
  await sayAll(rows, 'failed', { attempt: 1 });
  for (const id of ids) await ok('withdraw/retry', { id });
  if (isHandedOver) await pull(server);
  if (state === 3) await sayAll(rows, 'paying', { attempt: 2 });
  if (state === 4) await sayAll(rows, 'paid', { attempt: 2, txHash: OWN_HASH });
  if (state === 7 || state === 9) await sayAll(rows, 'failed', { attempt: 2 });
  if (state === 8) await sayAll(rows, 'unknown', { attempt: 2 });
  if (state === 9) for (const id of ids) await ok('withdraw/refund', { id, reason: 'given up' });
  return rows;
}

const detailOf = async (id: number): Promise<WithdrawDetail> =>
  (await call<WithdrawDetail>(server, 'GET', 'withdraw/detail', { id }, { token: admin })).data;
const alarmsOf = async (id: number): Promise<AlarmRow[]> =>
  (await call<Page<AlarmRow>>(server, 'GET', 'alarm/list', { targetId: id }, { token: admin })).data.list.filter(
    ({ targetType }) => targetType === 'withdraw',
  );
const isKept = (kept: readonly PayoutStatement[], { event, txHash }: Statement, attempt: number): boolean =>
  kept.some((one) => one.type === event && one.attempt === attempt && one.txHash === txHash);

describe.each(scenarios)('in state $state, $ordered ordered, handed over: $isHandedOver', (scenario) => {
  test('each statement has an effect, is kept, or raises one alarm', { tags: ['soak'] }, async () => {
    const all = statementsIn(scenario);
    const size = sized({ full: Math.ceil(all.length / 3), long: all.length });
    const [statements = []] = sample(shuffledSubarray(all, { minLength: size, maxLength: size }), 1);
    const rows = await makeIn(scenario, statements.length);
    for (const [index, statement] of statements.entries()) {
      const { id = 0, no = '' } = rows[index] ?? {};
      const expected = expectOutcome(scenario, statement);
      const [answer] = await send(server, eventOf(no, statement));
      const { row, statements: kept } = await detailOf(id);
      const alarms = await alarmsOf(id);
      expect({
        ...statement,
        rejection: answer?.reason ?? '',
        state: row.state,
        isKept: expected.keptAs === undefined || isKept(kept, statement, expected.keptAs),
        alarms: alarms.map(({ kind }) => kind),
      }).toEqual({
        ...statement,
        rejection: expected.rejection,
        state: expected.state,
        isKept: true,
        alarms: expected.alarm === undefined ? [] : [expected.alarm],
      });
      expect(expected.keptAs !== undefined || expected.state !== scenario.state || expected.rejection === '').toBe(
        true,
      );
      // The same again changes nothing more, whatever its event ids.
      await send(server, eventOf(no, statement), eventOf(no, statement));
      expect(await alarmsOf(id)).toEqual(alarms);
    }
  });
});
