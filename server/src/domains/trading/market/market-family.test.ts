import type { Family } from '@hengtai/contract/values/destination';
import type { MarketRow } from '@hengtai/contract/trading/market/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { type Approvers, callAs, lockFourEyes, makeApprovers } from '../../../../test/four-eyes.ts';
import { type TestServer, testServer } from '../../../../test/server.ts';
import { changesFamilies } from './market.rules.ts';

const NETWORK = 'HouseChain';

let server: TestServer;
let approvers: Approvers;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  approvers = await makeApprovers(server);
  await lockFourEyes(server, approvers);
  await makeWithdraw(server, approvers.admin.token, await makeUser(server, { amount: '500' }));
});
afterAll(() => server.stop());

const readMarket = async (): Promise<MarketRow> =>
  (await callAs<MarketRow>(server, approvers.admin, 'market/detail', { id: 1 })).data;
/** Asks for the network with a family, and lets the second person approve. */
async function save(family?: Family): Promise<string | undefined> {
  const { admin, second } = approvers;
  const { version, networks } = await readMarket();
  const network = { network: NETWORK, recharge: 1, withdraw: 1, fee: '1', explorer: '', ...(family && { family }) };
  const others = networks.filter((one) => one.network !== NETWORK);
  const input = { id: 1, version, networks: [...others, network], reason: '更正地址格式' };
  const asked = await callAs(server, admin, 'market/save', input);
  expect(asked).toMatchObject({ code: 202 });
  expect((await readMarket()).networks).toEqual(networks);
  expect(await callAs(server, second, 'approval/pass', { id: asked.data.id })).toMatchObject({ code: 200 });
  return (await readMarket()).networks.find((one) => one.network === NETWORK)?.family;
}
const fetchRenewals = async (): Promise<string[]> =>
  (await server.query(sql<{ name: string }>`select table_name as name from key_renewal order by 1`)).map(
    ({ name }) => name,
  );

test('while four-eyes are locked, each change of a family needs a second person and keys the records again', async () => {
  expect(await save()).toBe(undefined);
  expect(await fetchRenewals()).toEqual([]);
  expect(await save('tron')).toBe('tron');
  expect(await fetchRenewals()).toEqual(['recharge', 'withdraw']);
  await server.query(sql`delete from key_renewal`);
  expect(await save('evm')).toBe('evm');
  expect(await fetchRenewals()).toEqual(['recharge', 'withdraw']);
  await server.query(sql`delete from key_renewal`);
  expect(await save()).toBe(undefined);
  expect(await fetchRenewals()).toEqual(['recharge', 'withdraw']);
});

test('another order of networks keys nothing again', () => {
  const other = { recharge: 1, withdraw: 1, fee: '1', explorer: '' } as const;
  const [set, named] = [
    { network: NETWORK, family: 'evm', ...other },
    { network: 'TRC20', ...other },
  ] as const;
  expect(changesFamilies([set, named], [named, set])).toBe(false);
  expect(changesFamilies([set, named], [named])).toBe(true);
});
