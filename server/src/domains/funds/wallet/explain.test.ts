import { ABILITY } from '@hengtai/contract/authority/ability';
import type { ApprovalDetail, ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import type { WalletExplain, WalletItem } from '@hengtai/contract/funds/wallet/item.schema';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tronAddress } from '../../../../test/address.ts';
import { fetchHouseBalance, makeMarket } from '../../../../test/book.ts';
import { type TestOperator, makeOperator } from '../../../../test/factories.ts';
import { runWhileLocked, setPolicy } from '../../../../test/inspect.ts';
import { apply, call, fetchData, login, provideServer, unique } from '../../../../test/server.ts';
import { creditRecharge, itemsOf, judgeAfter, judgeDue, reportMove, saveWallet } from '../../../../test/wallet.ts';
import { checkBook } from '../../../books/ledger/check.ts';

const server = provideServer({ jobs: false });
let admin: string;
let checker: TestOperator;
const stranger = tronAddress('stranger');

beforeAll(async () => {
  admin = await login(server);
  checker = await makeOperator(server, admin, { abilities: [ABILITY.assets, ABILITY.approval, ABILITY.headquarters] });
});
// Hours pass in the tests, and sessions end.
beforeEach(async () => {
  admin = await login(server);
  await setPolicy(server, 'walletItem.explain', 0);
});

interface Coin {
  market: string;
  wallet: string;
  address: string;
}

/** A coin of its own with a wallet. */
async function makeCoin(): Promise<Coin> {
  const market = await makeMarket(server);
  const address = tronAddress(market);
  return { market, address, wallet: await saveWallet(server, { market, address }) };
}

/** The open item of a move that has just waited too long. */
async function openItem(wallet: string, move: object): Promise<WalletItem> {
  const no = await reportMove(server, wallet, move);
  await judgeAfter(server, 31);
  admin = await login(server);
  return findItem(no);
}
async function findItem(no: string): Promise<WalletItem> {
  const [item] = await itemsOf(server, admin, no);
  if (!item) throw new Error(`no item of ${no}`);
  return item;
}

const explain = <T = WalletItem>(input: Partial<WalletExplain> & { id: number }, token = admin, key?: string) =>
  call<T>(
    server,
    'POST',
    'wallet/item/explain',
    { own: true, reason: '自有资金', ...input },
    { token, ...(key !== undefined && { key }) },
  );

const balancesOf = async (market: string): Promise<string[]> =>
  Promise.all(['custody', 'capital'].map((owner) => fetchHouseBalance(server, owner, market)));

const deposit = { kind: 'deposit', amount: '40' };
const outflow = { kind: 'move', amount: '-15', address: stranger };

