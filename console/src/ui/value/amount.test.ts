import { describe, expect, test } from 'vitest';
import { amountOf, decimalOf, parseAmount, parseSignedAmount } from './amount.ts';

describe('typedAmount', () => {
  test.each([
    ['1,234.50', '1234.50'],
    [' 12 000 ', '12000'],
    ['１２。５', '12.5'],
    ['.', '.'],
    ['', ''],
    ['0.000000000000000001', '0.000000000000000001'],
    ['999999999999999999', '999999999999999999'],
  ])('%j becomes %j', (text, kept) => {
    expect(parseAmount(text)).toBe(kept);
  });

  test.each(['-1', '1e5', '1.2.3', 'abc', '0x1', '1234567890123456789', '0.0000000000000000001', '+1', '١'])(
    '%j is rejected',
    (text) => {
      expect(parseAmount(text)).toBeUndefined();
    },
  );
});

describe('amountOf', () => {
  test.each([
    ['1234.50', '1234.5'],
    ['007', '7'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['0.000000000000000001', '0.000000000000000001'],
    // More digits than a float can represent.
    ['999999999999999999.000000000000000001', '999999999999999999.000000000000000001'],
  ])('%j is %j', (typed, amount) => {
    expect(amountOf(typed)).toBe(amount);
  });

  test.each(['', '.', '0', '0.00', '00'])('%j is no amount', (typed) => {
    expect(amountOf(typed)).toBeUndefined();
  });
});

describe('signed amounts', () => {
  test.each([
    ['-1,000.5', '-1000.5'],
    ['－１２', '-12'],
    [' −3', '-3'],
    ['-', '-'],
    ['7', '7'],
    ['--1', undefined],
    ['1-', undefined],
  ])('%j is kept as %j', (text, kept) => {
    expect(parseSignedAmount(text)).toBe(kept);
  });

  test.each([
    ['-.50', '-0.5'],
    ['-0', '0'],
    ['0.00', '0'],
    ['-7.', '-7'],
    ['-', undefined],
    ['', undefined],
    ['.', undefined],
  ])('%j is %j', (typed, amount) => {
    expect(decimalOf(typed)).toBe(amount);
  });
});
