import { expect, test } from 'vitest';
import { compareStatements } from './compare.ts';
import type { StatementSite } from './declared.ts';
import type { Observation } from './files.ts';
import { type Property, type Shape, mergeShapes, shapeOfValue } from './shape.ts';

const primitive = (...primitives: Shape['primitives']): Property => ({ shape: { primitives }, optional: false });
const object = (properties: Record<string, Property>): Shape => ({ primitives: [], properties });

const row = object({
  id: primitive('number'),
  amount: primitive('string'),
  checker: primitive('null', 'string'),
  note: { ...primitive('string'), optional: true },
  fills: { shape: { primitives: [], elements: object({ price: primitive('string') }) }, optional: false },
});
const site: StatementSite = { id: 'a.ts:1:1', path: 'a.ts', start: 0, end: 1, kind: 'execution', row };

const observe = (...rows: Record<string, unknown>[]): Observation => ({
  id: site.id,
  columns: Object.keys(rows[0] ?? {}),
  row: rows.map((one) => shapeOfValue(one)).reduce(mergeShapes),
});
const differences = (...rows: Record<string, unknown>[]): string[] =>
  compareStatements([site], [observe(...rows)], true).map((line) => line.replace('a.ts:1:1: ', ''));

const good = { id: 1, amount: '1.5', checker: null, fills: [{ price: '2' }] };

test('a row as declared has no difference', () => {
  expect(differences(good, { ...good, checker: 'fuhe', fills: [] })).toEqual([]);
});

test.each([
  [
    'a wrong name',
    { ...good, amount: undefined, sum: '1' },
    ['sum is returned but not declared', 'amount is declared but not returned'],
  ],
  ['a wrong type', { ...good, amount: 1.5 }, ['amount is number, declared string']],
  ['a missing null', { ...good, id: null }, ['id is null, declared number']],
  ['a surplus column', { ...good, state: 0 }, ['state is returned but not declared']],
  ['a missing column', { id: 1, amount: '1', checker: null }, ['fills is declared but not returned']],
  ['a wrong type inside JSON', { ...good, fills: [{ price: 2 }] }, ['fills[].price is number, declared string']],
  ['an object instead of an array', { ...good, fills: {} }, ['fills is an object, declared array']],
])('%s is found', (_, found, expected) => {
  const { ...present } = Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
  expect(differences(present)).toEqual(expected);
});

test('a null in one of many rows is found', () => {
  expect(differences(good, good, { ...good, amount: null })).toEqual(['amount is null, declared string']);
});

test('a column that is returned twice is found', () => {
  const twice = { ...observe(good), columns: ['id', 'id', 'amount', 'checker', 'fills'] };
  expect(compareStatements([site], [twice], true)).toEqual(['a.ts:1:1: column id is returned twice']);
});

test('a statement that no test executes is found once every test ran', () => {
  expect(compareStatements([site], [], true)).toEqual(['a.ts:1:1: no test executes it']);
  expect(compareStatements([site], [], false)).toEqual([]);
});

test('each list of columns of one statement is compared', () => {
  expect(compareStatements([site], [observe(good), observe({ ...good, state: 1 })], true)).toEqual([
    'a.ts:1:1: state is returned but not declared',
  ]);
});

test('a statement with the row of its caller must have a known caller', () => {
  const { row: _row, ...open } = site;
  expect(compareStatements([open], [], true)).toEqual([]);
  expect(compareStatements([open], [observe(good)], true)).toEqual([
    'a.ts:1:1: executed by a caller that is not known',
  ]);
});
