import type { Page } from '@playwright/test';
import { table } from './desk-list.ts';

/** Window size and the lowest place of the first row in pixels, and the rows of an automatic page. */
export const WINDOWS = [
  { width: 1200, height: 800, lowestFirstRow: 240, rows: 9 },
  { width: 1440, height: 900, lowestFirstRow: 210, rows: 12 },
] as const;

/** Height of a row of two lines, in pixels. */
const ROW_HEIGHT = 48;

/** Pages with figures or charts above the list. */
const WITH_FIGURES_ABOVE = ['/report', '/second/open'];
/** A tree shows what is expanded, however long. */
const TREE = '/agent';

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
  table(page).evaluate((box, rowHeight) => {
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
      all(
        '.ht-value-money, .ht-value-state, .ht-value-risk, .ht-value-risk-more, .ht-value-time, .ht-records-account',
        row,
      )
        .filter((element) => {
          const rectangle = element.getBoundingClientRect();
          const line = element.closest('.ht-table-second');
          const cell = element.closest('td');
          return (
            (element.matches('.ht-value-money') && element.innerText.includes('…')) ||
            element.scrollWidth > element.clientWidth + 1 ||
            [line, cell, cell?.closest('tr')].some(
              (outer) => outer && !isWithin(rectangle, outer.getBoundingClientRect()),
            )
          );
        })
        .map((element) => `${element.closest('td')?.dataset['col']}: ${element.innerText}`),
    );
    const wrapped = all('tbody .ht-records-account')
      .filter((account) => account.getClientRects().length > 1)
      .map(({ innerText }) => `two lines: ${innerText}`);
    const tall = bodyRows
      .filter((row) => row.getBoundingClientRect().height > rowHeight + 1)
      .map(({ innerText }) => `too high: ${innerText.replaceAll(/\s+/g, ' ')}`);
    const strips = [...(box.closest('.ht-table-list')?.querySelectorAll('.ht-table-totals-coins') ?? [])];
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
      cut: [...new Set([...cut, ...wrapped, ...cutTotals, ...tall])],
    };
  }, ROW_HEIGHT);

/** Measures what ends at an edge: headings at their column, the last row at the foot, and cards above the list. */
const measureEdges = (page: Page): Promise<Pick<Layout, 'rowsBelow' | 'room' | 'cut'>> =>
  table(page).evaluate((box, rowHeight) => {
    const all = (selector: string, parent: ParentNode = box) => [...parent.querySelectorAll<HTMLElement>(selector)];
    const [body = box] = all('.ant-table-body, .ant-table-content');
    const top = body.getBoundingClientRect().top;
    const foot = top + body.clientHeight;
    const rectangles = all('.ant-table-row[data-row-key]').map((row) => row.getBoundingClientRect());
    // A unit may be left out of a heading, the end of its name may not. Fractions of a pixel are enough for an ellipsis.
    const cutHeads = all('thead .ht-table-heads > *')
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
    const cutCards = all('.ht-binary-contract-card:not([inert])', box.closest('.ht-page') ?? box)
      .filter(
        (card) => card.getBoundingClientRect().right > (card.parentElement?.getBoundingClientRect().right ?? 0) + 1,
      )
      .map((card) => `card: ${card.innerText.split('\n')[0]}`);
    return {
      room: Math.floor((box.getBoundingClientRect().bottom - top) / rowHeight),
      rowsBelow: rectangles.filter((row) => row.top >= foot - 1).length,
      cut: [...new Set([...cutHeads, ...cutRows, ...cutCards])],
    };
  }, ROW_HEIGHT);

async function measure(page: Page): Promise<Layout> {
  const [texts, edges] = [await measureTexts(page), await measureEdges(page)];
  return { ...texts, ...edges, cut: [...texts.cut, ...edges.cut] };
}

/** What is wrong with the layout of the visible list of a page in this window, in words. */
export async function findLayoutFaults(
  page: Page,
  path: string,
  { lowestFirstRow, rows: leastRoom }: (typeof WINDOWS)[number],
): Promise<string[]> {
  const { overflow, firstRow, rowHeights, rowsBelow, room, cut } = await measure(page);
  const isList = !WITH_FIGURES_ABOVE.includes(path);
  return [
    ...(overflow > 0 ? [`${overflow} px beyond the box`] : []),
    ...(rowHeights.length > 1 ? [`row heights ${rowHeights.join()}`] : []),
    ...(isList && firstRow !== null && firstRow > lowestFirstRow ? [`first row at ${firstRow}`] : []),
    ...(isList && room < leastRoom ? [`room for ${room} rows only`] : []),
    ...(rowsBelow > 0 && path !== TREE ? [`${rowsBelow} rows below the foot`] : []),
    ...cut,
  ];
}

/** Tables of the open drawer that are wider than their box, and amounts and times that reach beyond it. */
export const findCutInDrawer = (page: Page): Promise<string[]> =>
  page.locator('.ht-dialog-drawer .ant-drawer-body').evaluate((body) => {
    const wide = [...body.querySelectorAll('.ht-table-mini-box')].filter((box) => box.scrollWidth > box.clientWidth);
    const beyond = [...body.querySelectorAll('.ht-value-money, .ht-value-time')].filter((value) => {
      const column = value.closest('.ht-records-case-left, .ht-records-case-right') ?? body;
      return value.getBoundingClientRect().right > column.getBoundingClientRect().right + 1;
    });
    return [
      ...wide.map((box) => `${box.getAttribute('aria-label')}`),
      ...beyond.map((value) => value.textContent ?? ''),
    ];
  });
