// @module-tag full
import { ADDRESS_LIST } from '@hengtai/contract/risk/address-list/calls';
import type { AddressEntries, AddressEntry, AddressImportDetail } from '@hengtai/contract/risk/address-list/schema';
import type { Family } from '@hengtai/contract/values/destination';
import type { AuditRow } from '@hengtai/contract/house/audit/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeMarket } from '../../../../test/book.ts';
import { makeUser } from '../../../../test/factories.ts';
import { fetchScreening, setScreening } from '../../../../test/screening.ts';
import { type TestServer, apply, call, login, testServer, unique } from '../../../../test/server.ts';
import { requireFound } from '../../../app/refuse.ts';
import { inTransaction } from '../../../database/connect.ts';
import { relatedListed } from '../screening/screening.steps.ts';
import { keyEntries } from './address-key.store.ts';
import { type Vector, vectors } from '../../../../test/vectors.ts';

/** A network of each family, and one that nobody knows. */
const NETWORKS: Readonly<Partial<Record<Family, string>>> = {
  evm: 'erc20', bitcoin: 'Bitcoin', bitcoincash: 'BCH', litecoin: 'LTC', dogecoin: 'DOGE', tron: 'Tron (TRC20)', ton: 'TON',
  xrp: 'Ripple', stellar: 'XLM', solana: 'SPL', substrate: 'DOT', aptos: 'Aptos', sui: 'SUI', near: 'NEAR', cosmos: 'ATOM',
  cardano: 'ADA', filecoin: 'FIL', hedera: 'HBAR', monero: 'XMR', eos: 'EOS',
}; // prettier-ignore
const UNKNOWN = 'Chain of tomorrow';
const families = Object.keys(NETWORKS) as Family[];
const MEMOS = [
  '',
  '0',
  '1',
  '007',
  '4294967295',
  'exchange-42',
  'a b',
  'ab'.repeat(32),
  '0123456789abcdef',
  '18446744073709551616',
];

const ofFamily = (family: Family): Vector[] => vectors.filter((vector) => vector.family === family);
/** Every kept text of an account. In Cardano a text for test networks is another account. */
const textsOf = ({ family, texts, memos = [], test: tests = [], foreign = [] }: Vector): string[] => [
  ...texts,
  ...memos.map(([text]) => text),
  ...(family === 'cardano' ? [] : tests),
  ...foreign,
  ...(family === 'evm'
    ? texts.flatMap((text) => [text.toLowerCase(), text.slice(2), `0X${text.slice(2).toUpperCase()}`])
    : []),
];

let server: TestServer;
let token: string;
let market: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  token = await login(server);
  market = await makeMarket(server);
});
afterAll(() => server.stop());

interface Payee {
  address: string;
  network: string;
  memo?: string;
}

const act = <T>(path: string, input: object) => call<T>(server, 'POST', path, input, { token });
const add = (input: Partial<AddressEntry>) =>
  act<AddressEntry>('address_list/add', { list: 1, reason: '已核实', ...input });
const inAnHour = () => server.clock.now() + 3_600_000;
const upload = (list: number, content: string) =>
  act<AddressImportDetail>('address_list/upload', { list, content, fileName: 'a.csv', source: '名单', publishedAt: 1 });
async function importFile(list: number, content: string): Promise<void> {
  const { data } = await upload(list, content);
  const { id, added, removed } = data.row;
  expect(await act('address_list/apply', { id, added, removed })).toMatchObject({ code: 200 });
}

/** Requests withdrawals, and reads which lists hold each. */
async function request(payees: readonly Payee[]): Promise<(Payee & { lists: number[]; obstacle: string | null })[]> {
  const account = await makeUser(server, { amount: '10000', market });
  const events = payees.map((payee) => ({
    type: 'withdraw.requested',
    data: { no: unique('W'), account, market, amount: '1', fee: '0', ...payee },
  }));
  await apply(server, ...events);
  const rows = await server.query(sql<{ id: number; no: string }>`
    select id, no from withdraw where no = any(${events.map(({ data }) => data.no)}::text[])`);
  const byNo = new Map(rows.map(({ no, id }) => [no, id]));
  return Promise.all(
    events.map(async ({ data: { no } }, index) => {
      const { listed, obstacle } = await fetchScreening(server, token, requireFound(byNo.get(no)));
      return { ...requireFound(payees[index]), lists: listed.map(({ list }) => list), obstacle };
    }),
  );
}
const listsOf = async (...payees: Payee[]) => (await request(payees)).map(({ lists }) => lists);

