import { walletTransferStates } from '@hengtai/contract/funds/wallet-transfer/facts';
import { expect, test } from 'vitest';
import { adviceFor, disabledReasonOf } from './words.ts';

test('a transfer is cancelled before anybody was given it, and resolved afterwards', () => {
  expect(disabledReasonOf('cancel', { state: 0 }, true)).toBeUndefined();
  expect(disabledReasonOf('cancel', { state: 1 }, true)).toBe('当前为「调拨中」，仅「待下发」可撤销');
  expect(disabledReasonOf('resolve', { state: 1 }, true)).toBeUndefined();
  expect(disabledReasonOf('resolve', { state: 4 }, true)).toBeUndefined();
  expect(disabledReasonOf('resolve', { state: 2 }, true)).toBe('当前为「已完成」，仅「调拨中、结果不明」可确认结果');
  expect(disabledReasonOf('resolve', { state: 4 }, false)).toBe('没有「资产调整」权限');
});

test('each state has its own advice', () => {
  const states = Object.keys(walletTransferStates).map(Number);
  expect(new Set(states.map(adviceFor)).size).toBe(states.length);
  expect(states.map(adviceFor)).not.toContain('');
});
