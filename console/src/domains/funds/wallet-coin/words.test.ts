import type { WalletProposal } from '@hengtai/contract/funds/wallet-coin/schema';
import { expect, test } from 'vitest';
import { requestReason, whyOf } from './words.ts';

const wallet = { platformId: 1, platformName: '', marketId: 1, marketName: 'USDT', network: 'TRC20' };
const hot = { ...wallet, id: 1, name: '热', kind: 'hot' } as const;
const cold = { ...wallet, id: 2, name: '冷', kind: 'cold' } as const;

const topUp: WalletProposal = {
  kind: 'topUp',
  from: cold,
  to: hot,
  amount: '20',
  missing: '0',
  ordered: '0',
  days: '1.7',
  boundDays: '3',
  targetDays: '8.5',
};
const sweep: WalletProposal = { ...topUp, kind: 'sweep', from: hot, to: cold, days: '46', boundDays: '14' };

test('a proposal says why in one sentence, with what is ordered and what is left', () => {
  expect(whyOf(topUp)).toBe('可支撑 1.7 天，低于 3 天，补到 8.5 天。');
  expect(whyOf({ ...topUp, ordered: '1500', missing: '48' })).toBe(
    '可支撑 1.7 天，低于 3 天（已计入在途调拨 1,500 USDT），补到 8.5 天；转出钱包不足，仍差 48 USDT。',
  );
  expect(whyOf(sweep)).toBe('可支撑 46 天，高于 14 天，归集后留 8.5 天。');
  expect(whyOf({ ...sweep, ordered: '5', missing: '17.5' })).toBe(
    '可支撑 46 天，高于 14 天（已扣除在途调拨 5 USDT），归集后留 8.5 天；该钱包归集后仍多 17.5 USDT。',
  );
});

test('the request is made with a reason that names the wallet and the days', () => {
  expect(requestReason(topUp)).toBe('补充热钱包：可支撑 1.7 天，低于 3 天');
  expect(requestReason(sweep)).toBe('归集到冷钱包：可支撑 46 天，高于 14 天');
  expect(requestReason({ ...sweep, to: { ...cold, kind: 'warm' } })).toBe('归集到温钱包：可支撑 46 天，高于 14 天');
});
