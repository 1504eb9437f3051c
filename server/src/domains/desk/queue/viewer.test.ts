// @module-tag full
import { ABILITY } from '@hengtai/contract/authority/ability';
import type { Page } from '@hengtai/contract/wire/list';
import { CLAIM_LEASE_SECONDS } from '@hengtai/contract/desk/queue/calls';
import type { QueueClaimed, QueueColleague, QueueGiven, QueueMark } from '@hengtai/contract/desk/queue/schema';
import type { ReviewTimeRow } from '@hengtai/contract/desk/report/schema';
import type { ReviewType } from '@hengtai/contract/desk/queue/work-queue';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestOperator, makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { submitKyc } from '../../../../test/identity.ts';
import { type TestServer, call, fetchData, login, testServer } from '../../../../test/server.ts';
import { sweep } from '../../../jobs/sweep.ts';

const LEASE = CLAIM_LEASE_SECONDS * 1_000;
let server: TestServer;
let admin: string;
/** New for each test: reviewers, each one below the one before. */
let head: TestOperator;
let ada: TestOperator;
let bob: TestOperator;
let customer: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  server.clock.freeze();
});
afterAll(() => server.stop());
beforeEach(makeReviewers);

async function makeReviewers(): Promise<void> {
  admin = await login(server);
  const abilities = [ABILITY.withdraw, ABILITY.identity, ABILITY.audit];
  head = await makeOperator(server, admin, { abilities });
  ada = await makeOperator(server, admin, { parent: head.account, abilities });
  bob = await makeOperator(server, admin, { parent: ada.account, abilities });
  customer = await makeUser(server, { agent: bob.account, amount: '900000' });
}

const tabOf = ({ account }: TestOperator, n = 1) => `tab-${account}-${n}`.padEnd(16, '-');
const post = async <T>(path: string, input: object, { token }: TestOperator): Promise<T> => {
  const { code, data } = await call<T>(server, 'POST', path, input, { token });
  expect([path, code]).toEqual([path, 200]);
  return data;
};
/** Opens a record in a tab, or keeps it open. */
const open = (operator: TestOperator, targetId: number, n = 1, targetType: ReviewType = 'withdraw') =>
  post<QueueClaimed>('queue/claim', { targetType, targetId, tab: tabOf(operator, n) }, operator);
const viewersOf = async (operator: TestOperator, id: number) => (await open(operator, id)).viewers;
const release = (operator: TestOperator, n = 1) => post('queue/release', { tab: tabOf(operator, n) }, operator);
const withdrawal = async () => (await makeWithdraw(server, admin, customer)).id;
const fetchOpen = (id: number) =>
  server.query(sql<{ tab: string }>`select tab from viewer where target_id = ${id} order by tab`);

test('the holder sees who else has the record open, and others see each other', async () => {
  const id = await withdrawal();
  expect(await open(ada, id)).toMatchObject({ holder: { here: true }, viewers: [] });
  // The holder is named as such, and is no viewer besides.
  expect(await open(bob, id)).toMatchObject({ holder: { operator: null, mine: false }, viewers: [] });
  expect(await open(head, id)).toMatchObject({ holder: { operator: ada.account }, viewers: [bob.account] });
  // Operators outside the own tree have no name.
  expect(await viewersOf(ada, id)).toEqual([bob.account, null]);
  expect(await viewersOf(bob, id)).toEqual([null]);
  // A second tab of an operator is nobody else, and an operator with two tabs is one.
  expect(await open(ada, id, 2)).toMatchObject({ holder: { mine: true }, viewers: [bob.account, null] });
  await open(bob, id, 2);
  expect(await viewersOf(ada, id)).toEqual([bob.account, null]);
  expect(await viewersOf(bob, id)).toEqual([null]);
  await release(bob);
  expect(await viewersOf(ada, id)).toEqual([bob.account, null]);
  await release(bob, 2);
  expect(await viewersOf(ada, id)).toEqual([null]);
});

test('operators of other trees have no name without row-level security either', async () => {
  const usual = server;
  server = await testServer({ jobs: false, withoutRowSecurity: true });
  try {
    await makeReviewers();
    const id = await withdrawal();
    await open(ada, id);
    await open(head, id);
    expect(await viewersOf(ada, id)).toEqual([null]);
  } finally {
    await server.stop();
    server = usual;
  }
});

