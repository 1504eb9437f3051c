import { replaceEqualDeep } from '@tanstack/react-query';

interface Answer<Row> {
  list: Row[];
}

/**
 * Structural sharing by row key: unchanged rows keep their identity wherever they moved, so they are not re-rendered.
 * Returns `before` itself if nothing changed. The default of the query library shares by index, which one new row at
 * the top would defeat.
 */
export function shareRows<Row, A extends Answer<Row>>(before: A, latest: A, keyOf: (row: Row) => number): A {
  const beforeByKey = new Map(before.list.map((row) => [keyOf(row), row]));
  const list = latest.list.map((row) => {
    const previous = beforeByKey.get(keyOf(row));
    return previous === undefined ? row : replaceEqualDeep(previous, row);
  });
  const { list: rowsBefore, ...restBefore } = before;
  const { list: _rows, ...restLatest } = latest;
  const rest = replaceEqualDeep(restBefore, restLatest);
  const isSameList = list.length === rowsBefore.length && list.every((row, i) => row === rowsBefore[i]);
  return isSameList && rest === restBefore ? before : ({ ...rest, list: isSameList ? rowsBefore : list } as A);
}
