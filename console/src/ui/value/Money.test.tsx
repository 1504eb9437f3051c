// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { Money } from './Money.tsx';

afterEach(cleanup);

function textAndTitle(element: React.ReactElement) {
  const span = render(element).container.querySelector('.ht-value-money');
  return [span?.textContent, span?.getAttribute('title')];
}

describe('Money', () => {
  it('separates thousands and trims zeros', () => {
    expect(textAndTitle(<Money value="1234567.8900" />)).toEqual(['1,234,567.89', '1,234,567.89']);
  });
  it('never writes an exponent or a float', () => {
    expect(textAndTitle(<Money value="0.000000000000000001" />)).toEqual([
      '0.000000000000000001',
      '0.000000000000000001',
    ]);
    expect(textAndTitle(<Money value="9007199254740993.1" />)).toEqual([
      '9,007,199,254,740,993.1',
      '9,007,199,254,740,993.1',
    ]);
  });
  it('cuts shortened amounts only, and hover shows all their digits', () => {
    const all = '1.123456789012345678 BTC';
    expect(textAndTitle(<Money value="1.123456789012345678" unit="BTC" />)).toEqual([all, all]);
    expect(textAndTitle(<Money value="1.129" digits={2} shortened />)).toEqual(['1.12', '1.129']);
    expect(textAndTitle(<Money value="0.001" digits={2} shortened />)).toEqual(['<0.01', '0.001']);
  });
  it('writes signs', () => {
    expect(textAndTitle(<Money value="-5" showPlus />)[0]).toBe('-5');
    expect(textAndTitle(<Money value="5" showPlus />)[0]).toBe('+5');
    expect(textAndTitle(<Money value="0" showPlus />)[0]).toBe('0');
  });
  it('sets the decimal places apart unless the integer part is zero', () => {
    const fractionOf = (value: string) =>
      render(<Money value={value} />).container.querySelector('.ht-value-fraction')?.textContent;
    expect(fractionOf('1234.567')).toBe('.567');
    expect(fractionOf('10')).toBeUndefined();
    expect(fractionOf('-0.05')).toBeUndefined();
  });
  it('counts the unit to tell whether one line is too short', () => {
    const isLong = (element: React.ReactElement) =>
      render(element).container.querySelector('.ht-value-money')?.getAttribute('data-long');
    expect([isLong(<Money value="0.12345678901" />), isLong(<Money value="0.123456789012" />)]).toEqual([
      'false',
      'true',
    ]);
    expect(isLong(<Money value="0.1234567890" unit="BTC" />)).toBe('false');
    expect(isLong(<Money value="0.12345678901" unit="BTC" />)).toBe('true');
  });
  it('shows -- for an unknown amount', () => {
    expect(textAndTitle(<Money value={null} />)).toEqual(['--', '未知']);
    expect(textAndTitle(<Money value="1e9" />)[0]).toBe('--');
  });
});
