// @module-tag sized
// @module-tag soak
import { ADDRESS_LIST } from '@hengtai/contract/risk/address-list/calls';
import type { AddressImportDetail } from '@hengtai/contract/risk/address-list/schema';
import type { Family } from '@hengtai/contract/values/destination';
import type { Page } from '@hengtai/contract/wire/list';
import { NETWORKS } from '@hengtai/contract/values/network';
import type { BulkResult } from '@hengtai/contract/wire/schema';
import { screenObstacles } from '@hengtai/contract/risk/screening/facts';
import type { SearchRow } from '@hengtai/contract/desk/search/schema';
import type { WithdrawDetail, WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sized } from '../../testing/level.ts';
import { decideCandidates } from '../src/domains/risk/auto-payout/auto-payout.jobs.ts';
import { saveBudget } from './auto-payout.ts';
import { makeMarket } from './book.ts';
import { makeUser } from './factories.ts';
import { setPolicy } from './inspect.ts';
import { makeRule } from './rules.ts';
import { type TestServer, apply, call, login, testServer, unique } from './server.ts';
import { type Vector, vectors } from './vectors.ts';

// Whatever reads destinations treats all texts of an account as one: what is done to one text is met by every other.

const families = [...new Set(vectors.map(({ family }) => family))];
/** How many families, and how many accounts of each. */
const { count, each } = sized({
  short: { count: 5, each: 1 },
  full: { count: families.length, each: 1 },
  long: { count: families.length, each: 12 },
});
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

/** The texts without a fault, all of one beneficiary. */
const cleanTexts = ({ family, texts: [first = '', ...others] }: Vector): string[] => [
  first,
  ...others,
  ...(family === 'evm' ? [first.toLowerCase(), first.slice(2).toUpperCase(), `ethereum:${first}@1?value=1`] : []),
  ...(family === 'bitcoin' ? [`bitcoin:${first}?amount=0.5`] : []),
];
/** All texts, also those of other networks and with memos. In Cardano a text for test networks is another account. */
const allTexts = (account: Vector): string[] => [
  ...cleanTexts(account),
  ...(account.memos ?? []).map(([text]) => text),
  ...(account.family === 'cardano' ? [] : (account.test ?? [])),
  ...(account.foreign ?? []),
];
const networkOf = (family: Family): string => NETWORKS.find(([, of]) => of === family)?.[0] ?? 'TRC20';

/** Chains with accounts of 32 bytes write some of them alike, and an entry without a network meets them all. */
const taken = new Set<string>();
const bytesOf = (text: string): string => text.toLowerCase().replace(/^0x|^-?\d:/, '');
const isFree = ({ texts }: Vector): boolean => !texts.some((text) => taken.has(bytesOf(text)));

/** Two different accounts for each case, by the seed of the run: what is done to one must not concern the other. */
const cases =
  fc.sample(fc.shuffledSubarray(families, { minLength: count, maxLength: count }), 1)[0]?.flatMap((family) => {
    const own = vectors.filter((one) => one.family === family && isFree(one));
    const owners = [...new Set(own.map(({ owner }) => owner))];
    const chosen = fc.sample(fc.shuffledSubarray(owners, { minLength: 3 * each, maxLength: 3 * each }), 1)[0] ?? [];
    const accounts = chosen.flatMap((owner) => {
      const found = own.filter((one) => one.owner === owner);
      return found.toSorted((a, b) => b.texts.length - a.texts.length).slice(0, 1);
    });
    for (const text of accounts.flatMap(({ texts }) => texts)) taken.add(bytesOf(text));
    return Array.from({ length: each }, (_, index) => ({
      family,
      used: accounts[3 * index] as Vector,
      blocked: accounts[3 * index + 1] as Vector,
      listed: accounts[3 * index + 2] as Vector,
    }));
  }) ?? [];

let server: TestServer;
let token: string;
let market: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  token = await login(server);
  market = await makeMarket(server);
  await apply(server, { type: 'tick', data: { market, price: '1', at: server.clock.now() } });
  await setPolicy(server, 'withdraw.pass', 2, '1000000');
  // The system passes nothing without a rule in effect; this one never hits.
  await makeRule(server, token, { conditions: [{ fact: 'amount', op: 'gt', value: '1000000' }] });
  const [row] = await server.query(sql<{ id: number }>`select id from market where market_name = ${market}`);
  await saveBudget(server, token, { firstByHand: true }, row?.id);
});
afterAll(() => server.stop());

const read = <T>(path: string, input: object) => call<T>(server, 'GET', path, input, { token });
const act = <T>(path: string, input: object) => call<T>(server, 'POST', path, input, { token });
const makeRich = () => makeUser(server, { amount: '100000', market });

interface Decided {
  id: number;
  no: string;
  address: string;
  risk: string[];
  /** Passed by the system; if not, why. */
  passed: boolean | null;
  why: string | null;
  addressPaid: number;
  addressUsers: number;
}

