import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { admin, expect, logIn, test } from './desk.ts';
import { callAs, rows, table } from './desk-list.ts';
import { sendEvents } from './desk-platform.ts';
import { isListResponse, navigateInApp, waitForList } from './list-helpers.ts';
import { type ListPage, listPages } from './list-pages.ts';

/** Window size and the lowest place of the first row in pixels, and the rows of an automatic page. */
const WINDOWS = [
  { width: 1200, height: 800, lowestFirstRow: 240, rows: 9 },
  { width: 1440, height: 900, lowestFirstRow: 210, rows: 12 },
] as const;

/** Pages with figures or charts above the list. */
const WITH_FIGURES_ABOVE = ['/report', '/second/open'];
/** A tree shows what is expanded, however long. */
const TREE = '/agent';

const LONGEST_ACCOUNT = 64;
const AMOUNT = '1234567.123456789012345678';

const longAccount = (prefix: string): string => `${prefix}.${randomUUID()}${randomUUID()}`.slice(0, LONGEST_ACCOUNT);

interface Extremes {
  account: string;
  agent: string;
}

/** A user with the longest account, below an agent with the longest account, with amounts of 18 decimals everywhere. */
async function seedExtremes(page: Page): Promise<Extremes> {
  const agent = longAccount('agent');
  const input = { account: agent, password: 'first-password-1', parentAccount: '', remark: '备注'.repeat(30) };
  expect((await callAs(page, admin, 'POST', 'agent/add', input)).code).toBe(200);
  const account = longAccount('user');
  const sharer = longAccount('sharer');
  const wallet = { market: 'USDT', network: 'TRC20', address: `T${randomUUID()}` };
  const credit = (to: string, amount: string) => ({
    type: 'recharge.credited',
    data: { no: randomUUID(), account: to, ...wallet, amount, confirmations: 20, source: 1 },
  });
  const withdrawal = (from: string, amount: string) => ({
    type: 'withdraw.requested',
    data: { no: randomUUID(), account: from, ...wallet, amount, fee: '0.123456789012345678' },
  });
  const transfer = (toPlatform: number, amount: string) => ({
    type: 'transfer.made',
    data: { no: randomUUID(), account, toAccount: account, market: 'USDT', platform: 1, toPlatform, amount },
  });
  const [orderNo, positionNo] = [randomUUID(), randomUUID()];
  const position = { account, market: 'BTC', demo: 0, side: 1, type: 1, leverage: 10, price: '1000' };
  await sendEvents(
    { type: 'user.registered', data: { account, agent } },
    { type: 'user.registered', data: { account: sharer } },
    credit(account, '99999999.123456789012345678'),
    credit(sharer, '10'),
    transfer(2, '9876543.123456789012345678'),
    transfer(3, '9876543.123456789012345678'),
    withdrawal(sharer, '1'),
    withdrawal(account, AMOUNT),
    {
      type: 'order.placed',
      data: {
        no: orderNo,
        account,
        market: 'BTC',
        side: 1,
        type: 1,
        price: '98765',
        amount: '12.3456',
      },
    },
    {
      type: 'order.filled',
      data: { no: orderNo, tradeNo: randomUUID(), price: '98765', amount: '1.2345', fee: '0.123456789012345678' },
    },
    { type: 'position.placed', data: { ...position, no: positionNo, amount: '0.1', margin: '10' } },
    { type: 'position.opened', data: { no: positionNo, price: '1000', fee: '0.1' } },
    {
      type: 'position.placed',
      data: { ...position, no: randomUUID(), amount: '10.1234567', margin: '1012.34567' },
    },
  );
  return { account, agent };
}

interface Layout {
  /** Width of the table beyond its box, in pixels. */
  overflow: number;
  firstRow: number | null;
  rowHeights: number[];
  /** Rows that are reached by scrolling only, and rows for which the table has room. */
  rowsBelow: number;
  room: number;
  /**
   * Texts of amounts, states, risks, times and accounts that reach beyond their cell, their line or the window, headings
   * that lose the end of their name, rows that the foot cuts, cards that
   * their line cuts, and accounts of two lines.
   */
  cut: string[];
}

