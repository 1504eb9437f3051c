import { describe, expect, it } from 'vitest';
import {
  type ColumnChoice,
  parseChoice,
  colOf,
  moveKey,
  placeColumns,
  withOwnCells,
  withShown,
  withWidth,
} from './columns.ts';

interface Row {
  id: number;
  account: string;
  amount: string;
  note: string | null;
}
const col = colOf<Row>();
const columns = [
  col('id', { title: '编号', width: 80, fixed: 'left', locked: true }),
  col('account', { title: '账号', width: 120 }),
  col('amount', { title: '数量', width: 120, align: 'right', render: (value) => `${value}!` }),
  col('note', { title: '备注', width: 120, hidden: true }),
];
const keys = (list: readonly { key: string }[]) => list.map(({ key }) => key);

describe('placeColumns', () => {
  it('shows the default columns in their order', () => {
    expect(placeColumns(columns, {}).map(({ key, shown }) => [key, shown])).toEqual([
      ['id', true],
      ['account', true],
      ['amount', true],
      ['note', false],
    ]);
  });
  it('applies the choice', () => {
    const placed = placeColumns(columns, {
      order: ['amount', 'account', 'id', 'note'],
      hidden: { account: true, note: false, id: true },
      width: { amount: 5, account: 300 },
      fixed: { note: 'right', id: 'none' },
    });
    expect(keys(placed)).toEqual(['amount', 'account', 'id', 'note']);
    expect(placed.map(({ shown }) => shown)).toEqual([true, false, true, true]);
    expect(placed.map(({ width }) => width)).toEqual([56, 300, 80, 120]);
    expect(placed.map(({ side }) => side)).toEqual([undefined, undefined, undefined, 'right']);
  });
  it('inserts new columns and ignores removed ones', () => {
    const placed = placeColumns(columns, { order: ['amount', 'gone', 'account', 'id'], fixed: { id: 'none' } });
    expect(keys(placed)).toEqual(['amount', 'note', 'account', 'id']);
  });
  it('groups frozen columns at their side', () => {
    expect(keys(placeColumns(columns, { fixed: { note: 'left', account: 'right' } }))).toEqual([
      'id',
      'note',
      'amount',
      'account',
    ]);
  });
});

describe('a folded column', () => {
  const folding = [
    col('id', { title: '编号', width: 60 }),
    col('account', { title: '账号', width: 80, under: 'id' }),
    col('note', { title: '备注与说明(字)', width: 80, under: 'id' }),
  ];
  const account = (choice: ColumnChoice) => {
    const column = placeColumns(folding, choice).find(({ key }) => key === 'account');
    if (!column) throw new Error('no column');
    return column;
  };
  it('is hidden, shown again, given cells of its own and folded back', () => {
    expect(account({})).toMatchObject({ shown: true, host: 'id', foldsInto: 'id' });
    const hidden = withShown({}, account({}), false);
    expect(account(hidden)).toMatchObject({ shown: false, host: undefined });
    expect(account(withShown(hidden, account(hidden), true))).toMatchObject({ shown: true, host: 'id' });
    const own = withOwnCells({}, 'account', true);
    expect(account(own)).toMatchObject({ shown: true, host: undefined, foldsInto: 'id' });
    expect(withOwnCells(own, 'account', false)).toEqual({ hidden: {} });
    expect(account({ hidden: { id: true } })).toMatchObject({ shown: true, host: undefined, foldsInto: undefined });
  });
  it('is exported, as is a column of the drawer, unless the operator hides it', () => {
    const withDrawer = [...folding, col('amount', { title: '数量', width: 80, drawer: true })];
    const exported = (choice: ColumnChoice) => keys(placeColumns(withDrawer, choice).filter((one) => one.exported));
    expect(exported({})).toEqual(['id', 'account', 'note', 'amount']);
    expect(exported({ hidden: { account: true, amount: true } })).toEqual(['id', 'note']);
  });
  it('leaves room for its heading in the column that shows it, unless the operator set the width', () => {
    const widthOf = (choice: ColumnChoice) => placeColumns(folding, choice)[0]?.width;
    // The heading 账号 · 备注与说明(字): nine wide and four narrow characters, and the padding.
    expect(widthOf({})).toBe(Math.ceil(9 * 12 + 4 * 4.2) + 16);
    expect(widthOf({ hidden: { account: true } })).toBe(5 * 12 + 16);
    expect(widthOf({ width: { id: 70 } })).toBe(70);
  });
});

it('sets and resets a width', () => {
  const wide = withWidth({ order: ['id'], width: { id: 90 } }, 'account', 300);
  expect(wide).toEqual({ order: ['id'], width: { id: 90, account: 300 } });
  expect(withWidth(wide, 'account', undefined)).toEqual({ order: ['id'], width: { id: 90 } });
  expect(withWidth({}, 'id', undefined)).toEqual({ width: {} });
});

describe('a column', () => {
  const row: Row = { id: 7, account: '', amount: '1', note: null };
  it('renders its value', () => {
    expect(columns.map((column) => column.render(row))).toEqual(['7', '--', '1!', '--']);
  });
});

describe('choices', () => {
  it('moves a key', () => {
    expect(moveKey(['a', 'b', 'c'], 'a', 1)).toEqual(['b', 'a', 'c']);
    expect(moveKey(['a', 'b', 'c'], 'c', -4)).toEqual(['c', 'a', 'b']);
  });
  it('rejects malformed choices', () => {
    for (const bad of [null, 3, [], { order: [1] }, { hidden: [] }, { width: { a: 'x' } }])
      expect(parseChoice(bad)).toBe(undefined);
    expect(parseChoice({ order: ['a'] })).toEqual({ order: ['a'] });
  });
});
