import { expect, test } from 'vitest';
import { binaryContractActions } from '../trading/binary-contract/facts.ts';
import { ieoActions } from '../trading/ieo/facts.ts';
import { kycActions } from '../risk/kyc/facts.ts';
import { REASON_CODES, reasonFields } from './reason-code.ts';
import { withdrawActions } from '../funds/withdraw/facts.ts';

test('every suggested reason that a command carries has a code', () => {
  const { reject: withdraw } = withdrawActions;
  const suggested = [withdraw, kycActions.reject, ieoActions.reject, binaryContractActions.change].flatMap(
    ({ reasons }) => [...reasons],
  );
  expect(suggested.length).toBeGreaterThan(15);
  expect(suggested.filter((reason) => reasonFields(reason).reasonCode === 'other')).toEqual([]);
});

test('own words have the code other, and no reason has none', () => {
  expect(reasonFields('自己的话')).toEqual({ reason: '自己的话', reasonCode: 'other' });
  expect(reasonFields('')).toEqual({});
  expect(new Set(REASON_CODES).size).toBe(REASON_CODES.length);
});