describe('a blocked account', () => {
  test.each(families)(
    'of %s is met by each of its texts, with every memo, also on a network that nobody knows',
    async (family) => {
      const network = requireFound(NETWORKS[family]);
      const byOwner = new Map(ofFamily(family).map((vector) => [vector.owner, textsOf(vector)]));
      const [first, second, other] = [...byOwner.values()].toSorted((a, b) => b.length - a.length);
      const texts = requireFound(first);
      // Another network than that of the requests.
      const blocked = [await add({ address: requireFound(texts[0]), network: 'BTC' })];
      const payees = [
        ...texts.flatMap((address, index) => [
          { address, network, memo: requireFound(MEMOS[index % MEMOS.length]) },
          { address, network: UNKNOWN, memo: requireFound(MEMOS[(index + 5) % MEMOS.length]) },
        ]),
        ...MEMOS.map((memo) => ({ address: requireFound(texts.at(-1)), network, memo })),
      ];
      expect(await request(payees)).toEqual(payees.map((payee) => ({ ...payee, lists: [1], obstacle: 'listed' })));

      blocked.push(await add({ address: requireFound(second?.at(-1)) }));
      const [same, free] = [second?.[0], other?.[0]].map((address) => ({ address: requireFound(address), network }));
      expect(await listsOf(requireFound(same), requireFound(free))).toEqual([[1], []]);
      // Other families have accounts of the same bytes.
      for (const { data } of blocked) await act('address_list/remove', { id: data.id, reason: '误报' });
    },
  );

  test('is met in the cases that mean nothing, on every network', async () => {
    const hex = '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B';
    const bech32 = 'ZS1Z7RJLV5L3X5QTN7QTPDPT0QYPDP0QYPDP0QYPDP0QY';
    await add({ address: hex });
    await add({ address: bech32, network: 'ZEC' });
    const payees = ['NEAR', UNKNOWN, 'SOL', 'ZEC', 'EOS'].flatMap((network) => [
      { address: hex.toLowerCase(), network },
      { address: bech32.toLowerCase(), network },
    ]);
    expect(await listsOf(...payees)).toEqual(payees.map(() => [1]));
  });

  test('can be named by an address that no chain knows, which is compared as it is', async () => {
    const address = unique('t1-Opaque-');
    await add({ address, network: 'ZEC' });
    const payees = [
      { address, network: 'zec' },
      { address: ` ${address} `, network: 'BTC' },
      { address: address.toLowerCase(), network: 'ZEC' },
    ];
    expect(await listsOf(...payees)).toEqual([[1], [1], []]);
  });

  test('is not added twice by two of its texts, unless the network differs', async () => {
    const [address = '', other = ''] = requireFound(ofFamily('ton')[40]).texts;
    expect(await add({ address, network: 'TON' })).toMatchObject({ code: 200 });
    expect(await add({ address: other, network: 'toncoin' })).toMatchObject({ code: 409 });
    expect(await add({ address: other })).toMatchObject({ code: 200 });
  });
});

