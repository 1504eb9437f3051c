import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';
import { useKeys } from '../browser/keys.ts';

interface Keyed {
  id: number;
}

export type RowKeys<Row> = Readonly<Record<string, (row: Row, go: (id: number) => void) => void>>;

interface Options<Row> {
  rows: readonly Row[];
  /** Id of the open record; the cursor follows it. */
  openId: number | undefined;
  onOpen: ((row: Row) => void) | undefined;
  onToggle: ((row: Row) => void) | undefined;
  /** Additional keys that act on the row at the cursor; `go` moves the cursor. */
  rowKeys?: RowKeys<Row> | undefined;
  /** Element around the table. */
  box: RefObject<HTMLElement | null>;
  /** Scrolls a virtual table to a row. */
  reveal: (index: number) => void;
}

/** Keyboard cursor of a table: J/K or arrows move it, Enter opens the row, X selects it. */
export function useRowCursor<Row extends Keyed>(options: Options<Row>) {
  const { rows, openId, onOpen, onToggle, rowKeys, box, reveal } = options;
  const [ownCurrent, setCurrent] = useState<number>();
  const current = openId ?? ownCurrent;

  // The mark is set on the DOM, so that moving it does not re-render a table of 200 rows. React keeps attributes it
  // does not manage.
  useLayoutEffect(() => markCurrent(box.current, current));
  // The body scrolls in both directions, so it must be focusable even if no row is.
  useLayoutEffect(() => box.current?.querySelector('.ant-table-body')?.setAttribute('tabindex', '0'));
  // The measuring row of the kit repeats the headers including the checkbox; it must not be focusable.
  useLayoutEffect(() => box.current?.querySelector('.ant-table-measure-row')?.setAttribute('inert', ''));
  useEffect(() => {
    if (current === undefined || !box.current) return;
    const index = rows.findIndex(({ id }) => id === current);
    if (index >= 0 && !scrollTo(box.current, current)) reveal(index);
    // Only moving the cursor scrolls; new rows do not.
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

  const customBindings = Object.entries(rowKeys ?? {}).map(([key, act]) => [
    key,
    onCurrent((row) => act(row, setCurrent)),
  ]);
  useKeys({
    ...Object.fromEntries(customBindings),
    j: () => move(1),
    ArrowDown: () => move(1),
    k: () => move(-1),
    ArrowUp: () => move(-1),
    Enter: onCurrent(onOpen),
    ...(onToggle && { x: onCurrent(onToggle) }),
  });
  /** Sets the mark again after scrolling, when a virtual table has rendered other rows. */
  const restoreMark = () => requestAnimationFrame(() => markCurrent(box.current, current));
  return { current, setCurrent, restoreMark };
}

function markCurrent(box: HTMLElement | null, current: number | undefined) {
  for (const row of box?.querySelectorAll('[data-row-key][aria-current]') ?? []) {
    if (row.getAttribute('data-row-key') !== String(current)) row.removeAttribute('aria-current');
  }
  if (current !== undefined) rowOf(box, current)?.setAttribute('aria-current', 'true');
}

const rowOf = (box: HTMLElement | null, id: number) => box?.querySelector(`[data-row-key="${id}"]`);

/** Scrolls the table body just far enough to show the row; false if the row is not rendered (virtual table). */
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
