import { describe, expect, it } from 'vitest';
import { formatGrouped, formatPlain, percentOf, shorten, sum, thousandths } from './decimal.ts';

describe('grouped', () => {
  it.each([
    ['0', '0'],
    ['-0', '0'],
    ['1234567.8900', '1,234,567.89'],
    ['-1234.5', '-1,234.5'],
    ['999', '999'],
    ['1000', '1,000'],
    ['0.000000000000000001', '0.000000000000000001'],
    ['123456789012345678.123456789012345678', '123,456,789,012,345,678.123456789012345678'],
  ])('formats %s as %s', (value, text) => expect(formatGrouped(value)).toBe(text));
});

describe('shorten', () => {
  it('keeps digits within the limit', () => expect(shorten('1234.50', 8)).toBe('1,234.5'));
  it('cuts and never rounds up', () => expect(shorten('0.199999', 2)).toBe('0.19'));
  it('does not show a small amount as zero', () => {
    expect(shorten('0.0004', 2)).toBe('<0.01');
    expect(shorten('-0.0004', 2)).toBe('>-0.01');
    expect(shorten('0.4', 0)).toBe('<1');
  });
});

describe('sum', () => {
  it('is exact where floats are not', () => expect(sum(['0.1', '0.2'])).toBe('0.3'));
  it('adds signed values and an empty list', () => {
    expect(sum(['1', '-2.5', '0.25'])).toBe('-1.25');
    expect(sum([])).toBe('0');
    expect(sum(['-1', '1.0'])).toBe('0');
  });
  it('adds the smallest to the largest amount', () =>
    expect(sum(['999999999999999999', '0.000000000000000001'])).toBe('999999999999999999.000000000000000001'));
});

describe('plain and thousandths', () => {
  it('strips zeros', () => expect(formatPlain('0012.3400')).toBe('12.34'));
  it('computes a share', () => {
    expect(thousandths('25', '100')).toBe(250);
    expect(thousandths('300', '100')).toBe(1000);
    expect(thousandths('1', '0')).toBe(0);
  });
});

it('a share of an amount is cut, never rounded up', () => {
  expect(percentOf('0.05', 50, 2)).toBe('0.02');
});