describe('a memo', () => {
  const { texts } = requireFound(ofFamily('xrp')[45]);
  const [address = ''] = texts;
  const [shared = '', tagged = ''] = [
    requireFound(ofFamily('xrp')[46]).texts[0],
    requireFound(ofFamily('xrp')[46]).memos?.[0]?.[0],
  ];

  test('of a blocked address limits it to one beneficiary; of a sanctioned address it means nothing', async () => {
    expect(await add({ address, network: 'XRP', memo: '42' })).toMatchObject({
      code: 200,
      data: { memo: '42', anyMemo: false },
    });
    const payees = ['42', '0042', '43', ''].map((memo) => ({ address, network: 'XRPL', memo }));
    expect(await listsOf(...payees)).toEqual([[1], [1], [], []]);
    // A second beneficiary of the same account.
    expect(await add({ address, network: 'XRP', memo: '43' })).toMatchObject({ code: 200 });
    expect(await add({ address, network: 'XRP', memo: '043' })).toMatchObject({ code: 409 });
    await importFile(ADDRESS_LIST.sanctions, `address,memo\n${address},42`);
    expect(await listsOf(...payees)).toEqual([[1, 3], [1, 3], [1, 3], [3]]);
  });

  test('that the text carries does not narrow a block, and must be the one that is given', async () => {
    const memo = requireFound(requireFound(ofFamily('xrp')[46]).memos?.[0]?.[1]);
    expect(await add({ address: tagged, memo: `${Number(memo) + 1}` })).toMatchObject({ code: 422 });
    expect(await add({ address: tagged })).toMatchObject({ code: 200 });
    expect(await listsOf({ address: shared, network: 'XRP', memo: '9' })).toEqual([[1]]);
  });

  test('of an allowed address counts; without one only payments without memo pass, with 任意备注 all', async () => {
    await setScreening(server, { address: 1 });
    const allowed = (index: number) => requireFound(requireFound(ofFamily('stellar')[index]).texts[0]);
    const [one, none, every] = [allowed(40), allowed(41), allowed(42)];
    const entry = { list: ADDRESS_LIST.allowed, network: 'xlm', expiresAt: inAnHour() };
    await add({ ...entry, address: one, memo: '7' });
    await add({ ...entry, address: none });
    expect(await add({ ...entry, address: every, anyMemo: true })).toMatchObject({ data: { anyMemo: true } });
    const pay = (address: string, memo: string, network = 'Stellar') => ({ address, memo, network });
    const read = await request([
      pay(one, '07'), pay(one, '8'), pay(one, ''), pay(none, ''), pay(none, '7'), pay(every, ''), pay(every, '7'),
      pay(every, '7', 'XRP'), pay(every, '7', UNKNOWN),
    ]); // prettier-ignore
    const passes = [true, false, false, true, false, true, true, false, false];
    expect(read.map(({ obstacle }) => obstacle === null)).toEqual(passes);
    expect(read.map(({ lists }) => lists.includes(2))).toEqual(passes);
    await setScreening(server, { address: 0 });
    expect(await add({ address: one, anyMemo: true })).toMatchObject({ code: 422 });
    expect(await add({ ...entry, address: one, memo: '9', anyMemo: true })).toMatchObject({ code: 422 });
    expect(await add({ address: one, memo: 'a\u200Bb' })).toMatchObject({ code: 422 });
    expect(await add({ address: `T-a\u200Bb` })).toMatchObject({ code: 422 });
  });

  test('is shown in the list and in the audit log, and is searched for', async () => {
    const memo = unique('memo-');
    const { data } = await add({ address: unique('account-'), network: 'EOS', memo });
    const found = await call<AddressEntries>(server, 'GET', 'address_list/entries', { list: 1, text: memo }, { token });
    expect(found.data.list).toEqual([data]);
    const [row] = (
      await call<{ list: AuditRow[] }>(
        server,
        'GET',
        'audit/list',
        { targetType: 'addressList', targetId: data.id },
        { token },
      )
    ).data.list;
    expect(row?.after).toMatchObject({ memo, address: data.address });
  });
});

describe('an allowed account', () => {
  test('is allowed on its own network, however that is written, and nowhere else', async () => {
    const { texts } = requireFound(ofFamily('evm')[47]);
    const address = requireFound(texts[0]);
    await add({ list: ADDRESS_LIST.allowed, address, network: 'erc20', expiresAt: inAnHour() });
    const networks = ['ERC20', 'Ethereum', 'ETH (erc-20)', 'BEP20', 'TRC20', UNKNOWN];
    const payees = networks.map((network) => ({ address: address.toLowerCase(), network }));
    expect(await listsOf(...payees)).toEqual([[2], [2], [2], [], [], []]);
  });

  test('without a network is allowed on those that write so, not on one where the text is a fault', async () => {
    const { texts } = requireFound(ofFamily('evm')[48]);
    const address = requireFound(texts[0]);
    await add({ list: ADDRESS_LIST.allowed, address, expiresAt: inAnHour() });
    const networks = ['ERC20', 'BEP20', UNKNOWN, 'TRC20'];
    expect(await listsOf(...networks.map((network) => ({ address, network })))).toEqual([[2], [2], [2], []]);
  });
});

