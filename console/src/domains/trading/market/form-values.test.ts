import { expect, test } from 'vitest';
import { NEW_MARKET_VALUES, changesOf, toSaveInput } from './form-values.ts';

test('rates are percent in the form and ratios on the wire, to the last digit', () => {
  const input = toSaveInput({ ...NEW_MARKET_VALUES, makerFee: '0.0123456789012345', takerFee: '10' }, undefined);
  expect(input).toMatchObject({ makerFee: '0.000123456789012345', takerFee: '0.1', maintenanceRate: '0.005' });
  expect(changesOf(NEW_MARKET_VALUES, { ...NEW_MARKET_VALUES, takerFee: '0.25' })).toMatchObject([
    { field: 'takerFee', from: '0.1%', to: '0.25%' },
  ]);
});

test('the family of a network is sent only where one is set, and named in the changes', () => {
  const network = { network: 'MyChain', recharge: true, withdraw: true, fee: '1', explorer: '' };
  const [before, after] = [undefined, 'tron' as const].map((family) => ({
    ...NEW_MARKET_VALUES,
    networks: [{ ...network, family }],
  })) as [typeof NEW_MARKET_VALUES, typeof NEW_MARKET_VALUES];
  const sent = { ...network, recharge: 1, withdraw: 1 };
  expect(toSaveInput(before, undefined).networks).toEqual([sent]);
  expect(toSaveInput({ ...before, networks: [{ ...network, family: '' }] }, undefined).networks).toEqual([sent]);
  expect(toSaveInput(after, undefined).networks).toEqual([{ ...sent, family: 'tron' }]);
  expect(changesOf(before, after)).toMatchObject([
    { from: 'MyChain（充值开，提现开，手续费 1）', to: 'MyChain（充值开，提现开，手续费 1，地址格式 波场）' },
  ]);
});
