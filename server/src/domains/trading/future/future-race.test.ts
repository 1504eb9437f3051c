import type { FutureRow } from '@hengtai/contract/trading/future/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  positionCancelled,
  positionClosed,
  findPosition,
  fundingPaid,
  fetchFuturesBalances,
  positionLiquidated,
  makeFuturesUser,
  openPosition,
  positionOpened,
  placePosition,
  fetchPositionCommands,
} from '../../../../test/future.ts';
import { countDeadlocks } from '../../../../test/inspect.ts';
import { type TestServer, call, login, send, testServer } from '../../../../test/server.ts';
import { checkBook } from '../../../books/ledger/check.ts';

let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  expect(await countDeadlocks(server)).toBe(0);
  await server.stop();
});

const ROUNDS = 8;
const row = (no: string) => findPosition(server, admin, no);
/** Sends each event in its own call, all concurrently; returns the reason or result of each. */
const sendConcurrently = async (...events: { type: string; data: object }[]): Promise<string[]> =>
  (await Promise.all(events.map((event) => send(server, event)))).map(
    ([answer]) => answer?.reason ?? answer?.result ?? '',
  );
const command = async (action: 'cancel' | 'close', no: string, input: object = {}): Promise<number> => {
  const { id } = await row(no);
  const path = `future/order/${action}`;
  return (await call<FutureRow>(server, 'POST', path, { id, ...input }, { token: admin })).code;
};

test('a close races a liquidation: the first is applied, the other is rejected', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const account = await makeFuturesUser(server, '100');
    const no = await openPosition(server, account);
    const answers = await sendConcurrently(positionClosed(no, '10', '11'), positionLiquidated(no, '9.5'));
    expect(answers.toSorted()).toEqual(['applied', 'state']);
    const closeWon = answers[0] === 'applied';
    expect(await row(no)).toMatchObject({ state: closeWon ? 2 : 4, held: '0', realized: closeWon ? '10' : '-5' });
    expect(await fetchFuturesBalances(server, account)).toEqual({ active: closeWon ? '110' : '95' });
  }
});

test('two concurrent closes that together exceed the open amount: one is applied', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const account = await makeFuturesUser(server, '100');
    const no = await openPosition(server, account);
    const answers = await sendConcurrently(positionClosed(no, '6', '11'), positionClosed(no, '7', '11'));
    expect(answers.toSorted()).toEqual(['applied', 'beyond the order']);
    const sixWon = answers[0] === 'applied';
    expect(await row(no)).toMatchObject({ state: 1, left: sixWon ? '4' : '3', held: sixWon ? '4' : '3' });
    expect(await fetchFuturesBalances(server, account)).toEqual(
      sixWon ? { active: '102', frozen: '4' } : { active: '104', frozen: '3' },
    );
  }
});

test('a cancel by the user races the opening and a cancel command of an operator', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const account = await makeFuturesUser(server, '100');
    const no = await placePosition(server, account);
    const [code, answers] = await Promise.all([
      command('cancel', no),
      sendConcurrently(positionOpened(no, '10', '1'), positionCancelled(no)),
    ]);
    expect(answers.toSorted()).toEqual(['applied', 'state']);
    expect([200, 409]).toContain(code);
    const isOpen = answers[0] === 'applied';
    const after = await row(no);
    expect(after).toMatchObject({ state: isOpen ? 1 : 3, held: isOpen ? '10' : '0' });
    expect(await fetchFuturesBalances(server, account)).toEqual(
      isOpen ? { active: '89', frozen: '10' } : { active: '100' },
    );
    const commands = (await fetchPositionCommands(server, after.id)).map(({ state }) => state);
    expect(commands).toEqual(code === 200 ? [isOpen ? 3 : 2] : []);
  }
});

test('concurrent fundings, closes and margin changes of one user lose nothing and do not deadlock', async () => {
  const account = await makeFuturesUser(server, '1000');
  const nos = await Promise.all(Array.from({ length: 4 }, () => openPosition(server, account)));
  const events = nos.flatMap((no) => [
    fundingPaid(no, '-1'),
    fundingPaid(no, '0.5'),
    positionClosed(no, '4', '11', '0.25'),
    { type: 'position.changed', data: { no, takeProfit: '12' } },
    positionClosed(no, '3', '9'),
  ]);
  expect(new Set(await sendConcurrently(...events))).toEqual(new Set(['applied']));
  // Per position: profit 4, loss 3, funding -0.5, fee 0.25; 3 of 10 coins remain open with their margin.
  expect(await fetchFuturesBalances(server, account)).toEqual({ active: '989', frozen: '12' });
  for (const no of nos) expect(await row(no)).toMatchObject({ left: '3', held: '3', realized: '1', funding: '-0.5' });
});

test('concurrent fundings beyond the active balance are paid from the margin of each position, then by the insurance', async () => {
  const account = await makeFuturesUser(server, '42');
  const nos = await Promise.all(Array.from({ length: 4 }, () => openPosition(server, account)));
  expect(new Set(await sendConcurrently(...nos.map((no) => fundingPaid(no, '-12'))))).toEqual(new Set(['applied']));
  const rows = await Promise.all(nos.map(row));
  // 48 are charged: 2 from the active balance, 40 from margin, 6 from the insurance account.
  expect(await fetchFuturesBalances(server, account)).toEqual({});
  expect(rows.map(({ held }) => held)).toEqual(['0', '0', '0', '0']);
  expect(rows.reduce((sum, { insured }) => sum + Number(insured), 0)).toBe(6);
});
