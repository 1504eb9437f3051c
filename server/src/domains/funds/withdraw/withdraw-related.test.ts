import type { AddressEntry, AddressImportDetail } from '@hengtai/contract/risk/address-list/schema';
import type { ConfigRow } from '@hengtai/contract/desk/config/schema';
import type { Page } from '@hengtai/contract/wire/list';
import type { RechargeRow } from '@hengtai/contract/funds/recharge/schema';
import type { WithdrawDetail, WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { evmTwin, tronAddress } from '../../../../test/address.ts';
import { openNetworks } from '../../../../test/book.ts';
import { makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { fetchPayouts, setPolicy } from '../../../../test/inspect.ts';
import { type TestServer, apply, call, login, send, testServer, unique } from '../../../../test/server.ts';

let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  await setPolicy(server, 'withdraw.pass', 0);
});
afterAll(() => server.stop());

const get = <T>(path: string, input: object) => call<T>(server, 'GET', path, input, { token: admin });
const act = <T>(path: string, input: object) => call<T>(server, 'POST', path, input, { token: admin });
const request = async (network: string, address: string, memo?: string): Promise<WithdrawRow> =>
  makeWithdraw(server, admin, await makeUser(server, { amount: '500' }), {
    network,
    address,
    ...(memo !== undefined && { memo }),
  });
const detailOf = async ({ id }: WithdrawRow): Promise<WithdrawDetail> =>
  (await get<WithdrawDetail>('withdraw/detail', { id })).data;
const isMarked = ({ risk }: { risk: readonly string[] }): boolean => risk.includes('related_listed');

async function add(entry: { list: number; address: string; network?: string; memo?: string; expiresAt?: number }) {
  const { code, data } = await act<AddressEntry>('address_list/add', { reason: '已核实', ...entry });
  expect(code).toBe(200);
  return data;
}
const remove = async ({ id }: AddressEntry) =>
  expect(await act('address_list/remove', { id, reason: '误报' })).toMatchObject({ code: 200 });

describe('the risk that a related account is listed', () => {
  test('is in list, filter, case and facts, and people may pass the withdrawal', async () => {
    const twin = tronAddress('twin');
    const entry = await add({ list: 1, address: twin });
    const row = await request('ERC20', evmTwin(twin));
    expect(row.risk).toEqual(['first_address', 'related_listed']);
    const input = { risk: 'related_listed', no: row.no };
    expect((await get<Page<WithdrawRow>>('withdraw/list', input)).data.total).toBe(1);
    const { risk, screening, related } = await detailOf(row);
    expect(risk).toEqual(row.risk);
    expect(screening).toMatchObject({ obstacle: null, listed: [] });
    expect(related).toMatchObject([{ id: entry.id, list: 1, reason: '已核实' }]);
    const facts = sql`select risk_related_listed as related from withdraw_fact where withdraw_id = ${row.id}`;
    expect(await server.query(facts)).toEqual([{ related: true }]);
    expect(await act('withdraw/pass', { id: row.id })).toMatchObject({ code: 200, data: { state: 2 } });
    expect(await fetchPayouts(server, row.id)).toHaveLength(1);
    expect(isMarked(await request('ERC20', evmTwin(tronAddress('nobody'))))).toBe(false);
  });

  test('is true of an open withdrawal when its case is read, whatever the lists said at the request', async () => {
    const twin = tronAddress('later');
    const row = await request('ERC20', evmTwin(twin));
    expect(isMarked(await detailOf(row))).toBe(false);
    await remove(await add({ list: 2, address: twin, network: 'TRC20', expiresAt: server.clock.now() + 60_000 }));
    const entry = await add({ list: 1, address: twin, network: 'TRC20' });
    expect(isMarked(await detailOf(row))).toBe(true);
    await remove(entry);
    expect(isMarked(await detailOf(row))).toBe(false);
    const file = { list: 3, fileName: 'x.csv', source: 'OFAC', publishedAt: 1, content: `address\n${twin}` };
    const { data } = await act<AddressImportDetail>('address_list/upload', file);
    const apply = { id: data.row.id, added: 1, removed: 0, reason: '核对' };
    expect(await act('address_list/apply', apply)).toMatchObject({ code: 200 });
    expect(isMarked(await detailOf(row))).toBe(true);
  });

  test('is neither about the account itself, nor about allowed ones, nor about one of several beneficiaries', async () => {
    const own = await request('TRC20', tronAddress('own'));
    await add({ list: 1, address: own.address });
    expect(await detailOf(own)).toMatchObject({ risk: ['first_address'], related: [], screening: { listed: [{}] } });
    const [allowed, shared] = [tronAddress('allowed'), tronAddress('shared')];
    await add({ list: 2, address: allowed, network: 'TRC20', expiresAt: server.clock.now() + 60_000 });
    await add({ list: 1, address: shared, memo: '7' });
    for (const twin of [allowed, shared]) expect(isMarked(await request('ERC20', evmTwin(twin)))).toBe(false);
  });
});

describe('the setting that refuses addresses of a wrong format', () => {
  const set = async (state: 0 | 1): Promise<void> => {
    const { data } = await get<ConfigRow[]>('config/list', {});
    const { id } = data.find(({ key }) => key === 'withdraw.refuseFormat') ?? { id: 0 };
    expect(await act('config/save', { id, state })).toMatchObject({ code: 200 });
  };
  const ask = async (data: { network: string; address: string; memo?: string }) => {
    const account = await makeUser(server, { amount: '500' });
    const wallet = { no: unique('W'), account, market: 'USDT', amount: '2', fee: '1' };
    const [answer] = await send(server, { type: 'withdraw.requested', data: { ...wallet, ...data } });
    const { total } = (await get<Page<WithdrawRow>>('withdraw/list', { no: wallet.no })).data;
    return [total, answer?.reason, answer?.detail];
  };
  const xrp = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp';

  test('is off at first, and refuses requests only', async () => {
    await openNetworks(server, 'USDT', ['XRP', 'Unknown']);
    const wrong = { network: 'TRC20', address: 'T-nowhere' };
    const taken = [1, undefined, undefined];
    expect(await ask(wrong)).toEqual(taken);
    await set(1);
    expect(await ask(wrong)).toEqual([
      0,
      'invalid: address',
      '/0/data/address: text without the faults unreadable expected',
    ]);
    expect((await ask({ network: 'XRP', address: xrp, memo: 'x' }))[1]).toBe('invalid: address');
    expect(await ask({ network: 'TRC20', address: tronAddress('right') })).toEqual(taken);
    expect(await ask({ network: 'Unknown', address: 'anything' })).toEqual(taken);
    const [no, account] = [unique('R'), await makeUser(server)];
    const received = { market: 'USDT', ...wrong, amount: '5', confirmations: 1, source: 1 };
    await apply(server, { type: 'recharge.credited', data: { no, account, ...received } });
    expect((await get<Page<RechargeRow>>('recharge/list', { no })).data.list).toMatchObject([{ state: 1 }]);
    const past = { no: unique('W'), account, market: 'USDT', ...wrong, amount: '2', fee: '1', state: 5 };
    await apply(server, { type: 'withdraw.imported', data: past });
    expect((await get<Page<WithdrawRow>>('withdraw/list', { no: past.no })).data.total).toBe(1);
    await set(0);
    expect(await ask(wrong)).toEqual(taken);
  });
});
