import { randomInt, randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import * as fc from 'fast-check';
import { sum } from '../src/ui/value/decimal.ts';
import { admin, expect, logIn, activePage, test } from './desk.ts';
import { type ListData, callAs, fetchList, waitForRows, rows, table } from './desk-list.ts';
import { sendEvents } from './desk-platform.ts';
import { navigateInApp } from './list-helpers.ts';
import { type ListPage, listPages } from './list-pages.ts';

/** Amounts as decimal strings with up to 18 decimals, from the smallest unit to more digits than a double can hold. */
const amounts = fc
  .tuple(
    fc.oneof(fc.constant(0n), fc.bigInt(1n, 99n), fc.bigInt(10n ** 9n, 10n ** 11n)),
    fc.bigInt(1n, 10n ** 18n - 1n),
    fc.integer({ min: 0, max: 17 }),
  )
  .map(([whole, units, zeros]) => {
    const fraction = (units / 10n ** BigInt(zeros) || 1n).toString().padStart(18, '0');
    return sum([`${whole}.${fraction}`]);
  });

const wallet = { market: 'USDT', network: 'TRC20', address: 'T-amounts' };

interface PlatformData {
  account: string;
  /** The users who own the subscriptions and the spot orders below. */
  subscriber: string;
  trader: string;
  futuresUser: string;
  contractUser: string;
  follower: string;
  subscriptions: { amount: string; isPending: boolean }[];
  spotOrders: { amount: string; filled: string; turnover: string; fee: string }[];
  recharges: string[];
  withdrawals: { amount: string; fee: string; received: string }[];
  transfers: string[];
}

const fractionOf = (amount = '0.1') => `0.${amount.split('.')[1] ?? '1'}`;

/** A fee below 0.1 that keeps the fraction digits of the amount. */
const feeOf = (amount = '0.1') => `0.0${(amount.split('.')[1] ?? '1').slice(0, 17).replace(/0+$/, '') || '1'}`;

/** Reports subscriptions at 1 USDT per token and spot purchases at 100 USDT per coin. */
async function sendTradingEvents(account: string, samples: readonly string[]) {
  const [subscriber, trader] = [`${account}.ieo`, `${account}.spot`];
  const subscriptions = samples.slice(0, 6).map((amount, index) => ({ amount, isPending: index < 3 }));
  const spotOrders = samples.slice(6, 9).map((sample, index) => {
    const filled = ['0.25', '0.3', '0.5'][index] ?? '1';
    return { amount: '1', filled, turnover: ['25', '30', '50'][index] ?? '100', fee: feeOf(sample) };
  });
  const subscriptionOrders = subscriptions.map((one) => ({ ...one, no: randomUUID() }));
  const purchases = spotOrders.map((one) => ({ ...one, no: randomUUID() }));
  const deposit = { ...wallet, confirmations: 20, source: 1 };
  const transfer = { account: trader, toAccount: trader, market: 'USDT', platform: 1, toPlatform: 2, amount: '1000' };
  await sendEvents(
    { type: 'user.registered', data: { account: subscriber } },
    { type: 'user.registered', data: { account: trader } },
    ...subscriptions.map(({ amount }) => ({
      type: 'recharge.credited',
      data: { ...deposit, no: randomUUID(), account: subscriber, amount },
    })),
    { type: 'recharge.credited', data: { ...deposit, no: randomUUID(), account: trader, amount: '1000' } },
    { type: 'transfer.made', data: { ...transfer, no: randomUUID() } },
    ...subscriptionOrders.map(({ no, amount }) => ({
      type: 'ieo.ordered',
      data: { no, account: subscriber, market: 'HTT', price: '1', amount },
    })),
    ...subscriptionOrders
      .filter(({ isPending }) => !isPending)
      .map(({ no }) => ({ type: 'ieo.cancelled', data: { no } })),
    ...purchases.map(({ no, amount }) => ({
      type: 'order.placed',
      data: { no, account: trader, market: 'BTC', side: 1, type: 1, price: '100', amount },
    })),
    ...purchases.map(({ no, filled, fee }) => ({
      type: 'order.filled',
      data: { no, tradeNo: randomUUID(), price: '100', amount: filled, fee },
    })),
  );
  return { subscriber, trader, subscriptions, spotOrders };
}

/** Creates a market without simulated prices, so that figures do not change while they are compared. */
async function createMarketWithoutPrices(page: Page): Promise<{ id: number; market: string }> {
  const market = `AM${randomInt(2 ** 31 - 1)}`;
  const limits = { minAmount: '0', maxAmount: '0', withdrawFee: '0', withdrawMin: '0', withdrawMax: '0' };
  const settings = {
    marketName: market,
    icon: '',
    spot: 1,
    future: 1,
    second: 1,
    ieo: 0,
    pricePrecision: 4,
    amountPrecision: 8,
    ...limits,
    makerFee: '0',
    takerFee: '0',
    maxLeverage: 100,
    maintenanceRate: '0.005',
    rechargeState: 1,
    withdrawState: 1,
    networks: [],
    sort: 900,
    state: 1,
  };
  const { data } = await callAs(page, admin, 'POST', 'market/save', settings);
  return { id: (data as { id: number }).id, market };
}

const tick = (market: string, price: string) => ({
  type: 'tick',
  data: { market, price, volume: '1', at: Date.now() },
});

/** Reports positions in every state, running and ended binary contracts, and follow orders, each for its own user. */
async function sendContractEvents(page: Page, account: string, samples: readonly string[]) {
  const [futuresUser, contractUser, follower] = [`${account}.fut`, `${account}.sec`, `${account}.fol`];
  const { id: marketId, market } = await createMarketWithoutPrices(page);
  const terms = { title: 'amounts', marketId, side: 1, leverage: 5, price: '100', ratio: '10', state: 1 };
  const limits = {
    minAmount: '0.000000000000000001',
    maxAmount: '100000',
    startAt: Date.now() - 1_000,
    endAt: Date.now() + 3_600_000,
  };
  const binaryContract = {
    marketId,
    seconds: 1,
    payoutRate: '80.5',
    minAmount: '1',
    maxAmount: '0',
    sort: 1,
    state: 1,
  };
  expect((await callAs(page, admin, 'POST', 'second/config/save', binaryContract)).code).toBe(200);
  const signal = await callAs(page, admin, 'POST', 'signal/add', { ...terms, ...limits });
  const { no: signalNo } = signal.data as { no: string };
  const createFundedUser = (owner: string, toPlatform: number) => [
    { type: 'user.registered', data: { account: owner } },
    {
      type: 'recharge.credited',
      data: { ...wallet, no: randomUUID(), account: owner, amount: '90000', confirmations: 20, source: 1 },
    },
    {
      type: 'transfer.made',
      data: {
        no: randomUUID(),
        account: owner,
        toAccount: owner,
        market: 'USDT',
        platform: 1,
        toPlatform,
        amount: '80000',
      },
    },
  ];
  const positions = samples
    .slice(0, 5)
    .map((sample) => ({ no: randomUUID(), margin: sum(['10', fractionOf(sample)]), fee: feeOf(sample) }));
  const order = { account: futuresUser, market, demo: 0, side: 1, type: 1, leverage: 10, price: '100', amount: '1.5' };
  await sendEvents(
    tick(market, '100'),
    ...createFundedUser(futuresUser, 3),
    ...createFundedUser(contractUser, 4),
    ...createFundedUser(follower, 3),
    ...positions.map(({ no, margin }) => ({ type: 'position.placed', data: { no, margin, ...order } })),
    ...positions.slice(2).map(({ no, fee }) => ({ type: 'position.opened', data: { no, price: '99.9', fee } })),
    ...positions.slice(3).map(({ no, fee }, index) => ({
      type: 'position.closed',
      data: { no, closeNo: randomUUID(), amount: index === 0 ? '1.5' : '0.7', price: '101.23', fee, closeType: 1 },
    })),
    ...samples.slice(5, 10).map((sample, index) => ({
      type: 'second.opened',
      data: {
        no: randomUUID(),
        account: contractUser,
        market,
        side: 1,
        seconds: index < 2 ? 1 : 300,
        amount: sum(['10', fractionOf(sample).slice(0, 8)]),
      },
    })),
    ...samples.slice(10, 13).map((sample) => ({
      type: 'follow.opened',
      data: { no: randomUUID(), account: follower, signal: signalNo, amount: fractionOf(sample) },
    })),
  );
  // The contracts of one second settle with the first tick after their end.
  await expect(async () => {
    await sendEvents(tick(market, '100.0001'));
    const settled = await fetchList(page, 'second/contract/list', { account: contractUser, running: 0 });
    expect(settled.list).toHaveLength(2);
  }).toPass({ timeout: 20_000 });
  return { futuresUser, contractUser, follower };
}

/** Reports random amounts as the platform; the returned amounts are what the screens must show. */
async function sendPlatformData(page: Page, seed: number): Promise<PlatformData> {
  const account = `amount.${randomUUID().slice(0, 13)}`;
  const friend = `${account}.friend`;
  const samples = fc.sample(amounts, { seed, numRuns: 20 });
  const recharges = [...samples.slice(0, 14), '900719925474.099300000000000001'];
  const transfers = samples.slice(0, 4);
  const withdrawals = samples.slice(14, 18).map((sample, index) => {
    const [fee, received] = [fractionOf(sample), sum(['10', fractionOf(samples[index + 4])])];
    return { amount: sum([received, fee]), fee, received };
  });
  await sendEvents(
    { type: 'user.registered', data: { account } },
    { type: 'user.registered', data: { account: friend } },
    ...recharges.map((amount) => ({
      type: 'recharge.credited',
      data: { ...wallet, no: randomUUID(), account, amount, confirmations: 20, source: 1 },
    })),
    ...withdrawals.map(({ amount, fee }) => ({
      type: 'withdraw.requested',
      data: { ...wallet, no: randomUUID(), account, amount, fee },
    })),
    ...transfers.map((amount) => ({
      type: 'transfer.made',
      data: { no: randomUUID(), account, toAccount: friend, market: 'USDT', platform: 1, toPlatform: 1, amount },
    })),
  );
  return {
    account,
    recharges,
    withdrawals,
    transfers,
    ...(await sendTradingEvents(account, samples)),
    ...(await sendContractEvents(page, account, samples)),
  };
}

/**
 * Returns the full amounts from the `title` attributes. The visible text must equal the full amount, or be its
 * beginning where `isRounded` allows fewer digits.
 */
async function readFullAmounts(money: Locator, isRounded = false): Promise<string[]> {
  const texts = await money.evaluateAll((all) =>
    all.map((one) =>
      [(one as HTMLElement).title, (one as HTMLElement).innerText].map((text) => text.replaceAll(',', '')),
    ),
  );
  return texts.map(([title = '', text = '']) => {
    const full = title.replace(/ [A-Z]+$/, '');
    const visible = text.replace(/ [A-Z]+$/, '').replace(/^\+/, '');
    // Amounts below the last visible digit are shown as less than that digit.
    if (!isRounded) expect(visible).toBe(full);
    else if (!/^[<>]/.test(visible)) expect(full.slice(0, visible.length)).toBe(visible);
    return full;
  });
}

/** Fields derived from a price: the table shows them with fewer digits than they have. */
const ROUNDED_FIELDS = new Set(
  `valuation notional held margin released unrealized realized roe marginRatio funding openPrice markPrice
  liquidationPrice closePrice takeProfit stopLoss insured profit payout`.split(/\s+/),
);

/** The amounts of a row by field; `null` for a cell without an amount. */
type AmountRow = Record<string, string | null>;

/** Reads every amount of every row of the list by the field of its column. */
async function readAmounts(page: Page, { call, fixedParams }: ListPage): Promise<AmountRow[]> {
  // The first line of a heading names its column, the second those shown in the same cells.
  const headings = (await table(page).locator('thead th').allInnerTexts()).map((head) => head.trim().split('\n')[0]);
  const columns = (call.list.columns ?? []).filter(({ kind }) => kind === 'amount');
  const bodyRows = rows(page);
  const amountRows: AmountRow[] = Array.from({ length: await bodyRows.count() }, () => ({}));
  for (const { field, title } of columns) {
    const column = headings.indexOf(title);
    // Pages that show a subset of a list omit the columns that have no meaning there.
    if (column === -1 && Object.keys(fixedParams).length > 0) continue;
    expect([title, column]).not.toEqual([title, -1]);
    const cells = bodyRows.locator(`td:nth-child(${column + 1})`);
    const hasAmount = await cells.evaluateAll((every) =>
      every.map((one) => one.querySelector('.ht-value-money')?.textContent !== '--'),
    );
    const amounts = await readFullAmounts(
      cells.locator('.ht-value-money').filter({ hasNotText: '--' }),
      ROUNDED_FIELDS.has(field),
    );
    expect(hasAmount).toHaveLength(amountRows.length);
    // A cell without an amount shows `--`.
    for (const [index, row] of amountRows.entries()) row[field] = hasAmount[index] ? (amounts.shift() ?? '') : null;
    expect(amounts).toEqual([]);
  }
  return amountRows;
}

/** Every list with amounts, except alarms and commands: this test causes none of either. */
const amountLists = listPages().lists.filter(
  ({ path, call }) =>
    path !== '/alarm' &&
    path !== '/command' &&
    call.list.filters.some(({ field }) => field === 'account') &&
    call.list.columns?.some(({ kind }) => kind === 'amount'),
);

/**
 * Gives every amount a column of its own, also those that are by default in a second line or in the drawer. The answer
 * with the preferences is changed, because parallel tests delete those of the admin.
 */
async function showAllAmounts(page: Page) {
  const items = amountLists.map(({ call, preferenceKey }) => {
    const amountColumns = (call.list.columns ?? []).filter(({ kind }) => kind === 'amount');
    const hidden = Object.fromEntries(amountColumns.map(({ field }) => [field, false]));
    return { key: `list.${preferenceKey}.columns`, value: { hidden } };
  });
  await page.route('**/preference/list', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { data: { items: object[] } };
    answer.data.items.push(...items);
    await route.fulfill({ response, json: answer });
  });
}