/** Requests withdrawals of one user and lets the system decide. The rows in the order of the payees. */
async function request(
  account: string,
  family: Family,
  payees: readonly { address: string; memo?: string }[],
): Promise<Decided[]> {
  const network = networkOf(family);
  const events = payees.map((payee) => ({
    type: 'withdraw.requested',
    data: { no: unique('W'), account, market, network, amount: '1', fee: '0', ...payee },
  }));
  await apply(server, ...events);
  await decideCandidates(server.app);
  return server.query(sql<Decided>`
    select w.id, w.no, w.address, w.risk, d.passed, d.why, f.address_paid as "addressPaid", f.address_users as "addressUsers"
    from withdraw w left join auto_decision d on d.withdraw_id = w.id left join withdraw_fact f on f.withdraw_id = w.id
    where w.no = any(${events.map(({ data }) => data.no)}::text[]) order by w.id`);
}

async function pay({ id, no }: Decided): Promise<void> {
  expect(await act('withdraw/pass', { id })).toMatchObject({ code: 200 });
  await apply(server, { type: 'withdraw.paid', data: { no, txHash: unique('hash') } });
}

/** The system passes none of the rows, and no person can, because their address is listed. One of them names the list. */
async function expectListed(rows: readonly Decided[], list: number): Promise<void> {
  const { data } = await act<BulkResult>('withdraw/pass/many', { ids: rows.map(({ id }) => id) });
  for (const [index, { address, passed }] of rows.entries())
    expect([address, passed, data.results[index]?.msg]).toEqual([
      address,
      false,
      expect.stringContaining(screenObstacles.listed),
    ]);
  // An owner may be on another list as well, with its account of another family.
  const [row] = fc.sample(fc.constantFrom(...rows), 1);
  const { screening } = (await read<WithdrawDetail>('withdraw/detail', { id: row?.id })).data;
  expect(screening.listed).toContainEqual(expect.objectContaining({ list }));
}

describe.each(cases)('an account of $family that was paid by one text', ({ family, used }) => {
  const ids: number[] = [];
  const [first = '', ...others] = cleanTexts(used);
  const texts = others.length > 0 ? others : [first];

  test('is no first address by any other, and passes without hands', async () => {
    const user = await makeRich();
    const [paid] = await request(user, family, [{ address: first }]);
    expect(paid).toMatchObject({ risk: ['first_address'], passed: false, why: 'firstAddress' });
    if (paid) await pay(paid);
    const rows = await request(
      user,
      family,
      texts.map((address) => ({ address })),
    );
    expect(rows).toEqual(
      texts.map(() => expect.objectContaining({ risk: [], passed: true, addressPaid: 1, addressUsers: 0 })),
    );
    ids.push(...rows.map(({ id }) => id));
    const detail = (await read<WithdrawDetail>('withdraw/detail', { id: rows.at(-1)?.id })).data;
    expect(detail.addresses.map(({ times }) => times)).toEqual([texts.length + 1]);
  });

  test('is shared by the next user, and found, by each', async () => {
    const user = await makeRich();
    const rows = await request(
      user,
      family,
      texts.map((address) => ({ address })),
    );
    ids.push(...rows.map(({ id }) => id));
    for (const row of rows)
      expect(row).toMatchObject({ risk: expect.arrayContaining(['shared_address']), addressUsers: 1 });
    expect(rows[0]).toMatchObject({ passed: false, why: 'firstAddress' });
    for (const address of [first, ...texts]) {
      const { data } = await read<Page<WithdrawRow>>('withdraw/list', { address, size: 100 });
      expect([address, data.list.map(({ id }) => id)]).toEqual([address, expect.arrayContaining(ids)]);
      const found = (await read<SearchRow[]>('search', { word: address })).data.map(({ type }) => type);
      expect([address, found]).toEqual([address, expect.arrayContaining(['withdraw'])]);
    }
  });
});

describe.each(cases)('a blocked account of $family', ({ family, blocked }) => {
  const texts = allTexts(blocked);

  test('passes by no text and with no memo', async () => {
    const user = await makeRich();
    const clean = cleanTexts(blocked);
    const [address = ''] = clean;
    const before = await request(user, family, [{ address }]);
    if (before[0]) await pay(before[0]);
    expect(
      await act('address_list/add', { list: ADDRESS_LIST.blocked, address: clean.at(-1), reason: '骗局' }),
    ).toMatchObject({
      code: 200,
    });
    const rows = await request(user, family, [
      ...texts.map((text) => ({ address: text })),
      ...MEMOS.map((memo) => ({ address, memo })),
    ]);
    expect(rows).toHaveLength(texts.length + MEMOS.length);
    await expectListed(rows, ADDRESS_LIST.blocked);
  });
});

describe('sanctioned accounts', () => {
  test('in one file, each by one text, are met by every text', async () => {
    const content = ['address', ...new Set(cases.map(({ listed }) => cleanTexts(listed)[0]))].join('\n');
    const { data } = await act<AddressImportDetail>('address_list/upload', {
      list: ADDRESS_LIST.sanctions,
      content,
      fileName: 'list.csv',
      source: '名单',
      publishedAt: 1,
    });
    const { id, added, removed } = data.row;
    expect(await act('address_list/apply', { id, added, removed })).toMatchObject({ code: 200 });
    const user = await makeRich();
    for (const { family, listed } of cases) {
      const rows = await request(
        user,
        family,
        allTexts(listed).map((address) => ({ address })),
      );
      await expectListed(rows, ADDRESS_LIST.sanctions);
    }
  });
});