describe('an explanation as own money', () => {
  test('posts what came in and what went out, with the hash, and is audited', async () => {
    const { market, wallet } = await makeCoin();
    const came = await openItem(wallet, deposit);
    expect(await explain({ id: came.id, reason: '注资' })).toMatchObject({
      code: 200,
      data: { id: came.id, state: 3, own: true, reason: '注资', by: 'admin', secondBy: null, excess: '0' },
    });
    expect(await balancesOf(market)).toEqual(['-40', '40']);
    const went = await openItem(wallet, outflow);
    expect((await explain({ id: went.id })).code).toBe(200);
    expect(await balancesOf(market)).toEqual(['-25', '25']);
    const posted =
      await server.query(sql`select tx_hash as "txHash", reason, operator_id as operator from house_transfer
      where market_id = ${came.marketId} order by id`);
    expect(posted).toEqual([
      { txHash: came.txHash, reason: '注资', operator: 1 },
      { txHash: went.txHash, reason: '自有资金', operator: 1 },
    ]);
    const audited = await server.query(sql`select before, after, reason from audit
      where action = 'walletItem.explain' and target_id = ${came.id} and result = 200`);
    expect(audited).toMatchObject([
      { before: { state: 0 }, after: { state: 3, own: true, amount: '40', marketName: market }, reason: '注资' },
    ]);
    expect(await checkBook(server.owner)).toEqual([]);
  });

  test('never overdraws the own capital', async () => {
    const { market, wallet } = await makeCoin();
    const went = await openItem(wallet, outflow);
    expect(await explain({ id: went.id })).toMatchObject({ code: 409, msg: `自有资金余额不足，现有 0 ${market}` });
    expect(await balancesOf(market)).toEqual(['0', '0']);
    expect(await findItem(went.move?.no ?? '')).toMatchObject({ state: 0 });
  });

  test('posts what differs only', async () => {
    const { market, wallet, address } = await makeCoin();
    const record = await creditRecharge(server, { market, address, amount: '7' });
    const no = await reportMove(server, wallet, { kind: 'deposit', amount: '7.25', record });
    await judgeDue(server);
    const { id } = await findItem(no);
    expect(await explain({ id })).toMatchObject({ code: 200, data: { state: 3, excess: '0' } });
    expect(await balancesOf(market)).toEqual(['-7.25', '0.25']);
  });

  test('gives a record without a move back to custody', async () => {
    const { market } = await makeCoin();
    const txHash = unique('0x');
    const unnamed = await creditRecharge(server, { market, address: stranger, amount: '3' });
    const no = await creditRecharge(server, { market, address: stranger, amount: '3', txHash });
    await judgeAfter(server, 31);
    const { id } = await findItem(no);
    // The wallet lacks it, so the owner pays.
    expect(await explain({ id })).toMatchObject({ code: 409 });
    const paid = { from: 'custody', to: 'capital', amount: '10', txHash: '0x1', reason: '注资' };
    const [row] = await server.query(sql<{ id: number }>`select id from market where market_name = ${market}`);
    await setPolicy(server, 'house.transfer', 0);
    await call(server, 'POST', 'house/transfer', { marketId: row?.id, ...paid }, { token: admin });
    expect((await explain({ id })).code).toBe(200);
    expect(await balancesOf(market)).toEqual(['-13', '7']);
    // Custody never changes without a hash.
    expect(await explain({ id: (await findItem(unnamed)).id })).toMatchObject({ code: 422, data: [{ field: 'own' }] });
  });

  test('is refused where there is nothing to post', async () => {
    const { market, wallet, address } = await makeCoin();
    const record = await creditRecharge(server, { market, address, amount: '7', txHash: unique('0x') });
    const no = await reportMove(server, wallet, { kind: 'deposit', amount: '7', record });
    await judgeDue(server);
    const { id, differs } = await findItem(no);
    expect(differs).toEqual(['txHash']);
    expect(await explain({ id })).toMatchObject({ code: 422, data: [{ field: 'own' }] });
    expect(await explain({ id, own: false })).toMatchObject({ code: 200, data: { state: 3 } });
    expect(await balancesOf(market)).toEqual(['-7', '0']);
  });

  test('is refused for a move and a record of two coins', async () => {
    const [one, two] = [await makeCoin(), await makeCoin()];
    const record = await creditRecharge(server, { market: one.market, address: one.address, amount: '7' });
    const no = await reportMove(server, two.wallet, { kind: 'deposit', amount: '7', record });
    await judgeDue(server);
    const { id, differs, excess } = await findItem(no);
    expect([differs, excess]).toEqual([['market', 'account'], '7']);
    expect(await explain({ id })).toMatchObject({ code: 422, data: [{ field: 'own' }] });
  });
});

