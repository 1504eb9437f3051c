import { walletItemCauses, type WalletItemCause } from '@hengtai/contract/funds/wallet/item';
import { expect, test } from 'vitest';
import { disabledReasonOf, nextStepOf, ownProblemOf, postingText } from './item-words.ts';

const item = { marketId: 1, excess: '2.5', txHash: '0x1', differs: [], marketName: 'USDT' };

test('each cause, and each kind of move without a record, has its own next step', () => {
  const causes = (Object.keys(walletItemCauses) as WalletItemCause[]).filter((why) => why !== 'noRecord');
  const kinds = ['deposit', 'payout', 'move', 'other'];
  const steps = [
    ...causes.map((why) => nextStepOf({ why, move: null })),
    ...kinds.map((kind) => nextStepOf({ why: 'noRecord', move: { kind } as never })),
  ];
  expect(new Set(steps).size).toBe(causes.length + kinds.length);
});

test('only an open item can be explained, with the ability', () => {
  expect(disabledReasonOf({ state: 2 }, true)).toBeUndefined();
  expect(disabledReasonOf({ state: 3 }, true)).toBe('当前为「已说明」，仅「待匹配、差异」可说明');
  expect(disabledReasonOf({ state: 0 }, false)).toBe('没有「资产调整」权限');
});

test('money of the owner needs one coin, an amount that books lack, and a hash', () => {
  expect(ownProblemOf(item)).toBeUndefined();
  expect(ownProblemOf({ ...item, differs: ['market'] })).toMatch('币种不同');
  expect(ownProblemOf({ ...item, marketId: null })).toMatch('没有账外数量');
  expect(ownProblemOf({ ...item, excess: '0' })).toMatch('没有账外数量');
  expect(ownProblemOf({ ...item, txHash: '' })).toMatch('没有交易哈希');
});

test('the posting follows the sign of the excess', () => {
  expect(postingText(item)).toBe('自有资金增加 2.5 USDT，账面托管同时增加 2.5 USDT');
  expect(postingText({ ...item, excess: '-1000' })).toBe('自有资金减少 1,000 USDT，账面托管同时减少 1,000 USDT');
});
