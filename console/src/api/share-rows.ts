import { replaceEqualDeep } from '@tanstack/react-query';

interface Answer<Row> {
  list: Row[];
}

/**
 * A fresh answer made of the former one's rows wherever nothing in them changed, so that what is the same is the same
 * object and need not be drawn again. A row is found by what names it, not by its place: one new row at the top moves all
 * others. An answer in which nothing changed is the former answer.
 */
export function shareRows<Row, A extends Answer<Row>>(before: A, fresh: A, nameOf: (row: Row) => number): A {
  const known = new Map(before.list.map((row) => [nameOf(row), row]));
  const list = fresh.list.map((row) => {
    const old = known.get(nameOf(row));
    return old === undefined ? row : replaceEqualDeep(old, row);
  });
  const { list: rowsBefore, ...besideBefore } = before;
  const { list: _rows, ...fresher } = fresh;
  const beside = replaceEqualDeep(besideBefore, fresher);
  const same = list.length === rowsBefore.length && list.every((row, i) => row === rowsBefore[i]);
  return same && beside === besideBefore ? before : ({ ...beside, list: same ? rowsBefore : list } as A);
}