/** The amount of a field from the API row, for columns that the page omits; zero if the row has none. */
const amountIn = (row: object | undefined, field: string): string => {
  const value: unknown = Object.entries(row ?? {}).find(([name]) => name === field)?.[1];
  return typeof value === 'string' ? value : '0';
};

const sorted = (all: readonly string[]) => [...all].toSorted();

/**
 * Opens the list of one account and expects every amount in its rows and totals to equal the response of the API.
 * Returns the amounts of the rows.
 */
async function expectListAmounts(page: Page, list: ListPage, account: string, message: string): Promise<AmountRow[]> {
  const { path, call, fixedParams } = list;
  // Other accounts of the test contain this one.
  const params = { account: `=${account}`, size: '200', sort: 'id' };
  let apiRows: ListData['list'] = [];
  let summary: ListData['summary'];
  let visibleRows: AmountRow[] = [];
  // A valuation changes whenever a price does.
  await navigateInApp(page, path, params);
  await expect(async () => {
    await activePage(page).getByRole('button', { name: '刷新', exact: true }).click();
    await waitForRows(page);
    ({ list: apiRows, summary } = await fetchList(page, call.path, { ...params, ...fixedParams }));
    visibleRows = await readAmounts(page, list);
    for (const [index, row] of visibleRows.entries()) expect(apiRows[index], message).toMatchObject(row);
  }).toPass({ timeout: 20_000 });
  expect(visibleRows).toHaveLength(apiRows.length);
  for (const field of call.list.sums ?? []) {
    const totals = activePage(page).getByRole('region', { name: '合计' });
    const total = totals.locator(`[data-coin="${summary?.[0]?.marketName}"] [data-sum="${field}"] .ht-value-money`);
    // Pages that show a subset of a list omit the sums that have no meaning there.
    if (Object.keys(fixedParams).length > 0 && (await total.count()) === 0) continue;
    // All orders are purchases, so their fees are charged in the coin.
    const rowField = field === 'feeCoin' ? 'fee' : field;
    const amounts = visibleRows.map((row, index) => row[rowField] ?? amountIn(apiRows[index], rowField));
    expect(await readFullAmounts(total), field).toEqual([sum(amounts)]);
  }
  expect(summary?.length ?? 1).toBeLessThan(2);
  return visibleRows;
}

