import { randomInt, randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import * as fc from 'fast-check';
import { sum } from '../src/ui/decimal.ts';
import { admin, expect, logIn, activePage, test } from './desk.ts';
import { type Listed, elsewhere, listed, loaded, rows, table } from './desk-list.ts';
import { report } from './desk-platform.ts';
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

const wire = { market: 'USDT', network: 'TRC20', address: 'T-amounts' };

interface Told {
  account: string;
  /** The users who own the subscriptions and the spot orders below. */
  subscriber: string;
  trader: string;
  leveraged: string;
  player: string;
  follower: string;
  subscribed: { amount: string; waits: boolean }[];
  traded: { amount: string; filled: string; turnover: string; fee: string }[];
  recharged: string[];
  withdrawn: { amount: string; fee: string; received: string }[];
  moved: string[];
}

const fractionOf = (amount = '0.1') => `0.${amount.split('.')[1] ?? '1'}`;

/** A fee below 0.1 that keeps the fraction digits of the amount. */
const feeOf = (amount = '0.1') => `0.0${(amount.split('.')[1] ?? '1').slice(0, 17).replace(/0+$/, '') || '1'}`;

/** Reports subscriptions at 1 USDT per token and spot purchases at 100 USDT per coin. */
async function toldOfTrading(account: string, drawn: readonly string[]) {
  const [subscriber, trader] = [`${account}.ieo`, `${account}.spot`];
  const subscribed = drawn.slice(0, 6).map((amount, index) => ({ amount, waits: index < 3 }));
  const traded = drawn.slice(6, 9).map((some, index) => {
    const filled = ['0.25', '0.3', '0.5'][index] ?? '1';
    return { amount: '1', filled, turnover: ['25', '30', '50'][index] ?? '100', fee: feeOf(some) };
  });
  const orders = subscribed.map((one) => ({ ...one, no: randomUUID() }));
  const bought = traded.map((one) => ({ ...one, no: randomUUID() }));
  const credit = { ...wire, confirmations: 20, source: 1 };
  const move = { account: trader, toAccount: trader, market: 'USDT', platform: 1, toPlatform: 2, amount: '1000' };
  await report(
    { type: 'user.registered', data: { account: subscriber } },
    { type: 'user.registered', data: { account: trader } },
    ...subscribed.map(({ amount }) => ({
      type: 'recharge.credited',
      data: { ...credit, no: randomUUID(), account: subscriber, amount },
    })),
    { type: 'recharge.credited', data: { ...credit, no: randomUUID(), account: trader, amount: '1000' } },
    { type: 'transfer.made', data: { ...move, no: randomUUID() } },
    ...orders.map(({ no, amount }) => ({
      type: 'ieo.ordered',
      data: { no, account: subscriber, market: 'HTT', price: '1', amount },
    })),
    ...orders.filter(({ waits }) => !waits).map(({ no }) => ({ type: 'ieo.cancelled', data: { no } })),
    ...bought.map(({ no, amount }) => ({
      type: 'order.placed',
      data: { no, account: trader, market: 'BTC', side: 1, type: 1, price: '100', amount },
    })),
    ...bought.map(({ no, filled, fee }) => ({
      type: 'order.filled',
      data: { no, tradeNo: randomUUID(), price: '100', amount: filled, fee },
    })),
  );
  return { subscriber, trader, subscribed, traded };
}

/** Creates a market without simulated prices, so that figures do not change while they are compared. */
async function stillMarket(page: Page): Promise<{ id: number; market: string }> {
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
  const { data } = await elsewhere(page, admin, 'POST', 'market/save', settings);
  return { id: (data as { id: number }).id, market };
}

const tick = (market: string, price: string) => ({
  type: 'tick',
  data: { market, price, volume: '1', at: Date.now() },
});

/** Reports positions in every state, running and ended binary contracts, and follow orders, each for its own user. */
async function toldOfContracts(page: Page, account: string, drawn: readonly string[]) {
  const [leveraged, player, follower] = [`${account}.fut`, `${account}.sec`, `${account}.fol`];
  const { id: marketId, market } = await stillMarket(page);
  const terms = { title: 'amounts', marketId, side: 1, leverage: 5, price: '100', ratio: '10', state: 1 };
  const limits = {
    minAmount: '0.000000000000000001',
    maxAmount: '100000',
    startAt: Date.now() - 1_000,
    endAt: Date.now() + 3_600_000,
  };
  const second = { marketId, seconds: 1, payoutRate: '80.5', minAmount: '1', maxAmount: '0', sort: 1, state: 1 };
  expect((await elsewhere(page, admin, 'POST', 'second/config/save', second)).code).toBe(200);
  const signal = await elsewhere(page, admin, 'POST', 'signal/add', { ...terms, ...limits });
  const { no: signalNo } = signal.data as { no: string };
  const fund = (who: string, toPlatform: number) => [
    { type: 'user.registered', data: { account: who } },
    {
      type: 'recharge.credited',
      data: { ...wire, no: randomUUID(), account: who, amount: '90000', confirmations: 20, source: 1 },
    },
    {
      type: 'transfer.made',
      data: {
        no: randomUUID(),
        account: who,
        toAccount: who,
        market: 'USDT',
        platform: 1,
        toPlatform,
        amount: '80000',
      },
    },
  ];
  const positions = drawn
    .slice(0, 5)
    .map((some) => ({ no: randomUUID(), margin: sum(['10', fractionOf(some)]), fee: feeOf(some) }));
  const asked = { account: leveraged, market, demo: 0, side: 1, type: 1, leverage: 10, price: '100', amount: '1.5' };
  await report(
    tick(market, '100'),
    ...fund(leveraged, 3),
    ...fund(player, 4),
    ...fund(follower, 3),
    ...positions.map(({ no, margin }) => ({ type: 'position.placed', data: { no, margin, ...asked } })),
    ...positions.slice(2).map(({ no, fee }) => ({ type: 'position.opened', data: { no, price: '99.9', fee } })),
    ...positions.slice(3).map(({ no, fee }, index) => ({
      type: 'position.closed',
      data: { no, closeNo: randomUUID(), amount: index === 0 ? '1.5' : '0.7', price: '101.23', fee, closeType: 1 },
    })),
    ...drawn.slice(5, 10).map((some, index) => ({
      type: 'second.opened',
      data: {
        no: randomUUID(),
        account: player,
        market,
        side: 1,
        seconds: index < 2 ? 1 : 300,
        amount: sum(['10', fractionOf(some).slice(0, 8)]),
      },
    })),
    ...drawn.slice(10, 13).map((some) => ({
      type: 'follow.opened',
      data: { no: randomUUID(), account: follower, signal: signalNo, amount: fractionOf(some) },
    })),
  );
  // The contracts of one second settle with the first tick after their end.
  await expect(async () => {
    await report(tick(market, '100.0001'));
    const ended = await listed(page, 'second/contract/list', { account: player, running: 0 });
    expect(ended.list).toHaveLength(2);
  }).toPass({ timeout: 20_000 });
  return { leveraged, player, follower };
}

/** Reports random amounts as the platform; the returned amounts are what the screens must show. */
async function told(page: Page, seed: number): Promise<Told> {
  const account = `amount.${randomUUID().slice(0, 13)}`;
  const friend = `${account}.friend`;
  const drawn = fc.sample(amounts, { seed, numRuns: 20 });
  const recharged = [...drawn.slice(0, 14), '900719925474.099300000000000001'];
  const moved = drawn.slice(0, 4);
  const withdrawn = drawn.slice(14, 18).map((some, index) => {
    const [fee, received] = [fractionOf(some), sum(['10', fractionOf(drawn[index + 4])])];
    return { amount: sum([received, fee]), fee, received };
  });
  await report(
    { type: 'user.registered', data: { account } },
    { type: 'user.registered', data: { account: friend } },
    ...recharged.map((amount) => ({
      type: 'recharge.credited',
      data: { ...wire, no: randomUUID(), account, amount, confirmations: 20, source: 1 },
    })),
    ...withdrawn.map(({ amount, fee }) => ({
      type: 'withdraw.requested',
      data: { ...wire, no: randomUUID(), account, amount, fee },
    })),
    ...moved.map((amount) => ({
      type: 'transfer.made',
      data: { no: randomUUID(), account, toAccount: friend, market: 'USDT', platform: 1, toPlatform: 1, amount },
    })),
  );
  return {
    account,
    recharged,
    withdrawn,
    moved,
    ...(await toldOfTrading(account, drawn)),
    ...(await toldOfContracts(page, account, drawn)),
  };
}

/**
 * Returns the full amounts from the `title` attributes. The visible text must equal the full amount, or be its
 * beginning where it is marked as cut or `rough` allows a rounded value.
 */
async function exact(money: Locator, rough = false): Promise<string[]> {
  const read = await money.evaluateAll((all) =>
    all.map((one) =>
      [(one as HTMLElement).title, (one as HTMLElement).innerText].map((text) => text.replaceAll(',', '')),
    ),
  );
  return read.map(([title = '', text = '']) => {
    const full = title.replace(/ USDT$/, '');
    const seen = text.replace(/ USDT$/, '').replace(/^\+/, '');
    // Amounts below the last visible digit are shown as less than that digit.
    if (/^[<>]/.test(seen)) expect([full, seen]).toEqual([full, `${full.startsWith('-') ? '>-' : '<'}0.00000001…`]);
    else expect(full.slice(0, seen.replace('…', '').length)).toBe(seen.replace('…', ''));
    if (!rough && !seen.endsWith('…')) expect(seen).toBe(full);
    return full;
  });
}

/** Fields derived from a price: the table shows them with fewer digits than they have. */
const ROUGH = new Set(
  `valuation notional held margin released unrealized realized roe marginRatio funding openPrice markPrice
  liquidationPrice closePrice takeProfit stopLoss insured profit payout`.split(/\s+/),
);

/** Reads every amount of every row of the list by the field of its column; `null` for a cell without an amount. */
async function shownIn(page: Page, { call, within }: ListPage): Promise<Record<string, string | null>[]> {
  const heads = (await table(page).locator('thead th').allInnerTexts()).map((head) => head.trim());
  const columns = (call.list.columns ?? []).filter(({ kind }) => kind === 'amount');
  const found = rows(page);
  const all: Record<string, string | null>[] = Array.from({ length: await found.count() }, () => ({}));
  for (const { field, title } of columns) {
    const at = heads.indexOf(title);
    // Pages that show a subset of a list omit the columns that have no meaning there.
    if (at === -1 && within) continue;
    expect([title, at]).not.toEqual([title, -1]);
    const cells = found.locator(`td:nth-child(${at + 1})`);
    const filled = await cells.evaluateAll((every) =>
      every.map((one) => (one as HTMLElement).innerText.trim() !== '--'),
    );
    const amounts = await exact(cells.locator('.ht-money').filter({ hasNotText: '--' }), ROUGH.has(field));
    expect(filled).toHaveLength(all.length);
    // A cell without an amount shows `--`.
    for (const [index, row] of all.entries()) row[field] = filled[index] ? (amounts.shift() ?? '') : null;
    expect(amounts).toEqual([]);
  }
  return all;
}

/** Every list with amounts, except alarms and commands: this test causes none of either. */
const withAmounts = listPages().lists.filter(
  ({ path, call }) =>
    path !== '/alarm' &&
    path !== '/command' &&
    call.list.filters.some(({ field }) => field === 'account') &&
    call.list.columns?.some(({ kind }) => kind === 'amount'),
);

/** The amount of a field from the API row, for columns that the page omits. */
const amountIn = (row: object | undefined, field: string): string => {
  const value: unknown = Object.entries(row ?? {}).find(([name]) => name === field)?.[1];
  return typeof value === 'string' ? value : '0';
};

const sorted = (all: readonly string[]) => [...all].toSorted();

test('every amount on every screen equals the amount from the platform, to the last digit', async ({ page }) => {
  // The test visits every list with amounts.
  test.setTimeout(180_000);
  const seed = randomInt(2 ** 31 - 1);
  test.info().annotations.push({ type: 'seed', description: String(seed) });
  const { account, recharged, withdrawn, moved, subscriber, trader, leveraged, player, follower, subscribed, traded } =
    await told(page, seed);
  const whose: Readonly<Record<string, string>> = {
    '/ieo/review': subscriber,
    '/ieo/history': subscriber,
    '/trade/order': trader,
    '/future/wait': leveraged,
    '/future/open': leveraged,
    '/future/open_history': leveraged,
    '/future/close_history': leveraged,
    '/second/open': player,
    '/second/close': player,
    '/follow': follower,
  };
  const shown = new Map<string, Record<string, string | null>[]>();
  await logIn(page, admin);
  for (const list of withAmounts) {
    const asked = { account: whose[list.path] ?? account, size: 200, sort: 'id' };
    await page.goto(`${list.path}?account=${asked.account}&size=200&sort=id`);
    await loaded(page);
    const { list: truth, summary }: Listed = await listed(page, list.call.path, { ...asked, ...list.within });
    const drawn = await shownIn(page, list);
    for (const [index, found] of drawn.entries()) expect([seed, truth[index]]).toMatchObject([seed, found]);
    expect(drawn).toHaveLength(truth.length);
    for (const { field } of list.call.list.sums?.map((one) => ({ field: one })) ?? []) {
      const total = activePage(page).locator(
        `[data-coin="${summary?.[0]?.marketName}"] [data-sum="${field}"] .ht-money`,
      );
      // Pages that show a subset of a list omit the sums that have no meaning there.
      if (Object.keys(list.within).length > 0 && (await total.count()) === 0) continue;
      // All orders are purchases, so their fees are charged in the coin.
      const rowField = field === 'feeCoin' ? 'fee' : field;
      expect([field, await exact(total)]).toEqual([
        field,
        [sum(drawn.map((row, index) => row[rowField] ?? amountIn(truth[index], rowField)))],
      ]);
    }
    expect(summary?.length ?? 1).toBeLessThan(2);
    shown.set(list.path, drawn);
  }
  const of = (path: string, field: string) => sorted((shown.get(path) ?? []).map((row) => row[field] ?? ''));
  expect([seed, of('/recharge', 'amount')]).toEqual([seed, sorted(recharged)]);
  expect([seed, of('/internalTransfer', 'amount')]).toEqual([seed, sorted(moved)]);
  for (const field of ['amount', 'fee', 'received'] as const) {
    expect([seed, field, of('/withdraw', field)]).toEqual([seed, field, sorted(withdrawn.map((one) => one[field]))]);
  }
  for (const field of ['amount', 'pay']) {
    const waiting = (waits: boolean) =>
      sorted(subscribed.filter((one) => one.waits === waits).map(({ amount }) => amount));
    expect([seed, field, of('/ieo/review', field)]).toEqual([seed, field, waiting(true)]);
    expect([seed, field, of('/ieo/history', field)]).toEqual([seed, field, waiting(false)]);
  }
  for (const field of ['amount', 'filled', 'turnover', 'fee'] as const) {
    expect([seed, field, of('/trade/order', field)]).toEqual([seed, field, sorted(traded.map((one) => one[field]))]);
  }
  const frozen = sum(withdrawn.map(({ amount }) => amount));
  const gone = sum(moved.map((amount) => `-${amount}`));
  const left = sum([...recharged, gone, `-${frozen}`]);
  expect([seed, of('/fund/record', 'amount')]).toEqual([
    seed,
    sorted([
      ...recharged,
      ...withdrawn.flatMap(({ amount }) => [amount, `-${amount}`]),
      ...moved.map((amount) => `-${amount}`),
    ]),
  ]);
  expect(of('/fund/record', 'balance')).toContain(left);

  const [holder] = (await listed(page, 'user/list', { account })).list;
  await page.goto(`/user?account=${account}&open=${holder?.id}&tab=assets`);
  const fund = page
    .locator('.ht-page-drawer')
    .getByRole('region', { name: '资金账户', exact: true })
    .locator('tbody .ht-money');
  await expect(fund.first()).toBeVisible();
  const assets = (await exact(fund, true)).slice(0, 3);
  expect([seed, assets]).toEqual([seed, [left, frozen, sum([left, frozen])]]);

  const [last] = (await listed(page, 'withdraw/list', { account, sort: 'id' })).list;
  await page.goto(`/withdraw?account=${account}&open=${last?.id}`);
  const cockpit = page.locator('.ht-page-drawer');
  await expect(cockpit.locator('.ht-money').first()).toBeVisible();
  const { amount = '', fee = '', received = '' } = withdrawn[0] ?? {};
  expect([seed, await exact(cockpit.locator('.ht-money:not(.ht-faint)'), true)]).toEqual([
    seed,
    expect.arrayContaining([amount, fee, received]),
  ]);
});
