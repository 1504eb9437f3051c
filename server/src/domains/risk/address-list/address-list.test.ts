import type {
  AddressEntries,
  AddressEntry,
  AddressImport,
  AddressImportDetail,
  AddressOverview,
} from '@hengtai/contract/risk/address-list/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { type Approvers, asNarrowChecker, callAs, lockFourEyes, makeApprovers } from '../../../../test/four-eyes.ts';
import { setPolicy } from '../../../../test/inspect.ts';
import { answer, fetchScreening, setScreening } from '../../../../test/screening.ts';
import { type TestServer, apply as applyEvents, call, testServer, unique } from '../../../../test/server.ts';

const PUBLISHED = Date.UTC(2026, 10, 20);

let server: TestServer;
let approvers: Approvers;

async function start(): Promise<void> {
  server = await testServer({ jobs: false });
  approvers = await makeApprovers(server);
  await setPolicy(server, 'withdraw.pass', 0);
}
beforeAll(start);
afterAll(() => server.stop());

const act = <T>(path: string, input: object) => callAs<T>(server, approvers.admin, path, input);
const read = async <T>(path: string, input: object = {}) =>
  (await call<T>(server, 'GET', `address_list/${path}`, input, { token: approvers.admin.token })).data;
const add = (list: number, address: string, fields: object = {}) =>
  act<AddressEntry>('address_list/add', { list, address, reason: '已核实', ...fields });
const upload = (list: number, content: string) =>
  act<AddressImportDetail>('address_list/upload', {
    list,
    content,
    fileName: 'sdn.csv',
    source: 'OFAC SDN',
    publishedAt: PUBLISHED,
  });
const apply = ({ row: { id, added, removed } }: AddressImportDetail) =>
  act<AddressImport>('address_list/apply', { id, added, removed });
const entriesOf = async (list: number) =>
  (await read<AddressEntries>('entries', { list })).list.map(({ address }) => address).toSorted();

async function request(address: string, token = approvers.admin.token, agent?: string) {
  const account = await makeUser(server, { amount: '500', ...(agent && { agent }) });
  const row = await makeWithdraw(server, approvers.admin.token, account, { address });
  return {
    ...row,
    read: () => fetchScreening(server, token, row.id),
    pass: () => callAs(server, { token }, 'withdraw/pass', { id: row.id }),
  };
}

describe('a withdrawal to an address of a list', () => {
  test('does not pass if it is blocked, in every spelling and network, also for operators who see no list', async () => {
    const address = '0x52908400098527886E0F7030069857D2E4169EE7';
    expect(await add(1, address, { network: 'ERC20' })).toMatchObject({ code: 200 });
    const agent = await makeOperator(server, approvers.admin.token, { abilities: [1, 3] });
    const row = await request(address.toLowerCase(), agent.token, agent.account);
    expect(await row.read()).toMatchObject({ demanded: false, obstacle: 'listed', listed: [{ list: 1 }] });
    expect(await row.pass()).toMatchObject({ code: 409, msg: '未通过筛查：地址在黑名单或制裁名单中' });
    const list = await call(server, 'GET', 'address_list/list', {}, { token: agent.token });
    expect(list.code).toBe(403);
    const { seen } = await row.read();
    const bypass = { id: row.id, seen, reason: '地址属于用户本人' };
    expect(await act('screening/withdraw/bypass', bypass)).toMatchObject({ code: 200 });
    // Another entry, which nobody saw.
    expect(await add(1, address)).toMatchObject({ code: 200 });
    expect(await row.pass()).toMatchObject({ code: 409 });
  });

  test('counts the withdrawals of 30 days to it, by every text of the account', async () => {
    const address = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
    const { data } = await add(1, address.toLowerCase());
    const account = await makeUser(server, { amount: '500' });
    const ask = (to: string) =>
      makeWithdraw(server, approvers.admin.token, account, { network: 'ERC20', address: to, amount: '10' });
    const count = () => call(server, 'GET', 'address_list/recent', { id: data.id }, { token: approvers.admin.token });
    expect(await count()).toMatchObject({ data: { withdraws: 0 } });
    const old = { no: unique('W'), account, market: 'USDT', network: 'ERC20', address, amount: '10', fee: '0' };
    await applyEvents(server, { type: 'withdraw.requested', data: old, at: server.clock.now() - 30 * 86_400_000 - 1 });
    expect(await count()).toMatchObject({ data: { withdraws: 0 } });
    await ask(address);
    await ask('0xde709f2102306220921060314715629080e2fb77');
    expect(await count()).toMatchObject({ data: { withdraws: 1 } });
  });

  test('passes again when the entry is removed', async () => {
    const address = unique('T-listed-');
    const { data } = await add(1, address);
    const row = await request(address);
    expect(await row.pass()).toMatchObject({ code: 409 });
    expect(await act('address_list/remove', { id: data.id, reason: '误报' })).toMatchObject({ code: 200 });
    expect(await act('address_list/remove', { id: data.id, reason: '误报' })).toMatchObject({ code: 404 });
    expect(await row.pass()).toMatchObject({ code: 200 });
  });

  test('needs no answer if it is allowed, on its network and until it expires; a hit counts nevertheless', async () => {
    await setScreening(server, { address: 1 });
    const address = unique('T-allowed-');
    expect(await add(2, address)).toMatchObject({ code: 422 });
    const expiresAt = server.clock.now() + 3_600_000;
    await add(2, address, { network: 'TRC20', expiresAt });
    const elsewhere = unique('T-allowed-');
    await add(2, elsewhere, { network: 'ERC20', expiresAt });
    expect(await (await request(elsewhere)).read()).toMatchObject({ obstacle: 'pending' });
    const row = await request(address);
    expect(await row.read()).toMatchObject({ demanded: false, obstacle: null, requests: [] });
    await act('screening/withdraw/request', { id: row.id });
    await answer(server, await row.read(), { result: 'hit' });
    expect(await row.pass()).toMatchObject({ code: 409 });
    expect(await (await request(address)).pass()).toMatchObject({ code: 200 });
    await server.query(sql`update address_entry set expires_at = ${server.clock.now()} where address = ${address}`);
    expect(await (await request(address)).read()).toMatchObject({ demanded: true, obstacle: 'pending' });
    // An expired entry can be added again.
    expect(await add(2, address, { network: 'TRC20', expiresAt })).toMatchObject({ code: 200 });
    await setScreening(server, { address: 0 });
  });
});

