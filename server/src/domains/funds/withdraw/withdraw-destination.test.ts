import { ABILITY } from '@hengtai/contract/authority/ability';
import type { Family } from '@hengtai/contract/values/destination';
import { NETWORKS } from '@hengtai/contract/values/network';
import type { Page } from '@hengtai/contract/wire/list';
import type { WithdrawDetail, WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tronAddress } from '../../../../test/address.ts';
import { openNetworks } from '../../../../test/book.ts';
import { makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { fetchPayouts, setPolicy } from '../../../../test/inspect.ts';
import { type TestServer, apply, call, login, send, testServer, unique } from '../../../../test/server.ts';
import { payoutTextOf } from './withdraw.rules.ts';
import { type Vector, vectors } from '../../../../test/vectors.ts';

let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  await setPolicy(server, 'withdraw.pass', 0);
  const families = samples.map(([family]) => networkOf(family));
  await openNetworks(server, 'USDT', [...families, 'Polygon', 'Unknown']);
});
afterAll(() => server.stop());

type Options = Parameters<typeof makeWithdraw>[3];
const makeRichUser = (): Promise<string> => makeUser(server, { amount: '500' });
const request = (account: string, options: Options): Promise<WithdrawRow> =>
  makeWithdraw(server, admin, account, { amount: '2', ...options });
const requestAlone = async (options: Options): Promise<WithdrawRow> => request(await makeRichUser(), options);
const pass = ({ id }: WithdrawRow) => call(server, 'POST', 'withdraw/pass', { id }, { token: admin });
const detailOf = async ({ id }: WithdrawRow): Promise<WithdrawDetail> =>
  (await call<WithdrawDetail>(server, 'GET', 'withdraw/detail', { id }, { token: admin })).data;

async function pay(row: WithdrawRow): Promise<void> {
  await pass(row);
  await apply(server, { type: 'withdraw.paid', data: { no: row.no, txHash: unique('hash') } });
}

/** Of each family the accounts with the most texts. */
const samples = [...new Set(vectors.map(({ family }) => family))].map((family): [Family, Vector[]] => [
  family,
  vectors
    .filter((one) => one.family === family)
    .toSorted((a, b) => b.texts.length - a.texts.length)
    .slice(0, 2),
]);
/** An account of the family that no other test uses. */
const takeText = (family: Family): string =>
  vectors.filter((one) => one.family === family)[(taken += 1)]?.texts[0] ?? '';
let taken = 10;
const networkOf = (family: Family): string => NETWORKS.find(([, of]) => of === family)?.[0] ?? '';
/** Texts of an account that its library does not write. */
const furtherTexts = ({ family, texts: [text = ''] }: Vector): string[] => {
  if (family === 'evm') return [text.toLowerCase(), text.slice(2).toUpperCase(), `ethereum:${text}@1?value=1`];
  if (family === 'bitcoin') return [`bitcoin:${text}?amount=0.5`];
  return [` ${text} `];
};

describe('an address', () => {
  test.each(samples)('of %s is known in all its texts', async (family, accounts) => {
    const network = networkOf(family);
    for (const account of accounts) {
      const user = await makeRichUser();
      const [first = '', ...others] = [...account.texts, ...furtherTexts(account)];
      const paid = await request(user, { network, address: first });
      expect(paid.risk).toEqual(['first_address']);
      await pay(paid);
      for (const address of others)
        expect((await request(user, { network, address })).risk, `${first} as ${address}`).toEqual([]);
      expect((await request(await makeRichUser(), { network, address: others[0] ?? first })).risk).toEqual([
        'first_address',
        'shared_address',
      ]);
    }
  });

  test('of another family is another account, although the text is the same', async () => {
    const user = await makeRichUser();
    const address = takeText('evm');
    await pay(await request(user, { network: 'ERC20', address }));
    expect((await request(user, { network: 'Polygon', address })).risk).toEqual([]);
    expect((await request(user, { network: 'Unknown', address })).risk).toEqual(['first_address']);
  });

  test('that its network cannot read has the risk of a wrong format', async () => {
    const row = await requestAlone({ address: 'T-nowhere' });
    expect(row.risk).toEqual(['first_address', 'address_format']);
    expect((await detailOf(row)).risk).toEqual(row.risk);
    expect((await requestAlone({ network: 'ERC20', address: `0x${'aB'.repeat(20)}` })).risk).toContain(
      'address_format',
    );
    const input = { risk: 'address_format', no: row.no };
    expect((await call<Page<WithdrawRow>>(server, 'GET', 'withdraw/list', input, { token: admin })).data.total).toBe(1);
  });
});

