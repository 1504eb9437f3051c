import { expect, test } from 'vitest';
import { NEW_MARKET_VALUES, changesOf, toSaveInput } from './form-values.ts';

test('rates are percent in the form and ratios on the wire, to the last digit', () => {
  const input = toSaveInput({ ...NEW_MARKET_VALUES, makerFee: '0.0123456789012345', takerFee: '10' }, undefined);
  expect(input).toMatchObject({ makerFee: '0.000123456789012345', takerFee: '0.1', maintenanceRate: '0.005' });
  expect(changesOf(NEW_MARKET_VALUES, { ...NEW_MARKET_VALUES, takerFee: '0.25' })).toMatchObject([
    { field: 'takerFee', from: '0.1%', to: '0.25%' },
  ]);
});
