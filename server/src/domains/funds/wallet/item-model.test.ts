import type { AlarmRow } from '@hengtai/contract/house/alarm/schema';
import { isOpenItem } from '@hengtai/contract/funds/wallet/item';
import type { WalletItem } from '@hengtai/contract/funds/wallet/item.schema';
import { Decimal } from '@hengtai/contract/values/decimal';
import type { Page } from '@hengtai/contract/wire/list';
import { beforeAll, expect, test } from 'vitest';
import { makeRandom } from '../../../../../testing/random.ts';
import { tronAddress } from '../../../../test/address.ts';
import { makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { pull } from '../../../../test/commands.ts';
import { setPolicy } from '../../../../test/inspect.ts';
import { apply, call, fetchData, login, provideServer, unique } from '../../../../test/server.ts';
import { fetchItems, judgeAfter, judgeDue, saveWallet } from '../../../../test/wallet.ts';

const server = provideServer({ jobs: false });
let admin: string;
let user: string;
beforeAll(async () => {
  admin = await login(server);
  await setPolicy(server, 'withdraw.pass', 0);
  user = await makeUser(server, { amount: '1000000' });
});

const payoutFaults = ['no move', 'double', 'one unit', 'account', 'stranger', 'revert'] as const;
const depositFaults = ['no move', 'no record', 'double', 'one unit', 'account', 'reversed', 'revert'] as const;
const seed = Number(process.env['TEST_SEED'] ?? 1);
/** How many payments of each kind are right. */
const RIGHT = 12;
/** Events of one payment come in any order within this time. */
const DISORDER_MS = 60_000;

interface Step {
  type: 'withdraw.paid' | 'recharge.credited' | 'recharge.reversed' | 'chain.moved' | 'chain.reverted';
  data: object;
  /** Comes after the others, because it cannot come before them. */
  isLast?: boolean;
}

interface Payment {
  steps: Step[];
  /** The item that people must see: its cause, its state, and the number of its move or record. */
  expected: string[];
}

interface Place {
  wallet: string;
  own: string;
  random: ReturnType<typeof makeRandom>;
}

const plusUnit = (amount: string): string => new Decimal(amount).plus('0.000000000000000001').toFixed();
const itemText = ({ why, state, move, record, kind }: WalletItem): string =>
  `${why} ${state} ${(kind === 'record' ? record : move)?.no}`;

/** Few accounts and amounts, so that payments can be mistaken for each other. */
const payees = [1, 2, 3].map((n) => tronAddress(`payee ${n}`));
const amounts = ['9.5', '9.25', '19.5'];

async function makePayout({ wallet, random }: Place, fault?: (typeof payoutFaults)[number]): Promise<Payment> {
  // A payout that is missing may stand for a second one of the same account and amount.
  const address = fault === undefined ? random.pick(payees) : tronAddress(unique('payee'));
  const amount = random.pick(amounts);
  const move = { no: unique('m-'), wallet, kind: 'payout', amount: `-${amount}`, address, txHash: unique('0x') };
  if (fault === 'stranger') {
    const data = { ...move, address: tronAddress('stranger') };
    return { steps: [{ type: 'chain.moved', data }], expected: [`unordered 0 ${move.no}`] };
  }
  const { id, no } = await makeWithdraw(server, admin, user, { amount: plusOne(amount), fee: '1', address });
  expect((await call(server, 'POST', 'withdraw/pass', { id }, { token: admin })).code).toBe(200);
  await pull(server);
  const paid: Step = { type: 'withdraw.paid', data: { no, txHash: move.txHash } };
  const named = { ...move, ...((fault !== undefined || random.int(2) === 0) && { record: no }) };
  const moved = (more: object = {}): Step => ({ type: 'chain.moved', data: { ...named, ...more } });
  const payments: Readonly<Record<NonNullable<typeof fault> | 'right', () => Payment>> = {
    right: () => ({ steps: [paid, moved()], expected: [] }),
    'no move': () => ({ steps: [paid], expected: [`noMove 0 ${no}`] }),
    double: () => {
      const again = { no: unique('m-'), txHash: unique('0x') };
      return { steps: [paid, moved(), { ...moved(again), isLast: true }], expected: [`unordered 0 ${again.no}`] };
    },
    'one unit': () => ({
      steps: [paid, moved({ amount: `-${plusUnit(amount)}` })],
      expected: [`unordered 2 ${move.no}`],
    }),
    account: () => ({ steps: [paid, moved({ address: tronAddress('other') })], expected: [`unordered 2 ${move.no}`] }),
    revert: () => {
      const reverted: Step = { type: 'chain.reverted', data: { no: move.no }, isLast: true };
      return { steps: [paid, moved(), reverted], expected: [`noMove 0 ${no}`] };
    },
  };
  return payments[fault ?? 'right']();
}

/** The fee of a withdrawal is 1. */
const plusOne = (amount: string): string => new Decimal(amount).plus(1).toFixed();

function makeDeposit({ wallet, own, random }: Place, fault?: (typeof depositFaults)[number]): Payment {
  const [no, amount, txHash] = [unique('R'), random.pick(amounts), unique('0x')];
  const chain = { market: 'USDT', network: 'TRC20', address: own, confirmations: 9, source: 1, txHash };
  const move = { no: unique('m-'), wallet, kind: 'deposit', amount, txHash };
  const named = { ...move, ...((fault !== undefined || random.int(2) === 0) && { record: no }) };
  const credited = (more: object = {}): Step => ({
    type: 'recharge.credited',
    data: { no, account: user, amount, ...chain, ...more },
  });
  const moved = (more: object = {}): Step => ({ type: 'chain.moved', data: { ...named, ...more } });
  const payments: Readonly<Record<NonNullable<typeof fault> | 'right', () => Payment>> = {
    right: () => ({ steps: [credited(), moved()], expected: [] }),
    'no move': () => ({ steps: [credited()], expected: [`noMove 0 ${no}`] }),
    'no record': () => ({ steps: [moved()], expected: [`noRecord 0 ${move.no}`] }),
    double: () => {
      const again = { no: unique('m-'), txHash: unique('0x') };
      return { steps: [credited(), moved(), { ...moved(again), isLast: true }], expected: [`noRecord 0 ${again.no}`] };
    },
    'one unit': () => ({
      steps: [credited({ amount: plusUnit(amount) }), moved()],
      expected: [`differs 2 ${move.no}`],
    }),
    account: () => ({
      steps: [credited({ address: tronAddress('other') }), moved()],
      expected: [`differs 2 ${move.no}`],
    }),
    reversed: () => {
      const reversed: Step = { type: 'recharge.reversed', data: { no }, isLast: true };
      return { steps: [credited(), moved(), reversed], expected: [`noRecord 0 ${move.no}`] };
    },
    revert: () => {
      const reverted: Step = { type: 'chain.reverted', data: { no: move.no }, isLast: true };
      return { steps: [credited(), moved(), reverted], expected: [`noMove 0 ${no}`] };
    },
  };
  return payments[fault ?? 'right']();
}

test.each([0, 1])('events in disorder open no item, and each fault is named once: run %i', async (run) => {
  admin = await login(server);
  const random = makeRandom(seed + run);
  const known = new Set((await fetchItems(server, admin)).map(({ id }) => id));
  const own = tronAddress(unique('own'));
  const place = { random, own, wallet: await saveWallet(server, { address: own }) };
  const payments: Payment[] = [];
  for (let n = 0; n < RIGHT; n += 1) payments.push(await makePayout(place), makeDeposit(place));
  for (const fault of payoutFaults) payments.push(await makePayout(place, fault));
  for (const fault of depositFaults) payments.push(makeDeposit(place, fault));
  const start = server.clock.now();
  server.clock.move(3 * DISORDER_MS);
  const steps = payments
    .flatMap((payment) => payment.steps)
    .map((step) => ({ ...step, order: random.int(DISORDER_MS) + (step.isLast ? DISORDER_MS : 0) }))
    .toSorted((a, b) => a.order - b.order);
  for (const { type, data } of steps) {
    await apply(server, { type, data, at: start + random.int(DISORDER_MS) });
    if (random.int(4) === 0) await judgeDue(server);
    server.clock.move(random.int(3_000));
  }
  await judgeAfter(server, 62);
  admin = await login(server);
  const items = (await fetchItems(server, admin)).filter((item) => !known.has(item.id) && isOpenItem(item));
  expect(items.map(itemText).toSorted(), `seed ${seed}`).toEqual(
    payments.flatMap(({ expected }) => expected).toSorted(),
  );
  const unordered = items.flatMap(({ why, alarmId }) => (why === 'unordered' ? [alarmId] : []));
  const { list } = await fetchData<Page<AlarmRow>>(server, admin, 'alarm/list', {
    kind: 'chain.unordered',
    size: unordered.length,
  });
  expect(new Set(list.map(({ id }) => id))).toEqual(new Set(unordered));
  expect(new Set(unordered).size).toBe(unordered.length);
});