test('the lists find an account by any of its texts, and by the ends of the text as typed', async () => {
  const address = takeText('evm');
  const row = await requestAlone({ network: 'ERC20', address: address.toLowerCase() });
  const account = await makeUser(server);
  const chain = {
    market: 'USDT',
    network: 'ERC20',
    address: address.toLowerCase(),
    amount: '5',
    confirmations: 1,
    source: 1,
  };
  await apply(server, { type: 'recharge.credited', data: { no: unique('R'), account, ...chain } });
  for (const list of ['withdraw/list', 'recharge/list'])
    for (const text of [
      address,
      address.slice(2).toUpperCase(),
      `ethereum:${address}`,
      address.slice(0, 12),
      address.slice(-8),
    ]) {
      const { data } = await call<Page<WithdrawRow>>(server, 'GET', list, { address: text }, { token: admin });
      expect([list, text, data.total, data.list[0]?.address]).toEqual([list, text, 1, row.address]);
    }
  const agent = await makeOperator(server, admin, { abilities: [ABILITY.withdraw] });
  const outside = await call<Page<WithdrawRow>>(server, 'GET', 'withdraw/list', { address }, { token: agent.token });
  expect(outside.data.total).toBe(0);
});

describe('a memo', () => {
  const address = takeText('xrp');
  const exchange = { network: 'XRPL', address };

  test('makes another beneficiary of the account', async () => {
    const user = await makeRichUser();
    await pay(await request(user, { ...exchange, memo: '41' }));
    expect((await request(user, { ...exchange, memo: '41' })).risk).toEqual([]);
    expect((await request(user, { ...exchange, network: 'Ripple', memo: ' 0041 ' })).risk).toEqual([]);
    expect((await request(user, { ...exchange, memo: '42' })).risk).toEqual(['first_address']);
    expect((await requestAlone({ ...exchange, memo: '43' })).risk).toEqual(['first_address']);
    expect((await requestAlone({ ...exchange, memo: '41' })).risk).toEqual(['first_address', 'shared_address']);
    const { addresses } = await detailOf(await request(user, { ...exchange, memo: '42' }));
    expect(addresses.map(({ memo, times, users }) => [memo, times, users])).toEqual(
      expect.arrayContaining([
        ['42', 2, 1],
        ['41', 2, 2],
      ]),
    );
  });

  test('that the address carries is that memo', async () => {
    const { texts, memos } = vectors.find(({ family, memos: all }) => family === 'xrp' && all !== undefined) ?? {};
    const [text = '', memo = ''] = memos?.[0] ?? [];
    const user = await makeRichUser();
    await pay(await request(user, { network: 'XRPL', address: texts?.[0] ?? '', memo }));
    expect((await request(user, { network: 'XRPL', address: text })).risk).toEqual([]);
    expect((await request(user, { network: 'XRPL', address: text, memo: `1${memo}`.slice(0, 9) })).risk).toContain(
      'address_format',
    );
  });

  test('that is missing is a risk of an account that was used with memos', async () => {
    const used = { network: 'XRPL', address: takeText('xrp') };
    expect((await requestAlone(used)).risk).toEqual(['first_address']);
    await requestAlone({ ...used, memo: '0' });
    const row = await requestAlone(used);
    expect(row.risk).toEqual(['first_address', 'shared_address', 'memo_missing']);
    expect((await detailOf(row)).risk).toEqual(row.risk);
    const ofTron = { address: tronAddress('memo') };
    await requestAlone({ ...ofTron, memo: 'order 7' });
    expect((await requestAlone(ofTron)).risk).not.toContain('memo_missing');
  });
});