test('every amount on every screen equals the amount from the platform, to the last digit', async ({ page }) => {
  // The test visits every list with amounts.
  const seed = randomInt(2 ** 31 - 1);
  const message = `seed ${seed}`;
  test.info().annotations.push({ type: 'seed', description: String(seed) });
  const {
    account,
    recharges,
    withdrawals,
    transfers,
    subscriber,
    trader,
    futuresUser,
    contractUser,
    follower,
    subscriptions,
    spotOrders,
  } = await sendPlatformData(page, seed);
  const accountByPath: Readonly<Record<string, string>> = {
    '/ieo/review': subscriber,
    '/ieo/history': subscriber,
    '/trade/order': trader,
    '/trade/fill': trader,
    '/future/wait': futuresUser,
    '/future/open': futuresUser,
    '/future/open_history': futuresUser,
    '/future/close_history': futuresUser,
    '/second/open': contractUser,
    '/second/close': contractUser,
    '/follow': follower,
  };
  await showAllAmounts(page);
  await logIn(page, admin);
  const visibleByPath = new Map<string, AmountRow[]>();
  for (const list of amountLists) {
    const rowsOfList = await expectListAmounts(page, list, accountByPath[list.path] ?? account, message);
    visibleByPath.set(list.path, rowsOfList);
  }

  const visibleAmounts = (path: string, field: string) =>
    sorted((visibleByPath.get(path) ?? []).map((row) => row[field] ?? ''));
  expect(visibleAmounts('/recharge', 'amount'), message).toEqual(sorted(recharges));
  expect(visibleAmounts('/internalTransfer', 'amount'), message).toEqual(sorted(transfers));
  for (const field of ['amount', 'fee', 'received'] as const) {
    expect(visibleAmounts('/withdraw', field), `${field}, ${message}`).toEqual(
      sorted(withdrawals.map((one) => one[field])),
    );
  }
  for (const field of ['amount', 'pay']) {
    const amountsWhere = (isPending: boolean) =>
      sorted(subscriptions.filter((one) => one.isPending === isPending).map(({ amount }) => amount));
    expect(visibleAmounts('/ieo/review', field), `${field}, ${message}`).toEqual(amountsWhere(true));
    expect(visibleAmounts('/ieo/history', field), `${field}, ${message}`).toEqual(amountsWhere(false));
  }
  for (const field of ['amount', 'filled', 'turnover', 'fee'] as const) {
    expect(visibleAmounts('/trade/order', field), `${field}, ${message}`).toEqual(
      sorted(spotOrders.map((one) => one[field])),
    );
  }
  const frozen = sum(withdrawals.map(({ amount }) => amount));
  const transferredOut = sum(transfers.map((amount) => `-${amount}`));
  const available = sum([...recharges, transferredOut, `-${frozen}`]);
  expect(visibleAmounts('/fund/record', 'amount'), message).toEqual(
    sorted([
      ...recharges,
      ...withdrawals.flatMap(({ amount }) => [amount, `-${amount}`]),
      ...transfers.map((amount) => `-${amount}`),
    ]),
  );
  expect(visibleAmounts('/fund/record', 'balance')).toContain(available);

  const [user] = (await fetchList(page, 'user/list', { account })).list;
  await page.goto(`/user?account=${account}&open=${user?.id}&tab=assets`);
  const fundAmounts = page
    .locator('.ht-dialog-drawer')
    .getByRole('region', { name: '资金账户', exact: true })
    .locator('tbody .ht-value-money');
  await expect(fundAmounts.first()).toBeVisible();
  const assets = (await readFullAmounts(fundAmounts, true)).slice(0, 3);
  expect(assets, message).toEqual([available, frozen, sum([available, frozen])]);

  const [withdrawal] = (await fetchList(page, 'withdraw/list', { account, sort: 'id' })).list;
  await page.goto(`/withdraw?account=${account}&open=${withdrawal?.id}`);
  const reviewDrawer = page.locator('.ht-dialog-drawer');
  await expect(reviewDrawer.locator('.ht-value-money').first()).toBeVisible();
  const { amount = '', fee = '', received = '' } = withdrawals[0] ?? {};
  expect(await readFullAmounts(reviewDrawer.locator('.ht-value-money:not(.ht-value-faint)'), true), message).toEqual(
    expect.arrayContaining([amount, fee, received]),
  );
});
