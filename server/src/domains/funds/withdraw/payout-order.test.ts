import type { BulkResult } from '@hengtai/contract/wire/schema';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeMandate } from '../../../../../testing/payout-thief.ts';
import { fetchDecision, saveBudget } from '../../../../test/auto-payout.ts';
import { makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { callAs } from '../../../../test/four-eyes.ts';
import { setPolicy } from '../../../../test/inspect.ts';
import { makeRule } from '../../../../test/rules.ts';
import { answer, fetchScreening, setScreening } from '../../../../test/screening.ts';
import { type TestServer, login, testServer } from '../../../../test/server.ts';
import { type SignedHouse, adopt, makeSignedHouse } from '../../../../test/signing.ts';
import { payoutOrder } from '../../../modules.ts';
import { decideCandidates } from '../../risk/auto-payout/auto-payout.jobs.ts';

let server: TestServer;
let house: SignedHouse;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  const token = await login(server);
  // Only withdrawals above 1000 are held by a rule, because the system considers no others.
  await makeRule(server, token, {
    conditions: [{ fact: 'amount', op: 'gt', value: '1000' }],
    actions: { hold: true },
  });
  await saveBudget(server, token, { userDayAmount: '50' });
  await setPolicy(server, 'withdraw.pass', 2, '1000000');
  await setScreening(server, { address: 1, minimum: '0', exempt: '' });
  house = await makeSignedHouse(server);
});
afterAll(() => server.stop());

const request = async (amount: string): Promise<WithdrawRow> =>
  makeWithdraw(server, house.alice.token, await makeUser(server, { amount: '10000' }), { amount, fee: '1' });
const answerTo = async ({ id }: WithdrawRow, result: 'clear' | 'hit'): Promise<void> =>
  answer(server, await fetchScreening(server, house.alice.token, id), { result });

test('the steps of a payout have their order', () => {
  expect(Object.keys(payoutOrder)).toEqual(['withdrawLimit', 'recharge', 'screening', 'rule', 'signing', 'autoPayout']);
});

test('an operator hears of screening, then of rules, then what to sign', async () => {
  const row = await request('2000');
  const passMany = async () =>
    (await callAs<BulkResult>(server, house.alice, 'withdraw/pass/many', { ids: [row.id] })).data;
  expect(await passMany()).toMatchObject({ results: [{ code: 409, msg: expect.stringContaining('未通过筛查') }] });
  await answerTo(row, 'clear');
  expect(await passMany()).toMatchObject({ results: [{ code: 409, msg: expect.stringContaining('被规则拦截') }] });
  expect(await callAs(server, house.alice, 'withdraw/pass', { id: row.id })).toMatchObject({ code: 428 });
});

test('the system leaves a withdrawal to people for screening, then for signatures, then for its budget', async () => {
  const decided = async (result: 'clear' | 'hit') => {
    const row = await request('100');
    await answerTo(row, result);
    await decideCandidates(server.app);
    return fetchDecision(server, house.alice.token, row.id);
  };
  expect(await decided('hit')).toMatchObject({ why: 'screenHit' });
  expect(await decided('clear')).toMatchObject({ why: 'mandate' });
  await adopt(server, makeMandate(house.roster, server.clock.now()), [house.alice, house.bob]);
  expect(await decided('clear')).toMatchObject({ why: 'userDay' });
});