describe('a request', () => {
  const reasonOf = async (data: object) => {
    const wallet = { market: 'USDT', network: 'TRC20', amount: '2', fee: '1' };
    const account = await makeRichUser();
    const [answer] = await send(server, {
      type: 'withdraw.requested',
      data: { no: unique('W'), account, ...wallet, ...data },
    });
    return [answer?.reason, answer?.detail];
  };
  const valid = tronAddress('valid');

  test.each([
    ['address', '\u200B', 'U+200B'],
    ['address', '\u202E', 'U+202E'],
    ['address', '\uFE0F', 'U+FE0F'],
    ['address', ' ', 'U+0020'],
    ['address', '\u3000', 'U+3000'],
    ['memo', '\u200B', 'U+200B'],
    ['memo', '\u0007', 'U+0007'],
  ])('is rejected for its %s with %j', async (field, character, name) => {
    const text = `${valid.slice(0, 3)}${character}${valid.slice(3)}`;
    const data = field === 'address' ? { address: text } : { address: valid, memo: text };
    expect(await reasonOf(data)).toEqual([
      `invalid: ${field}`,
      `/0/data/${field}: text without the character ${name} at 4 expected`,
    ]);
  });

  test('is rejected for a blank address', async () => {
    expect(await reasonOf({ address: '  ' })).toEqual([
      'invalid: address',
      '/0/data/address: text that is not blank expected',
    ]);
  });

  test('keeps blanks within a memo, and neither at the ends', async () => {
    const row = await requestAlone({ address: ` ${valid}\u3000`, memo: ' order 7 ' });
    expect([row.address, row.memo]).toEqual([valid, 'order 7']);
  });

  test('is paid to the bare address on the listed network, and keeps what was typed', async () => {
    const address = takeText('evm');
    const typed = { network: 'Ethereum', address: `ethereum:${address}?value=1` };
    const row = await requestAlone(typed);
    expect(row).toMatchObject(typed);
    await pass(row);
    const paid = { network: 'ERC20', address };
    expect((await fetchPayouts(server, row.id))[0]?.data).toMatchObject(paid);
    const listedNetworks = [{ network: 'ERC20' }];
    const text = payoutTextOf({ ...row, platformId: 1, listedNetworks }, 'maker', 'pass');
    expect(JSON.parse(text)).toMatchObject(paid);
  });
});

test('records of the past and recharges are taken whatever their address', async () => {
  const account = await makeUser(server);
  const [no, address] = [unique('R'), ` T\u200Bnowhere`];
  const received = { market: 'USDT', network: 'TRC20', amount: '5', confirmations: 1, source: 1, memo: ' 7', index: 3 };
  await apply(server, { type: 'recharge.credited', data: { no, account, address, ...received } });
  const listed = await call<Page<object>>(server, 'GET', 'recharge/list', { no }, { token: admin });
  expect(listed.data.list).toMatchObject([{ address, memo: ' 7', index: 3, state: 1 }]);
  const [stored] = await server.query(
    sql`select account_key, account_rules, address_faults from recharge where no = ${no}`,
  );
  expect(stored).toEqual({ account_key: `opaque:${address.trim()}`, account_rules: 1, address_faults: ['unreadable'] });
});

test('an address in alternating case by two users is shared', async () => {
  const address = takeText('evm').toLowerCase();
  const odd = `0x${Array.from(address.slice(2), (letter, n) => (n % 2 === 0 ? letter : letter.toUpperCase())).join('')}`;
  const even = `0x${Array.from(address.slice(2), (letter, n) => (n % 2 === 1 ? letter : letter.toUpperCase())).join('')}`;
  await requestAlone({ network: 'ERC20', address: odd });
  const row = await requestAlone({ network: 'ERC20', address: even });
  expect(row.risk).toEqual(['first_address', 'shared_address', 'address_format']);
});