/** Measures the texts and the size of the visible list. */
const measureTexts = (page: Page): Promise<Omit<Layout, 'rowsBelow' | 'room'>> =>
  table(page).evaluate((box) => {
    const all = (selector: string, parent: ParentNode = box) => [...parent.querySelectorAll<HTMLElement>(selector)];
    const [body = box] = all('.ant-table-body, .ant-table-content');
    const bodyRows = all('.ant-table-row[data-row-key]');
    const isWithin = (part: DOMRect, whole: DOMRect) =>
      part.left >= whole.left - 1 &&
      part.right <= whole.right + 1 &&
      // The box of a text is a few pixels higher than its line.
      part.top >= whole.top - 3 &&
      part.bottom <= whole.bottom + 3;
    const cut = bodyRows.flatMap((row) =>
      all('.ht-money, .ht-state, .ht-risk, .ht-risk-more, .ht-time, .ht-account', row)
        .filter((element) => {
          const rectangle = element.getBoundingClientRect();
          const line = element.closest('.ht-second');
          const cell = element.closest('td');
          return (
            element.scrollWidth > element.clientWidth + 1 ||
            [line, cell, cell?.closest('tr')].some(
              (outer) => outer && !isWithin(rectangle, outer.getBoundingClientRect()),
            )
          );
        })
        .map((element) => `${element.closest('td')?.dataset['col']}: ${element.innerText}`),
    );
    const wrapped = all('tbody .ht-account')
      .filter((account) => account.getClientRects().length > 1)
      .map(({ innerText }) => `two lines: ${innerText}`);
    const strips = [...(box.closest('.ht-list')?.querySelectorAll('.ht-totals-coins') ?? [])];
    const cutTotals = strips.flatMap((strip) =>
      all('dt, dd', strip)
        .filter((part) => {
          const [inner, outer] = [part.getBoundingClientRect(), strip.getBoundingClientRect()];
          return inner.top < outer.bottom - 1 && inner.right > outer.right + 1;
        })
        .map((part) => `合计: ${part.innerText}`),
    );
    return {
      overflow: Math.max(0, body.scrollWidth - body.clientWidth),
      firstRow: bodyRows[0]?.getBoundingClientRect().top ?? null,
      rowHeights: [...new Set(bodyRows.map((row) => Math.round(row.getBoundingClientRect().height)))],
      cut: [...new Set([...cut, ...wrapped, ...cutTotals])],
    };
  });

/** Measures what ends at an edge: headings at their column, the last row at the foot, and cards above the list. */
const measureEdges = (page: Page): Promise<Pick<Layout, 'rowsBelow' | 'room' | 'cut'>> =>
  table(page).evaluate((box) => {
    const all = (selector: string, parent: ParentNode = box) => [...parent.querySelectorAll<HTMLElement>(selector)];
    const [body = box] = all('.ant-table-body, .ant-table-content');
    const top = body.getBoundingClientRect().top;
    const foot = top + body.clientHeight;
    const rectangles = all('.ant-table-row[data-row-key]').map((row) => row.getBoundingClientRect());
    // A unit may be left out of a heading, the end of its name may not. Fractions of a pixel are enough for an ellipsis.
    const cutHeads = all('thead .ht-heads > *')
      .filter((heading) => {
        const range = document.createRange();
        range.selectNodeContents(heading);
        const [firstLine] = range.getClientRects();
        return firstLine && firstLine.right > heading.getBoundingClientRect().right + 0.1;
      })
      .map(({ innerText }) => `heading: ${innerText}`);
    // Nothing scrolls at first, so the last row that begins above the foot also ends there.
    const cutRows = rectangles
      .filter(({ top, bottom }) => top < foot - 1 && bottom > foot + 1)
      .map(({ bottom }) => `last row is cut by ${Math.round(bottom - foot)} px`);
    const cutCards = all('.se-card:not([inert])', box.closest('.ht-page') ?? box)
      .filter(
        (card) => card.getBoundingClientRect().right > (card.parentElement?.getBoundingClientRect().right ?? 0) + 1,
      )
      .map((card) => `card: ${card.innerText.split('\n')[0]}`);
    return {
      room: Math.floor((box.getBoundingClientRect().bottom - top) / 48),
      rowsBelow: rectangles.filter((row) => row.top >= foot - 1).length,
      cut: [...new Set([...cutHeads, ...cutRows, ...cutCards])],
    };
  });

async function measure(page: Page): Promise<Layout> {
  const [texts, edges] = [await measureTexts(page), await measureEdges(page)];
  return { ...texts, ...edges, cut: [...texts.cut, ...edges.cut] };
}

interface Limits {
  isTree: boolean;
  /** The others are those of a page without figures above its list. */
  lowestFirstRow?: number;
  leastRoom?: number;
}

