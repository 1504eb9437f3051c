import type { MarketRow } from '@hengtai/contract/trading/market/schema';
import type { Family } from '@hengtai/contract/values/destination';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { call, login, provideServer } from '../../../../test/server.ts';
import { reportMove, saveWallet } from '../../../../test/wallet.ts';
import { inTransaction } from '../../../database/connect.ts';
import { ACCOUNT_RULES, readDestination } from '../../../destination/destination.ts';
import { renewWalletKeys } from './key.jobs.ts';
import { renewFamilies } from './key.store.ts';

const USDT = 1;
const NETWORK = 'HOUSECHAIN';
const [own, payee] = [`0x${'Ab'.repeat(20)}`, `0x${'Cd'.repeat(20)}`];

const server = provideServer({ jobs: false });
let admin: string;
beforeAll(async () => {
  admin = await login(server);
});

/** Lists the network with a family; without one, its name says nothing. */
async function setFamily(family?: Family): Promise<void> {
  const { data: row } = await call<MarketRow>(server, 'POST', 'market/detail', { id: USDT }, { token: admin });
  const others = row.networks.filter(({ network }) => network !== NETWORK);
  const network = { network: NETWORK, recharge: 1, withdraw: 1, fee: '1', explorer: '', ...(family && { family }) };
  const input = { id: USDT, version: row.version, networks: [...others, network], reason: '更正地址格式' };
  expect(await call(server, 'POST', 'market/save', input, { token: admin })).toMatchObject({ code: 200 });
}

const fetchKeys = () =>
  server.query(sql<{ key: string | null; rules: number | null }>`
    select account_key as key, account_rules as rules from wallet where network = ${NETWORK}
    union all select m.account_key, m.account_rules from chain_move m join wallet w on w.id = m.wallet_id
      where w.network = ${NETWORK} order by key`);

async function renew(): Promise<void> {
  while (await renewWalletKeys(server.app));
}

/** The wallet and what it received have one key, what it paid out another one, and what names no address none. */
function keysAs(family: Family): object[] {
  const keyed = [own, own, payee].map((address) => ({
    key: readDestination({ network: NETWORK, family, address, memo: '' }).key,
    rules: ACCOUNT_RULES,
  }));
  return [...keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1)), { key: null, rules: null }];
}

test('keys follow the family of the network and the version of the rules', async () => {
  await setFamily();
  const wallet = await saveWallet(server, { network: NETWORK, address: own });
  await reportMove(server, wallet, { kind: 'deposit', amount: '5' });
  await reportMove(server, wallet, { kind: 'payout', amount: '-5', address: payee });
  await reportMove(server, wallet, { kind: 'payout', amount: '-6' });
  expect(await fetchKeys()).toEqual(keysAs('opaque'));
  await setFamily('evm');
  expect(await fetchKeys()).toEqual(keysAs('opaque'));
  // A step takes some rows, and the next one goes on after them.
  expect(await inTransaction(server.app.system, (db) => renewFamilies(db, 'chain_move', 1))).toBe(true);
  await renew();
  expect(await fetchKeys()).toEqual(keysAs('evm'));
  expect(await server.query(sql`select 1 from key_renewal where table_name in ('wallet', 'chain_move')`)).toEqual([]);
  await server.query(sql`update wallet set account_key = 'old', account_rules = 0 where network = ${NETWORK}`);
  await server.query(sql`update chain_move set account_key = 'old', account_rules = 0 where account_rules is not null`);
  await renew();
  expect(await fetchKeys()).toEqual(keysAs('evm'));
});