test('who opens another record, takes the next one or is lost is not shown any longer', async () => {
  const [id, other] = [await withdrawal(), await withdrawal()];
  await open(ada, id);
  await open(bob, id);
  await open(bob, other);
  expect(await viewersOf(ada, id)).toEqual([]);
  await open(head, id);
  await open(bob, id);
  expect(await viewersOf(ada, id)).toEqual([bob.account, null]);
  const given = await post<QueueGiven>('queue/next', { queue: 'withdrawReview', tab: tabOf(head) }, head);
  expect(given.id).toBe(other);
  expect(await viewersOf(ada, id)).toEqual([bob.account]);
  server.clock.move(LEASE - 1);
  expect(await viewersOf(ada, id)).toEqual([bob.account]);
  server.clock.move(1);
  expect(await viewersOf(ada, id)).toEqual([]);
  expect(await fetchOpen(id)).toHaveLength(2);
  await sweep(server.app);
  expect(await fetchOpen(id)).toEqual([{ tab: tabOf(ada) }]);
});

test('a tab that only looked claims the record once its holder left', async () => {
  const id = await withdrawal();
  await open(ada, id);
  await open(bob, id);
  await release(ada);
  const marks = await post<QueueMark[]>('queue/marks', { targetType: 'withdraw', ids: [id] }, bob);
  expect(marks).toEqual([]);
  expect(await open(bob, id)).toMatchObject({ holder: { here: true }, viewers: [] });
  // The decision of another operator ends all of it.
  await post('withdraw/reject', { id, reason: 'no' }, ada);
  await open(head, id);
  expect(await open(bob, id)).toMatchObject({ waiting: false, viewers: [] });
  expect(await fetchOpen(id)).toEqual([]);
});

test('having a record open is no work: neither load, nor the next record, nor the report counts it', async () => {
  const [id, other] = [await withdrawal(), await withdrawal()];
  await open(ada, id);
  await open(bob, id);
  const colleagues = await fetchData<QueueColleague[]>(server, head.token, 'queue/colleagues', {
    targetType: 'withdraw',
    targetId: id,
  });
  const loads = colleagues.map(({ account, load }) => [account, load]);
  expect(Object.fromEntries(loads)).toMatchObject({ [ada.account]: 1, [bob.account]: 0 });
  server.clock.move(8_000);
  await post('withdraw/reject', { id, reason: 'no' }, bob);
  const report = await fetchData<Page<ReviewTimeRow>>(server, head.token, 'report/review/list', {
    operator: bob.account,
  });
  expect(report.list).toMatchObject([{ decided: 1, waitP50: 8_000, workP50: null }]);
  // The holder is lost: the record that somebody has open goes to the next reviewer.
  await open(ada, other);
  await open(bob, other);
  server.clock.move(LEASE - 1);
  await open(bob, other);
  server.clock.move(1);
  const given = await post<QueueGiven>('queue/next', { queue: 'withdrawReview', tab: tabOf(head) }, head);
  expect(given.id).toBe(other);
});

test('a record that left the tree of a viewer can be closed', async () => {
  const [id, other] = [await withdrawal(), await withdrawal()];
  await open(ada, id);
  await open(bob, id);
  // Its user moves to the agent above.
  const [user] = await server.query(sql<{ id: number }>`select id from users where account = ${customer}`);
  const moved = await call(
    server,
    'POST',
    'user/agent/change',
    { userId: user?.id, agent: ada.account, reason: '换代理' },
    { token: admin },
  );
  expect(moved.code).toBe(200);
  const mine = await makeUser(server, { agent: bob.account, amount: '900' });
  const next = (await makeWithdraw(server, admin, mine)).id;
  expect(await open(bob, next)).toMatchObject({ holder: { here: true } });
  expect(await viewersOf(ada, id)).toEqual([]);
  expect(await open(ada, other)).toMatchObject({ holder: { here: true } });
});

test('works for other kinds of records, too', async () => {
  const { id } = await submitKyc(server, admin, customer, { level: 1 });
  await open(ada, id, 1, 'auth');
  await open(bob, id, 1, 'auth');
  expect(await open(ada, id, 1, 'auth')).toMatchObject({ holder: { here: true }, viewers: [bob.account] });
});
