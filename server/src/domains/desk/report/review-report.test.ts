import { ABILITY } from '@hengtai/contract/authority/ability';
import type { Page } from '@hengtai/contract/wire/list';
import type { QueueGiven } from '@hengtai/contract/desk/queue/schema';
import type { ReviewTimeRow } from '@hengtai/contract/desk/report/schema';
import { beforeAll, expect, test } from 'vitest';
import { makeOperator, makeUser, makeWithdraw, recharge } from '../../../../test/factories.ts';
import { call, login, nextDayAt, provideServer } from '../../../../test/server.ts';

const server = provideServer({ jobs: false });
let admin: string;

beforeAll(async () => {
  // Far from the end of a day.
  const now = server.clock.now();
  server.clock.move(nextDayAt(9, now) - now);
  server.clock.freeze();
  admin = await login(server);
});

const fetchReport = async (input: object, token = admin) =>
  (await call<Page<ReviewTimeRow>>(server, 'GET', 'report/review/list', { size: 200, ...input }, { token })).data.list;

test('has wait and work times by day, queue and operator, and what was late', async () => {
  const operator = await makeOperator(server, admin, { abilities: [ABILITY.withdraw, ABILITY.audit] });
  const { token } = operator;
  const customer = await makeUser(server, { agent: operator.account, amount: '900' });
  const tab = 'tab-of-the-report';
  const reject = (id: number | null) => call(server, 'POST', 'withdraw/reject', { id, reason: 'no' }, { token });
  const takeNext = async () =>
    (await call<QueueGiven>(server, 'POST', 'queue/next', { queue: 'withdrawReview', tab }, { token })).data.id;
  for (const amount of ['10', '11', '12']) await makeWithdraw(server, admin, customer, { amount });
  // Ten minutes of waiting, of which the last eight seconds are work; then 40 minutes, beyond the target of 30.
  server.clock.move(10 * 60_000 - 8_000);
  const first = await takeNext();
  server.clock.move(8_000);
  expect(await reject(first)).toMatchObject({ code: 200 });
  server.clock.move(30 * 60_000 - 20_000);
  const second = await takeNext();
  server.clock.move(20_000);
  await reject(second);
  // Without a claim: no work time.
  const { data } = await call<Page<{ id: number }>>(server, 'GET', 'withdraw/list', { state: 0 }, { token });
  await reject(data.list[0]?.id ?? 0);

  const rows = await fetchReport({ operator: operator.account });
  expect(rows).toMatchObject([
    {
      queue: 'withdrawReview',
      operator: operator.account,
      decided: 3,
      late: 2,
      waitP50: 40 * 60_000,
      waitP90: 40 * 60_000,
      workP50: 8_000,
      workP90: 20_000,
    },
  ]);
  expect(await fetchReport({ operator: operator.account, queue: 'authReview' })).toEqual([]);
  expect(await fetchReport({ operator: operator.account, sort: '-waitP90' })).toHaveLength(1);
  const outsider = await makeOperator(server, admin, { abilities: [ABILITY.audit] });
  expect(await fetchReport({}, outsider.token)).toEqual([]);
  expect(
    await call(server, 'GET', 'report/review/list', {}, { token: (await makeOperator(server, admin)).token }),
  ).toMatchObject({ code: 403 });
});

test('knows no wait of records that enter their queue after their creation and were not claimed', async () => {
  const operator = await makeOperator(server, admin, { abilities: [ABILITY.assets] });
  const customer = await makeUser(server, { agent: operator.account });
  // USDT does not list the network, so the server holds the recharge.
  const no = await recharge(server, customer, '5', 'USDT', 'TON');
  const { data } = await call<Page<{ id: number }>>(server, 'GET', 'recharge/list', { no }, { token: admin });
  server.clock.move(60_000);
  const release = await call(server, 'POST', 'recharge/release', { id: data.list[0]?.id }, { token: operator.token });
  expect(release).toMatchObject({ code: 200 });
  expect(await fetchReport({ operator: operator.account })).toMatchObject([
    { queue: 'rechargeHeld', decided: 1, late: 0, waitP50: null, waitP90: null, workP50: null },
  ]);
});
