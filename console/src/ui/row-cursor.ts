import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';
import { useKeys } from './keys.ts';

interface Keyed {
  id: number;
}

export type RowKeys<Row> = Readonly<Record<string, (row: Row, go: (id: number) => void) => void>>;

interface Options<Row> {
  rows: readonly Row[];
  /** The row that is open in the drawer; the cursor stands on it. */
  openId: number | undefined;
  onOpen: ((row: Row) => void) | undefined;
  onToggle: ((row: Row) => void) | undefined;
  onHelp: () => void;
  /** Further keys, with the row that the cursor stands on; `go` takes the cursor to another row. */
  rowKeys?: RowKeys<Row> | undefined;
  /** Around the table. */
  box: RefObject<HTMLElement | null>;
  /** Brings a row into a virtual table. */
  reveal: (index: number) => void;
}

/** The row that the keyboard stands on: J/K or arrows move it, Enter opens it, X chooses it. */
export function useRowCursor<Row extends Keyed>(options: Options<Row>) {
  const { rows, openId, onOpen, onToggle, onHelp, rowKeys, box, reveal } = options;
  const [kept, setCurrent] = useState<number>();
  const current = openId ?? kept;

  // Drawn by hand: a table of 200 rows is not rendered again for one moved mark. A row keeps foreign attributes.
  useLayoutEffect(() => mark(box.current, current));
  // The body scrolls both ways, which the keyboard must be able to do also where no row can take the focus.
  useLayoutEffect(() => box.current?.querySelector('.ant-table-body')?.setAttribute('tabindex', '0'));
  // The row that the kit measures columns with repeats their heads, the checkbox included; nobody should get into it.
  useLayoutEffect(() => box.current?.querySelector('.ant-table-measure-row')?.setAttribute('inert', ''));
  useEffect(() => {
    if (current === undefined || !box.current) return;
    const index = rows.findIndex(({ id }) => id === current);
    if (index >= 0 && !scrollTo(box.current, current)) reveal(index);
    // Only a moved cursor scrolls; fresh rows leave the scroll where it is.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [current]);

  function move(step: number) {
    const index = rows.findIndex(({ id }) => id === current);
    const next =
      rows[index < 0 ? (step > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, index + step))];
    if (!next || next.id === current) return;
    setCurrent(next.id);
    if (openId !== undefined) onOpen?.(next);
  }
  const onCurrent = (act: ((row: Row) => void) | undefined) => () => {
    const row = rows.find(({ id }) => id === current);
    if (row) act?.(row);
  };

  const further = Object.entries(rowKeys ?? {}).map(([key, act]) => [key, onCurrent((row) => act(row, setCurrent))]);
  useKeys({
    ...Object.fromEntries(further),
    j: () => move(1),
    ArrowDown: () => move(1),
    k: () => move(-1),
    ArrowUp: () => move(-1),
    Enter: onCurrent(onOpen),
    ...(onToggle && { x: onCurrent(onToggle) }),
    '?': onHelp,
  });
  /** Rows of a virtual table are drawn after it was scrolled. */
  const remark = () => requestAnimationFrame(() => mark(box.current, current));
  return { current, setCurrent, remark };
}

function mark(box: HTMLElement | null, current: number | undefined) {
  for (const row of box?.querySelectorAll('[data-row-key][aria-current]') ?? []) {
    if (row.getAttribute('data-row-key') !== String(current)) row.removeAttribute('aria-current');
  }
  if (current !== undefined) rowOf(box, current)?.setAttribute('aria-current', 'true');
}

const rowOf = (box: HTMLElement | null, id: number) => box?.querySelector(`[data-row-key="${id}"]`);

/** Scrolls the body of the table just so far that the row is in sight; false where the table has to do it itself. */
function scrollTo(box: HTMLElement, id: number): boolean {
  const row = rowOf(box, id);
  const body = row?.closest('.ant-table-body');
  if (!row || !body) return false;
  const [r, b] = [row.getBoundingClientRect(), body.getBoundingClientRect()];
  const foot = body.clientHeight;
  if (r.top < b.top) body.scrollTop += r.top - b.top;
  else if (r.bottom > b.top + foot) body.scrollTop += r.bottom - b.top - foot;
  return true;
}