/** What is wrong with a layout, in words. */
const faultsOf = (layout: Layout, { isTree, lowestFirstRow, leastRoom }: Limits): string[] => {
  const { overflow, firstRow, rowHeights, rowsBelow, room, cut } = layout;
  return [
    ...(overflow > 0 ? [`${overflow} px beyond the box`] : []),
    ...(rowHeights.length > 1 ? [`row heights ${rowHeights.join()}`] : []),
    ...(firstRow !== null && lowestFirstRow !== undefined && firstRow > lowestFirstRow
      ? [`first row at ${firstRow}`]
      : []),
    ...(leastRoom !== undefined && room < leastRoom ? [`room for ${room} rows only`] : []),
    ...(rowsBelow > 0 && !isTree ? [`${rowsBelow} rows below the foot`] : []),
    ...cut,
  ];
};

/** Tables of the open drawer that are wider than their box, and amounts and times that reach beyond it. */
const findCutInDrawer = (page: Page): Promise<string[]> =>
  page.locator('.ht-page-drawer .ant-drawer-body').evaluate((body) => {
    const wide = [...body.querySelectorAll('.ht-mini-box')].filter((box) => box.scrollWidth > box.clientWidth);
    const beyond = [...body.querySelectorAll('.ht-money, .ht-time')].filter((value) => {
      const column = value.closest('.ht-case-left, .ht-case-right') ?? body;
      return value.getBoundingClientRect().right > column.getBoundingClientRect().right + 1;
    });
    return [
      ...wide.map((box) => `${box.getAttribute('aria-label')}`),
      ...beyond.map((value) => value.textContent ?? ''),
    ];
  });

/** The list filtered to the user with the extremes, or its agent; undefined if it has no such filter. */
function searchFor({ call, path }: ListPage, { account, agent }: Extremes): Record<string, string> | undefined {
  if (path === '/agent') return { account: agent };
  return call.list.filters.some(({ field }) => field === 'account') ? { account } : undefined;
}

test('no list cuts an amount, state, risk, time or account, and its rows begin in one band', async ({ page }) => {
  // All lists in two windows: long only on a machine that does much else.
  test.setTimeout(420_000);
  await logIn(page, admin);
  const extremes = await seedExtremes(page);
  const withExtremes: string[] = [];
  for (const list of listPages().lists) {
    const { path } = list;
    for (const search of [{}, searchFor(list, extremes)]) {
      if (!search) continue;
      // The smaller window decides the page size. Until its response the list shows the rows of the address before.
      await page.setViewportSize(WINDOWS[0]);
      await Promise.all([page.waitForResponse(isListResponse(list)), navigateInApp(page, path, search)]);
      for (const { width, height, lowestFirstRow, rows: leastRoom } of WINDOWS) {
        await page.setViewportSize({ width, height });
        await waitForList(page);
        const place = `${path} ${JSON.stringify(search)} ${width}`;
        // New rows and totals, and the layout of the kit after a resize, take some frames. Only what stays is a fault.
        const limits = {
          isTree: path === TREE,
          ...(!WITH_FIGURES_ABOVE.includes(path) && { lowestFirstRow, leastRoom }),
        };
        await expect
          .configure({ soft: true, timeout: 8_000 })
          .poll(async () => faultsOf(await measure(page), limits), place)
          .toEqual([]);
        const hasRow = (await rows(page).count()) > 0;
        if (hasRow && Object.keys(search).length > 0) withExtremes.push(path);
      }
    }
  }
  const required = [
    '/withdraw',
    '/recharge',
    '/user',
    '/agent',
    '/fund/record',
    '/internalTransfer',
    '/trade/order',
    '/future/open',
  ];
  expect(withExtremes).toEqual(expect.arrayContaining(required));
  await navigateInApp(page, '/withdraw', { account: extremes.account });
  await waitForList(page);
  await expect(rows(page).locator('[data-col=risk]').first()).toContainText(/\+\d/);
  await rows(page).first().getByRole('button', { name: '详情' }).click();
  const drawer = page.locator('.ht-page-drawer');
  await expect(drawer.getByRole('list', { name: '净入金' })).toBeVisible();
  for (const { width, height } of WINDOWS) {
    await page.setViewportSize({ width, height });
    await expect
      .configure({ soft: true, timeout: 8_000 })
      .poll(() => findCutInDrawer(page), `${width}`)
      .toEqual([]);
  }
});
