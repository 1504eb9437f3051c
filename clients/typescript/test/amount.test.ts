import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { assert, property, string, tuple, array, stringMatching } from 'fast-check';
import { expect, test } from 'vitest';
import { type SplitAmount, splitAmount } from '../src/amount.ts';

type Case = [received: string, kept: string];

const PYTHON = `
import json, sys
from hengtai_platform import split_amount
def answer(received, kept):
    try:
        return split_amount(received, kept)._asdict()
    except ValueError:
        return None
print(json.dumps([answer(*one) for one in json.load(sys.stdin)]))
`;

/** What the Python client answers; null for a refusal. */
function splitByPython(cases: readonly Case[]): (SplitAmount | null)[] {
  const source = fileURLToPath(new URL('../../python/src', import.meta.url));
  const env = { ...process.env, PYTHONPATH: source, PYTHONDONTWRITEBYTECODE: '1' };
  const output = execFileSync('python3', ['-c', PYTHON], { input: JSON.stringify(cases), env, encoding: 'utf8' });
  return JSON.parse(output) as (SplitAmount | null)[];
}

function split([received, kept]: Case): SplitAmount | null {
  try {
    return splitAmount(received, kept);
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
    return null;
  }
}

const examples: [Case, SplitAmount | null][] = [
  [['1.234567890123456789012345', '0'], { amount: '1.234567890123456789', rest: '0.000000000000000000012345' }],
  [['0.000000000000000000999999', '0.000000000000000000000001'], { amount: '0.000000000000000001', rest: '0' }],
  [['0.000000000000000000000001', '0'], { amount: '0', rest: '0.000000000000000000000001' }],
  [['2.50', '0.5'], { amount: '3', rest: '0' }],
  [['100', '0'], { amount: '100', rest: '0' }],
  [['0', '0'], { amount: '0', rest: '0' }],
  [
    ['340282366920938463463374607431.768211455', '0'],
    { amount: '340282366920938463463374607431.768211455', rest: '0' },
  ],
  ...['', '-1', '+1', '1e3', '1.', '.5', ' 1', '1\n', '١', 'NaN'].map((text): [Case, null] => [[text, '0'], null]),
  [['1', '-0.5'], null],
];

test('both clients split amounts exactly, and refuse what is no amount', () => {
  const cases = examples.map(([one]) => one);
  const expected = examples.map(([, answer]) => answer);
  expect(cases.map(split)).toEqual(expected);
  expect(splitByPython(cases)).toEqual(expected);
});

const amount = stringMatching(/^(0|[1-9]\d{0,17})(\.\d{1,36})?$/);
/** In units of 10^-36. */
const unitsOf = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(36, '0'));
};

test('what is reported and what is kept are together what arrived', () => {
  assert(
    property(array(amount, { minLength: 1, maxLength: 20 }), (arrived) => {
      let [kept, reported] = ['0', 0n];
      for (const text of arrived) {
        const { amount: credited, rest } = splitAmount(text, kept);
        expect(credited).toMatch(/^(0|[1-9]\d*)(\.\d{0,17}[1-9])?$/);
        expect(unitsOf(rest)).toBeLessThan(10n ** 18n);
        [kept, reported] = [rest, reported + unitsOf(credited)];
      }
      expect(reported + unitsOf(kept)).toBe(arrived.reduce((sum, text) => sum + unitsOf(text), 0n));
    }),
  );
});

test('both clients answer the same', () => {
  const cases: Case[] = [];
  assert(
    property(tuple(amount, amount), (one) => {
      cases.push(one);
    }),
  );
  assert(
    property(string(), (text) => {
      cases.push([text, '0']);
    }),
  );
  expect(splitByPython(cases)).toEqual(cases.map(split));
});
