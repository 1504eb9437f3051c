import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { decimalText, multiplyDown, multiplyUp, toUnits } from '../src/shared/decimal.ts';
import { Journal } from '../src/shared/journal.ts';

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hengtai-journal-'));
  path = join(directory, 'journal');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const event = (eventId: string, account = 'one') =>
  ({ eventId, type: 'user.registered', at: 1_700_000_000_000, data: { account } }) as const;
const waiting = (journal: Journal): string[] => journal.next(100).map(({ eventId }) => eventId);

test('keeps what waits, what was ever made, notes and rejected events, whenever the process ends', () => {
  const first = Journal.open(path);
  first.add([event('a'), event('b'), event('a', 'other'), event('c')], { position: '1' });
  first.mark([
    { eventId: 'a', result: 'applied' },
    { eventId: 'b', result: 'rejected', reason: 'state' },
  ]);
  expect(waiting(first)).toEqual(['c']);
  const second = Journal.open(path);
  expect(waiting(second)).toEqual(['b', 'c']);
  expect([second.has('a'), second.has('d'), second.note('position')]).toEqual([true, false, '1']);
  second.add([event('a'), event('d')], { position: '2' });
  expect(waiting(second)).toEqual(['b', 'c', 'd']);
  expect(second.next(1)[0]?.data).toEqual({ account: 'one' });
  expect(Journal.open(path).note('position')).toBe('2');
});

test('drops a line that a crash cut off, and refuses a damaged file', () => {
  Journal.open(path).add([event('a')]);
  appendFileSync(path, '{"events":[{"eventId":"b"');
  const journal = Journal.open(path);
  expect(waiting(journal)).toEqual(['a']);
  writeFileSync(path, `{"ev\n${readFileSync(path, 'utf8')}`);
  expect(() => Journal.open(path)).toThrow();
});

test('stores nothing more after a failed write, and refuses a second process', () => {
  const journal = Journal.open(path);
  journal.close();
  expect(() => journal.add([event('a')])).toThrow();
  expect(journal.has('a')).toBe(false);
  writeFileSync(`${path}.lock`, String(process.ppid));
  expect(() => Journal.open(path)).toThrow('uses the journal');
  writeFileSync(`${path}.lock`, '4194304');
  expect(waiting(Journal.open(path))).toEqual([]);
});

test.each([
  [1e-8, '0.00000001'],
  [0.1, '0.1'],
  ['14.0', '14'],
  [1e21, '1000000000000000000000'],
  ['0.000000000000000001', '0.000000000000000001'],
])('the decimal of %s is %s', (value, text) => expect(decimalText(value)).toBe(text));

test('decimals are exact or refused', () => {
  expect(() => decimalText('0.0000000000000000001')).toThrow('more than 18 decimals');
  expect(() => decimalText('-1')).toThrow('not a decimal');
  const [a, b] = [toUnits('0.000000001'), toUnits('0.0000000005')];
  expect([multiplyUp(a, b), multiplyDown(a, b)]).toEqual([1n, 0n]);
});
