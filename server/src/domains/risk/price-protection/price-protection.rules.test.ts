import { describe, expect, test } from 'vitest';
import { type Band, evaluateBand } from './price-protection.rules.ts';

const NOW = 1_000_000_000;
const band: Band = { minPrice: '90', maxPrice: '110', planMinute: 5, inside: true, halted: false };
const at = (price: string, ago = 0) => ({ price, at: NOW - ago });

describe('judge', () => {
  test.each(['90', '110', '100'])('%s is inside, edges included', (price) => {
    expect(evaluateBand(band, [at(price)], NOW)).toEqual({ inside: true });
  });

  test.each(['89.999999999999999999', '110.000000000000000001'])('%s halts: prices are compared exactly', (price) => {
    expect(evaluateBand(band, [at(price)], NOW)).toEqual({
      inside: false,
      trigger: { price, at: NOW, resumeAt: NOW + 5 * 60_000 },
    });
  });

  test('the first price outside triggers; later prices decide whether it is inside again', () => {
    const ticks = [at('100', 30), at('120', 20), at('130', 10)];
    expect(evaluateBand(band, ticks, NOW)).toMatchObject({ inside: false, trigger: { price: '120', at: NOW - 20 } });
    expect(evaluateBand(band, [...ticks, at('100')], NOW)).toMatchObject({ inside: true, trigger: { price: '120' } });
  });

  test('does not halt again until the price was inside', () => {
    const outsideBand = { ...band, inside: false };
    expect(evaluateBand(outsideBand, [at('120')], NOW)).toEqual({ inside: false });
    expect(evaluateBand(outsideBand, [at('100', 1), at('120')], NOW)).toMatchObject({ trigger: { price: '120' } });
  });

  test('does not halt a halted market again', () => {
    expect(evaluateBand({ ...band, halted: true }, [at('120')], NOW)).toEqual({ inside: true });
  });

  test('ignores a tick whose halt would be over', () => {
    expect(evaluateBand(band, [at('120', 5 * 60_000)], NOW)).toEqual({ inside: true });
    expect(evaluateBand(band, [at('120', 5 * 60_000 - 1)], NOW)).toMatchObject({ trigger: { resumeAt: NOW + 1 } });
  });

  test('a tick ahead of the server clock halts from now', () => {
    expect(evaluateBand(band, [{ price: '120', at: NOW + 30_000 }], NOW)).toMatchObject({ trigger: { at: NOW } });
  });
});
