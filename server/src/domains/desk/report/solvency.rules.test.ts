import { describe, expect, test } from 'vitest';
import type { WalletHolding } from '../../funds/wallet/holding.store.ts';
import { stateAssets } from './solvency.rules.ts';

describe('stateAssets', () => {
  const holding = (more: Partial<WalletHolding>): WalletHolding => ({
    platformId: 1,
    marketName: 'USDT',
    network: 'TRC20',
    networkKey: 'TRC20',
    wallet: 'w',
    address: '',
    memo: '',
    accountKey: null,
    memoKey: null,
    amount: '1',
    block: null,
    readAt: 1,
    ...more,
  });
  const stateOf = (read: WalletHolding[], platforms: readonly number[], isNamed = false) =>
    stateAssets(read, ['USDT'], { platforms: new Map([['USDT', new Set(platforms)]]), isNamed });

  test('a coin is held only if each platform with balances of it has a wallet', () => {
    const read = [holding({}), holding({ platformId: 2, amount: '2' })];
    expect(stateOf(read, [1, 2]).coins).toEqual([{ marketName: 'USDT', held: '3' }]);
    expect(stateOf(read, [1, 3]).coins).toEqual([{ marketName: 'USDT', held: null }]);
    expect(stateOf([], []).coins).toEqual([{ marketName: 'USDT', held: null }]);
    // Nobody owns the other coin.
    expect(stateOf([holding({ marketName: 'BTC' })], []).coins).toEqual([
      { marketName: 'USDT', held: null },
      { marketName: 'BTC', held: '1' },
    ]);
  });

  test('an account that two platforms name counts once, by its latest reading', () => {
    const account = { accountKey: 'key', memoKey: '' };
    const read = [
      holding({ ...account, amount: '5', readAt: 2 }),
      holding({ ...account, platformId: 2, amount: '4', readAt: 1 }),
      holding({ ...account, network: 'ERC20', networkKey: 'ERC20' }),
      holding({ ...account, memoKey: '7' }),
    ];
    expect(stateOf(read, [1, 2]).coins).toEqual([{ marketName: 'USDT', held: '7' }]);
    expect(stateOf(read, [1, 2]).holdings.map(({ wallets, amount }) => [wallets, amount])).toEqual([
      [2, '6'],
      [1, '1'],
    ]);
  });
});