describe('a related account', () => {
  test('of a blocked one is found apart from it', async () => {
    const owner = requireFound(ofFamily('cosmos')[44]);
    const [blocked = '', other = ''] = [
      owner.texts[0],
      vectors.find((one) => one.family === 'evm' && one.owner === owner.owner)?.texts[0],
    ];
    const { data } = await add({ address: blocked, network: 'ATOM' });
    const read = (address: string, network: string) =>
      inTransaction(server.app.system, (db) =>
        relatedListed(db, { address, network, memo: '', listedNetworks: [] }, server.clock.now()),
      );
    expect(await read(blocked, 'ATOM')).toEqual([]);
    expect(await read(other, 'ERC20')).toMatchObject([{ id: data.id, list: 1 }]);
    expect(await listsOf({ address: other, network: 'ERC20' })).toEqual([[]]);
    await add({ list: ADDRESS_LIST.allowed, address: other, expiresAt: inAnHour() });
    expect(await read(blocked, 'ATOM')).toEqual([]);
  });
});

describe('a file', () => {
  test('blocks again what has expired or was removed, by another text as well', async () => {
    const [expired, removed] = [45, 46].map((index) => requireFound(ofFamily('ton')[index]).texts) as [
      string[],
      string[],
    ];
    await add({ address: requireFound(expired[0]), network: 'TON', expiresAt: server.clock.now() + 1 });
    const { data } = await add({ address: requireFound(removed[0]) });
    await act('address_list/remove', { id: data.id, reason: '误报' });
    server.clock.move(2);
    const payees = [expired, removed].map(([address = '']) => ({ address, network: 'TON' }));
    expect(await listsOf(...payees)).toEqual([[], []]);
    const content = `address,network\n${expired[1]},ton\n${removed[1]},`;
    expect((await upload(1, content)).data.row).toMatchObject({ found: 2, entries: 2, asText: 0, added: 2 });
    await importFile(1, content);
    await importFile(3, content);
    expect(await listsOf(...payees)).toEqual([
      [1, 3],
      [1, 3],
    ]);
    // Another text of the same accounts changes nothing.
    const again = await upload(3, `${expired[0]}\n${removed[0]}`);
    expect(again.data.row).toMatchObject({ added: 0, removed: 0 });
  });

  test('says what it holds, and is refused as a whole for one line that holds no account', async () => {
    const { data } = await upload(
      1,
      `地址;备注\nT-plain-1;\n${requireFound(ofFamily('xrp')[47]).texts[0]};5\nT-plain-1;`,
    );
    expect(data.row).toMatchObject({ found: 3, entries: 2, asText: 1, added: 2 });
    expect(await upload(1, 'T-plain-2\n不是地址\n')).toMatchObject({
      code: 422,
      msg: expect.stringContaining('第 2 行'),
    });
  });

  test('of an older version is read again before it is applied', async () => {
    const { data } = await upload(1, 'T-old-draft');
    await server.query(sql`update address_import set rules = 0 where id = ${data.row.id}`);
    const { id, added, removed } = data.row;
    expect(await act('address_list/apply', { id, added, removed })).toMatchObject({
      code: 409,
      msg: '文件由旧版本读取，请重新上传',
    });
  });
});

test('an entry of a server of the last release is met before and after it has keys', async () => {
  const [address = '', other = ''] = requireFound(ofFamily('ton')[48]).texts;
  await server.query(sql`
    insert into address_entry (list, network, address, address_key, reason, source, by_account, created_at)
    values (1, '', ${address}, ${address}, '', '', 'admin', 1)`);
  const payee = { address: other, network: 'TON' };
  expect(await listsOf(payee)).toEqual([[1]]);
  await inTransaction(server.app.system, keyEntries);
  expect(await listsOf(payee)).toEqual([[1]]);
  const [entry] = await server.query(sql<{ keys: number }>`
    select count(*)::int as keys from address_entry e join address_entry_key k on k.entry_id = e.id where e.address = ${address}`);
  expect(entry?.keys).toBeGreaterThan(1);
});
