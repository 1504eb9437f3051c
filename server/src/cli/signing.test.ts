import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { runHengtai } from '../../test/command-line.ts';
import { makeUser, makeWithdraw } from '../../test/factories.ts';
import { callAs } from '../../test/four-eyes.ts';
import { provideServer } from '../../test/server.ts';
import { type SignedHouse, adopt, callSigned, makeSignedHouse } from '../../test/signing.ts';

const server = provideServer({ jobs: false });
let house: SignedHouse;

beforeAll(async () => {
  house = await makeSignedHouse(server);
});

test('closes the roster, stops payouts until a new first one is signed, and notifies the approvers', async () => {
  const { alice, bob } = house;
  const account = await makeUser(server, { amount: '1000' });
  const { id } = await makeWithdraw(server, alice.token, account);
  expect(await runHengtai(server, ['signing', 'reset'])).toMatchObject({ code: 0 });
  expect(await callAs(server, alice, 'withdraw/pass', { id })).toMatchObject({ code: 409 });
  expect(await server.query(sql`select user_agent as agent from audit where action = 'signing.reset'`)).toEqual([
    { agent: 'host' },
  ]);
  const notified = await server.query(sql`select 1 from notice where type = 'signing.reset'`);
  expect(notified.length).toBeGreaterThanOrEqual(3);
  expect(await runHengtai(server, ['signing', 'reset'])).toMatchObject({ code: 1 });
  await adopt(server, house.roster, [alice, bob]);
  expect(await callSigned(server, alice, 'withdraw/pass', { id })).toMatchObject({ code: 202 });
});
