import type { Screening } from '@hengtai/contract/risk/screening/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { type Approvers, callAs, lockFourEyes, makeApprovers } from '../../../../test/four-eyes.ts';
import { answer, fetchScreening, setScreening } from '../../../../test/screening.ts';
import { type TestServer, testServer } from '../../../../test/server.ts';

let server: TestServer;
let approvers: Approvers;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  approvers = await makeApprovers(server);
  await lockFourEyes(server, approvers);
  await setScreening(server, { address: 1 });
});
afterAll(() => server.stop());

test('while four-eyes are locked, a bypass needs a second person, who approves what the first saw', async () => {
  const { admin, second } = approvers;
  const row = await makeWithdraw(server, admin.token, await makeUser(server, { amount: '500' }));
  const read = () => fetchScreening(server, admin.token, row.id);
  const ask = async () =>
    callAs(server, admin, 'screening/withdraw/bypass', { id: row.id, seen: (await read()).seen, reason: '已核实' });
  await answer(server, await read(), { result: 'hit' });
  const first = await ask();
  expect(first).toMatchObject({ code: 202 });
  expect(await callAs(server, admin, 'approval/pass', { id: first.data.id })).toMatchObject({ code: 403 });
  expect(await callAs(server, admin, 'withdraw/pass', { id: row.id })).toMatchObject({ code: 409 });
  // Another hit, which the maker has not seen.
  await answer(server, await read(), { provider: 'other', result: 'hit' });
  expect(await callAs(server, second, 'approval/pass', { id: first.data.id })).toMatchObject({ code: 409 });
  expect(await read()).toMatchObject({ obstacle: 'hit', bypass: null });

  const again = await ask();
  expect(await callAs<Screening>(server, second, 'approval/pass', { id: again.data.id })).toMatchObject({ code: 200 });
  expect(await read()).toMatchObject({
    obstacle: null,
    bypass: { by: admin.account, secondBy: second.account, reason: '已核实' },
  });
});
