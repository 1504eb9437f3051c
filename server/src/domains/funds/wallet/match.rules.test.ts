import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type OpenMove, type OpenRecord, NEAR_MS, matchMoves } from './match.rules.ts';

const payment = {
  marketId: 1,
  networkKey: 'trc20',
  accountKey: 'account',
  memoKey: '',
  amount: '9',
  txHash: '0x1',
  index: null,
  attempt: null,
  at: 1_000,
};
const moveOf = (more: Partial<OpenMove> = {}): OpenMove => ({
  ...payment,
  id: 1,
  platformId: 1,
  kind: 'payout',
  record: null,
  ...more,
});
const recordOf = (more: Partial<OpenRecord> = {}): OpenRecord => ({
  ...payment,
  type: 'withdraw',
  id: 1,
  no: 'W-1',
  ...more,
});
const match = (moves: readonly OpenMove[], records: readonly OpenRecord[]) =>
  matchMoves(moves, records).map(({ move, record, by, differences }) => [move.id, record.id, by, differences]);

describe('by number', () => {
  const named = moveOf({ record: 'W-1' });

  test.each([
    ['market', { marketId: 2 }],
    ['network', { networkKey: 'erc20' }],
    ['account', { accountKey: 'another' }],
    ['memo', { memoKey: '7' }],
    ['amount', { amount: '9.000000000000000001' }],
    ['txHash', { txHash: '0x2' }],
  ])('names another %s', (field, more) => {
    expect(match([named], [recordOf(more)])).toEqual([[1, 1, 'number', [field]]]);
  });

  test('names another index and attempt, and every difference', () => {
    const [move, record] = [
      moveOf({ record: 'W-1', index: 0, attempt: 1 }),
      recordOf({ index: 1, attempt: 2, amount: '8' }),
    ];
    expect(match([move], [record])).toEqual([[1, 1, 'number', ['amount', 'index', 'attempt']]]);
  });

  test('what is unknown does not differ, and amounts are compared as numbers', () => {
    const record = recordOf({ accountKey: null, memoKey: null, index: 3, attempt: 2, txHash: '', amount: '9.00' });
    expect(match([named], [record])).toEqual([[1, 1, 'number', []]]);
  });

  test('a payout is never a recharge, nor a deposit a withdrawal', () => {
    expect(match([named], [recordOf({ type: 'recharge' })])).toEqual([]);
    expect(match([moveOf({ record: 'W-1', kind: 'deposit' })], [recordOf()])).toEqual([]);
    expect(match([moveOf({ record: 'W-1', kind: 'deposit' })], [recordOf({ type: 'recharge' })])).toEqual([
      [1, 1, 'number', []],
    ]);
  });

  test('takes a record that another rule would have given to an earlier move', () => {
    const moves = [moveOf({ id: 1 }), moveOf({ id: 2, record: 'W-1' })];
    expect(match(moves, [recordOf()])).toEqual([[2, 1, 'number', []]]);
  });

  test('a second move of the same record stays open', () => {
    expect(match([named, { ...named, id: 2 }], [recordOf()])).toEqual([[1, 1, 'number', []]]);
  });
});

describe('by output', () => {
  test('the same index is the same payment, whatever else differs', () => {
    const [move, record] = [moveOf({ index: 2 }), recordOf({ index: 2, amount: '8' })];
    expect(match([move], [record])).toEqual([[1, 1, 'output', ['amount']]]);
  });

  test('without an index everything else must agree, because a transaction can pay several', () => {
    expect(match([moveOf()], [recordOf({ amount: '8' })])).toEqual([]);
    const records = [recordOf({ id: 1, amount: '8' }), recordOf({ id: 2, accountKey: 'another' }), recordOf({ id: 3 })];
    expect(match([moveOf()], records)).toEqual([[1, 3, 'output', []]]);
  });

  test('another index is another payment', () => {
    expect(match([moveOf({ index: 1 })], [recordOf({ index: 2 })])).toEqual([]);
  });

  test('two equal payments of one transaction have a move each', () => {
    const moves = [moveOf({ id: 1 }), moveOf({ id: 2 })];
    expect(match(moves, [recordOf({ id: 1 }), recordOf({ id: 2 })])).toEqual([
      [1, 1, 'output', []],
      [2, 2, 'output', []],
    ]);
  });
});

describe('by fields', () => {
  const record = recordOf({ txHash: '' });

  test('takes the record without a hash that is nearest in time', () => {
    const records = [recordOf({ txHash: '', id: 1, at: 0 }), recordOf({ txHash: '', id: 2, at: 1_500 })];
    expect(match([moveOf()], records)).toEqual([[1, 2, 'fields', []]]);
  });

  test.each([
    ['that has another hash', recordOf({ txHash: '0x2' })],
    ['that differs', { ...record, memoKey: '7' }],
    ['whose account is unknown', { ...record, accountKey: null }],
    ['too long before', { ...record, at: 1_000 - NEAR_MS - 1 }],
    ['too long after', { ...record, at: 1_000 + NEAR_MS + 1 }],
  ])('takes no record %s', (_name, other) => {
    expect(match([moveOf()], [other])).toEqual([]);
  });

  test('takes one at the end of the time', () => {
    expect(match([moveOf()], [{ ...record, at: 1_000 + NEAR_MS }])).toEqual([[1, 1, 'fields', []]]);
  });
});

test('no move and no record has two matches, and those that agree in number and fields are found in every order', () => {
  const numbers = fc.uniqueArray(fc.nat({ max: 30 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(numbers, numbers, fc.array(fc.boolean(), { minLength: 31, maxLength: 31 }), (moved, paid, named) => {
      const moves = moved.map((id) => moveOf({ id, txHash: `0x${id % 7}`, record: named[id] ? `W-${id}` : null }));
      const records = paid.map((id) => recordOf({ id, no: `W-${id}`, txHash: `0x${id % 7}` }));
      const matches = matchMoves(moves, records);
      expect(new Set(matches.map(({ move }) => move)).size).toBe(matches.length);
      expect(new Set(matches.map(({ record }) => record)).size).toBe(matches.length);
      const byNumber = moves.filter(({ id }) => named[id] && paid.includes(id)).map(({ id }) => id);
      const found = matches.filter(({ by }) => by === 'number').map(({ move }) => move.id);
      expect(found).toEqual(byNumber);
    }),
  );
});