describe('an explanation', () => {
  test('that is not of own money posts nothing, and its move waits for no record', async () => {
    const { market, wallet, address } = await makeCoin();
    const item = await openItem(wallet, deposit);
    expect(await explain({ id: item.id, own: false, reason: '稍后补报' })).toMatchObject({
      code: 200,
      data: { state: 3, own: false, excess: '40' },
    });
    expect(await balancesOf(market)).toEqual(['0', '0']);
    const no = await creditRecharge(server, { market, address, amount: '40' });
    await judgeAfter(server, 31);
    admin = await login(server);
    expect(await findItem(no)).toMatchObject({ why: 'noMove', state: 0, excess: '-40' });
  });

  test('is given once, also by two at once and with a repeated key', async () => {
    const { market, wallet } = await makeCoin();
    const { id } = await openItem(wallet, deposit);
    const key = unique('key');
    const lock = (tx: Parameters<Parameters<typeof runWhileLocked>[1]>[0]) =>
      sql`select 1 from wallet_item where id = ${id} for update`.execute(tx);
    const both = await runWhileLocked(
      server,
      lock,
      () => explain({ id }, admin, key),
      () => explain({ id, own: false }),
    );
    expect(both.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const before = await balancesOf(market);
    expect((await explain({ id })).code).toBe(409);
    if (both[0]?.code === 200) expect((await explain({ id }, admin, key)).data).toEqual(both[0].data);
    expect(await balancesOf(market)).toEqual(before);
  });

  test('is refused for what is matched, and for what does not exist', async () => {
    const { market, wallet, address } = await makeCoin();
    const { id } = await openItem(wallet, deposit);
    await creditRecharge(server, { market, address, amount: '40' });
    await judgeDue(server);
    expect(await explain({ id })).toMatchObject({ code: 409, data: { state: 1 } });
    expect(await explain({ id: 999_999 })).toMatchObject({ code: 404 });
  });

  test('needs the ability and full scope', async () => {
    const { wallet } = await makeCoin();
    const { id } = await openItem(wallet, deposit);
    const reader = await makeOperator(server, admin, { abilities: [ABILITY.audit, ABILITY.headquarters] });
    expect((await explain({ id }, reader.token)).code).toBe(403);
    const agent = await makeOperator(server, admin, { abilities: [ABILITY.assets] });
    expect((await explain({ id }, agent.token)).code).toBe(403);
    expect(
      (await fetchData<{ list: object[] }>(server, reader.token, 'wallet/item/list', {})).list.length,
    ).toBeGreaterThan(0);
  });

  test('needs a second person above the bound, who sees both sides and what is posted', async () => {
    await setPolicy(server, 'walletItem.explain', 2, '1000');
    checker.token = await login(server, checker.account, 'operator-password');
    const { market, wallet } = await makeCoin();
    // A coin without a price needs one, whatever the amount.
    const item = await openItem(wallet, deposit);
    checker.token = await login(server, checker.account, 'operator-password');
    const request = await explain<ApprovalRow>({ id: item.id });
    expect(request).toMatchObject({ code: 202, data: { type: 'walletItem.explain', targetId: item.id } });
    expect((await explain({ id: item.id })).code).toBe(409);
    const detail = await fetchData<ApprovalDetail>(server, checker.token, 'approval/detail', { id: request.data.id });
    for (const text of [item.move?.no, item.txHash, '有链上无记录', '账外数量'])
      expect(JSON.stringify(detail)).toContain(text);
    expect(detail.lines).toMatchObject([
      { owner: '托管', amount: '-40', balance: '-40' },
      { owner: '自有资金', amount: '40', balance: '40' },
    ]);
    expect((await call(server, 'POST', 'approval/pass', { id: request.data.id }, { token: admin })).code).toBe(403);
    const passed = await call(server, 'POST', 'approval/pass', { id: request.data.id }, { token: checker.token });
    expect(passed.code).toBe(200);
    expect(await findItem(item.move?.no ?? '')).toMatchObject({ state: 3, by: 'admin', secondBy: checker.account });
    expect(await balancesOf(market)).toEqual(['-40', '40']);
  });

  test('that was asked for fails if the item was closed meanwhile', async () => {
    await setPolicy(server, 'walletItem.explain', 1);
    const { market, wallet, address } = await makeCoin();
    const item = await openItem(wallet, deposit);
    checker.token = await login(server, checker.account, 'operator-password');
    const request = await explain<ApprovalRow>({ id: item.id });
    await creditRecharge(server, { market, address, amount: '40' });
    await judgeDue(server);
    const passed = await call(server, 'POST', 'approval/pass', { id: request.data.id }, { token: checker.token });
    expect(passed).toMatchObject({ code: 409 });
    expect(await balancesOf(market)).toEqual(['-40', '0']);
  });
});

describe('a revert', () => {
  test('of an explained move opens its item again, and what was posted is taken back by an explanation', async () => {
    const { market, wallet } = await makeCoin();
    const { id, move } = await openItem(wallet, deposit);
    await explain({ id });
    await apply(server, { type: 'chain.reverted', data: { no: move?.no ?? '' } });
    expect(await findItem(move?.no ?? '')).toMatchObject({ id, state: 0, excess: '-40' });
    expect(await explain({ id, reason: '链上回滚' })).toMatchObject({ code: 200, data: { state: 3, excess: '0' } });
    expect(await balancesOf(market)).toEqual(['0', '0']);
    expect(await checkBook(server.owner)).toEqual([]);
  });

  test('of a move that was explained without a posting leaves nothing to post', async () => {
    const { wallet } = await makeCoin();
    const { id, move } = await openItem(wallet, deposit);
    await explain({ id, own: false });
    await apply(server, { type: 'chain.reverted', data: { no: move?.no ?? '' } });
    expect(await findItem(move?.no ?? '')).toMatchObject({ state: 0, excess: '0' });
    expect((await explain({ id })).code).toBe(422);
    expect((await explain({ id, own: false })).code).toBe(200);
  });
});

test('a record that was explained and finds its move later must be explained again', async () => {
  const { market, wallet, address } = await makeCoin();
  const txHash = unique('0x');
  const no = await creditRecharge(server, { market, address, amount: '40', txHash });
  await judgeAfter(server, 31);
  admin = await login(server);
  const capital = await openItem(wallet, { ...deposit, amount: '100' });
  await explain({ id: capital.id });
  const { id } = await findItem(no);
  await explain({ id });
  expect(await balancesOf(market)).toEqual(['-100', '60']);
  await reportMove(server, wallet, { kind: 'deposit', amount: '40', record: no, txHash });
  await judgeDue(server);
  expect((await itemsOf(server, admin, no)).filter(({ kind }) => kind === 'record')).toMatchObject([
    { id, state: 0, excess: '40' },
  ]);
  expect((await explain({ id })).code).toBe(200);
  expect(await balancesOf(market)).toEqual(['-140', '100']);
});