describe('files', () => {
  test('change nothing before they are applied; a sanctions list is replaced', async () => {
    const first = await upload(3, 'T-a\nT-b\nT-c');
    expect(first.data).toMatchObject({ row: { entries: 3, added: 3, removed: 0, state: 0 }, removed: [] });
    expect(await entriesOf(3)).toEqual([]);
    expect(await apply(first.data)).toMatchObject({ code: 200, data: { state: 1, added: 3 } });
    expect(await apply(first.data)).toMatchObject({ code: 409 });
    const second = await upload(3, 'T-b\nT-d\nT-c');
    expect(second.data).toMatchObject({ row: { added: 1, removed: 1 }, added: ['T-d'], removed: ['T-a'] });
    expect(await apply({ ...second.data, row: { ...second.data.row, removed: 0 } })).toMatchObject({ code: 409 });
    expect(await apply(second.data)).toMatchObject({ code: 200 });
    expect(await entriesOf(3)).toEqual(['T-b', 'T-c', 'T-d']);
    const { lists } = await read<AddressOverview>('list');
    expect(lists[2]).toMatchObject({
      count: 3,
      last: { source: 'OFAC SDN', publishedAt: PUBLISHED, checksum: second.data.row.checksum },
    });
    expect(await (await request('T-d')).pass()).toMatchObject({ code: 409 });
  });

  test('are added to the blocked list, and refused with the line that cannot be read', async () => {
    const kept = unique('T-kept-');
    await add(1, kept);
    const file = await upload(1, `address,network,reason\n${kept}\nT-new,TRC20,fraud`);
    expect(file.data).toMatchObject({ row: { entries: 2, added: 1, removed: 0 } });
    await apply(file.data);
    expect(await entriesOf(1)).toEqual(expect.arrayContaining([kept, 'T-new']));
    // An entry that ends by itself does not keep the file from blocking its address for good.
    const until = unique('T-until-');
    await add(1, until, { expiresAt: server.clock.now() + 60_000 });
    const forGood = await upload(1, `${kept}\n${until}`);
    expect(forGood.data).toMatchObject({ row: { added: 1, removed: 0 }, added: [until] });
    await apply(forGood.data);
    const { list } = await read<AddressEntries>('entries', { list: 1, text: until });
    expect(list).toMatchObject([{ expiresAt: null, source: 'OFAC SDN' }]);
    expect(await upload(1, 'T-a\nT b')).toMatchObject({ code: 422, msg: expect.stringContaining('第 2 行') });
    expect(await upload(1, '# nothing')).toMatchObject({ code: 422 });
  });
});

describe('while four-eyes are locked', () => {
  // The lock would change the answers to the other tests.
  beforeAll(async () => {
    const open = { server, approvers };
    await start();
    await lockFourEyes(server, approvers);
    return async () => {
      await server.stop();
      ({ server, approvers } = open);
    };
  });

  test('only what protects less needs a second person', async () => {
    await apply((await upload(3, 'T-b\nT-c\nT-d')).data);
    const blocked = await add(1, unique('T-locked-'));
    expect(blocked).toMatchObject({ code: 200 });
    const removal = await act<{ id: number }>('address_list/remove', { id: blocked.data.id, reason: '误报' });
    expect(removal).toMatchObject({ code: 202 });
    const { token } = approvers.second;
    const detail = () => call(server, 'GET', 'approval/detail', { id: removal.data.id }, { token });
    expect(await detail()).toMatchObject({ data: { terms: [{ label: '近 30 天提现到该地址', text: '0 笔' }] } });
    // Withdrawals of other trees are not counted for a checker who does not see them.
    await asNarrowChecker(server, approvers.second, removal.data.id, async () => {
      expect(await detail()).toMatchObject({ code: 200, data: { row: { id: removal.data.id } } });
      expect((await detail()).data).not.toHaveProperty('terms');
    });
    const expiresAt = server.clock.now() + 3_600_000;
    expect(await add(2, unique('T-locked-'), { expiresAt })).toMatchObject({ code: 202 });
    const more = await upload(3, 'T-b\nT-c\nT-d\nT-e');
    expect(await apply(more.data)).toMatchObject({ code: 200 });
    const fewer = await upload(3, 'T-b');
    const asked = await act<{ id: number }>('address_list/apply', { id: fewer.data.row.id, added: 0, removed: 3 });
    expect(asked).toMatchObject({ code: 202 });
    expect(await entriesOf(3)).toHaveLength(4);
    expect(await callAs(server, approvers.second, 'approval/pass', { id: asked.data.id })).toMatchObject({ code: 200 });
    expect(await entriesOf(3)).toEqual(['T-b']);
  });
});
