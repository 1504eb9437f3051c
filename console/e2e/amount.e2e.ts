import { randomInt, randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import * as fc from 'fast-check';
import { sum } from '../src/ui/decimal.ts';
import { admin, expect, logIn, sight, test } from './desk.ts';
import { type Listed, listed, loaded, rows, table } from './desk-list.ts';
import { report } from './desk-platform.ts';
import { type ListPage, listPages } from './list-pages.ts';

/** Up to 18 decimals, from the least amount there is to more than a double can tell apart; as it goes over the wire. */
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
  recharged: string[];
  withdrawn: { amount: string; fee: string; received: string }[];
  moved: string[];
}

const fractionOf = (amount = '0.1') => `0.${amount.split('.')[1] ?? '1'}`;

/** A user whose every amount was drawn by lot and is told by the platform, which is where the truth comes from. */
async function told(seed: number): Promise<Told> {
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
  return { account, recharged, withdrawn, moved };
}

/**
 * What is behind each amount on hover, which must be all of it; what stands there in sight must be the same or, marked as
 * cut or only a rough valuation, its beginning.
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
    // What is nearer to nothing than the last digit in sight is said to be so.
    if (/^[<>]/.test(seen)) expect([full, seen]).toEqual([full, `${full.startsWith('-') ? '>-' : '<'}0.00000001…`]);
    else expect(full.slice(0, seen.replace('…', '').length)).toBe(seen.replace('…', ''));
    if (!rough && !seen.endsWith('…')) expect(seen).toBe(full);
    return full;
  });
}

/** Every amount in every row of a list, as its heading names it. */
async function shownIn(page: Page, { call }: ListPage): Promise<Record<string, string>[]> {
  const heads = (await table(page).locator('thead th').allInnerTexts()).map((head) => head.trim());
  const columns = (call.list.columns ?? []).filter(({ kind }) => kind === 'amount');
  const found = rows(page);
  const all: Record<string, string>[] = Array.from({ length: await found.count() }, () => ({}));
  for (const { field, title } of columns) {
    const at = heads.indexOf(title);
    expect([title, at]).not.toEqual([title, -1]);
    const amounts = await exact(found.locator(`td:nth-child(${at + 1}) .ht-money`), field === 'valuation');
    expect(amounts).toHaveLength(all.length);
    for (const [index, row] of all.entries()) row[field] = amounts[index] ?? '';
  }
  return all;
}

/** Lists of trading, which this user takes no part in. */
const TRADING = ['/trade/order', '/ieo/review', '/ieo/history'];

const withAmounts = listPages().lists.filter(
  ({ call, path }) =>
    !TRADING.includes(path) &&
    call.list.filters.some(({ field }) => field === 'account') &&
    call.list.columns?.some(({ kind }) => kind === 'amount'),
);

const sorted = (all: readonly string[]) => [...all].toSorted();

test('every amount on every screen is what the platform told, to the last digit', async ({ page }) => {
  const seed = randomInt(2 ** 31 - 1);
  test.info().annotations.push({ type: 'seed', description: String(seed) });
  const { account, recharged, withdrawn, moved } = await told(seed);
  const shown = new Map<string, Record<string, string>[]>();
  await logIn(page, admin);
  for (const list of withAmounts) {
    await page.goto(`${list.path}?account=${account}&size=200&sort=id`);
    await loaded(page);
    const { list: truth, summary }: Listed = await listed(page, list.call.path, { account, size: 200, sort: 'id' });
    const drawn = await shownIn(page, list);
    for (const [index, found] of drawn.entries()) expect([seed, truth[index]]).toMatchObject([seed, found]);
    expect(drawn).toHaveLength(truth.length);
    for (const { field } of list.call.list.sums?.map((one) => ({ field: one })) ?? []) {
      const total = sight(page).locator(`[data-coin="USDT"] [data-sum="${field}"] .ht-money`);
      expect([field, await exact(total)]).toEqual([field, [sum(drawn.map((row) => row[field] ?? '0'))]]);
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
    .locator('.ht-reader')
    .getByRole('region', { name: '资金账户', exact: true })
    .locator('tbody .ht-money');
  await expect(fund.first()).toBeVisible();
  const assets = (await exact(fund, true)).slice(0, 3);
  expect([seed, assets]).toEqual([seed, [left, frozen, sum([left, frozen])]]);

  const [last] = (await listed(page, 'withdraw/list', { account, sort: 'id' })).list;
  await page.goto(`/withdraw?account=${account}&open=${last?.id}`);
  const cockpit = page.locator('.ht-reader');
  await expect(cockpit.locator('.ht-money').first()).toBeVisible();
  const { amount = '', fee = '', received = '' } = withdrawn[0] ?? {};
  expect([seed, await exact(cockpit.locator('.ht-money:not(.ht-faint)'), true)]).toEqual([
    seed,
    expect.arrayContaining([amount, fee, received]),
  ]);
});
