import type { WalletKind } from '@hengtai/contract/funds/wallet/facts';
import { describe, expect, test } from 'vitest';
import { type CoverBounds, type CoverWallet, proposeTransfer } from './proposal.rules.ts';

const BOUNDS = { topUp: '3', sweep: '14' };

interface Given extends Partial<Omit<CoverWallet, 'wallet' | 'networkKey'>> {
  id: number;
  kind: WalletKind;
  balance: string;
  network?: string;
  platformId?: number;
}

/** A wallet that can give all that it has. */
function walletOf({ id, kind, network = 'TRC20', platformId = 1, ...amounts }: Given): CoverWallet {
  const names = { name: `w${id}`, platformName: '', marketName: 'USDT' };
  return {
    wallet: { id, kind, platformId, marketId: 1, network, ...names },
    networkKey: network.toLowerCase(),
    available: amounts.balance,
    coming: '0',
    leaving: '0',
    ...amounts,
  };
}

const hot = (balance: string, more: Partial<Given> = {}): Given => ({ id: 1, kind: 'hot', balance, ...more });
const cold = (balance: string, more: Partial<Given> = {}): Given => ({ id: 2, kind: 'cold', balance, ...more });

interface Terms extends Partial<CoverBounds> {
  outflow?: string;
  precision?: number;
}

const propose = (given: readonly Given[], { outflow = '10', precision = 8, ...bounds }: Terms = {}) =>
  proposeTransfer({ outflow, precision, wallets: given.map(walletOf) }, { ...BOUNDS, ...bounds });
/** What is proposed, in short. */
const inShort = (...input: Parameters<typeof propose>): string | null => {
  const found = propose(...input);
  return found && `${found.kind} ${found.amount} ${found.from.id}>${found.to.id}`;
};

test('between the bounds nothing is proposed, on both bounds neither', () => {
  for (const balance of ['30', '85', '140']) expect(inShort([hot(balance), cold('1000')])).toBeNull();
  expect(inShort([hot('29.99999999'), cold('1000')])).toBe('topUp 55.00000001 2>1');
  expect(inShort([hot('140.00000001'), cold('1000')])).toBe('sweep 55.00000001 1>2');
});

test('says why with figures', () => {
  expect(propose([hot('12', { coming: '5' }), cold('20')])).toMatchObject({
    kind: 'topUp',
    from: { id: 2, name: 'w2', kind: 'cold', network: 'TRC20', platformId: 1 },
    to: { id: 1, kind: 'hot' },
    amount: '20',
    missing: '48',
    ordered: '5',
    days: '1.7',
    boundDays: '3',
    targetDays: '8.5',
  });
});

describe('the target', () => {
  test.each([
    ['is the middle between both bounds', '10', {}, 'topUp 75 2>1'],
    ['is twice the lower bound without an upper one', '10', { sweep: '0' }, 'topUp 50 2>1'],
    ['is half of the upper bound without a lower one', '200', { topUp: '0' }, 'sweep 130 1>2'],
    ['is the bound if both are the same', '10', { topUp: '5', sweep: '5' }, 'topUp 40 2>1'],
    ['takes parts of days', '10', { topUp: '1.5', sweep: '0' }, 'topUp 20 2>1'],
  ])('%s', (_name, balance, bounds, expected) => {
    expect(inShort([hot(balance), cold('1000')], bounds)).toBe(expected);
  });

  test.each([
    ['a top-up', '1', { topUp: '0' }],
    ['a sweep', '1000', { sweep: '0' }],
    ['both', '1', { topUp: '0', sweep: '0' }],
  ])('0 turns off %s', (_name, balance, bounds) => {
    expect(inShort([hot(balance), cold('1000')], bounds)).toBeNull();
  });
});

describe('what is ordered', () => {
  test('counts as there for a top-up, so that only the rest is proposed', () => {
    expect(inShort([hot('10', { coming: '20' }), cold('1000')])).toBeNull();
    expect(inShort([hot('10', { coming: '10' }), cold('1000')])).toBe('topUp 65 2>1');
  });

  test('counts as gone for a sweep', () => {
    expect(inShort([hot('200', { leaving: '60' }), cold('0')])).toBeNull();
    expect(inShort([hot('200', { leaving: '50' }), cold('0')])).toBe('sweep 65 1>2');
  });

  test('never leads to the opposite proposal', () => {
    // A reading may have the coins before their moves are reported, or lack them.
    expect(inShort([hot('85', { coming: '75' }), cold('1000')])).toBeNull();
    expect(inShort([hot('85', { leaving: '75' }), cold('1000')])).toBeNull();
  });
});

describe('the wallets', () => {
  test('of a top-up: from the cold or warm one with most to give, to the hot one that is known longest', () => {
    const hots = [hot('5'), hot('0', { id: 9 })];
    const warm = cold('300', { id: 3, kind: 'warm' });
    expect(inShort([...hots, cold('200'), warm])).toBe('topUp 80 3>1');
    expect(inShort([...hots, cold('200'), { ...warm, available: '100' }])).toBe('topUp 80 2>1');
  });

  test('of a sweep: from the fullest hot one, to the cold one that is known longest, else to a warm one', () => {
    const hots = [hot('30'), hot('200', { id: 9 })];
    const warm = cold('0', { id: 3, kind: 'warm' });
    expect(inShort([...hots, warm, cold('1', { id: 4 }), cold('5000', { id: 5 })])).toBe('sweep 145 9>4');
    expect(inShort([...hots, warm])).toBe('sweep 145 9>3');
  });

  test('of a sweep keep their equal part of the target, so that no network is emptied for another', () => {
    const [full, less] = [hot('200'), hot('100', { id: 9, network: 'ERC20' })];
    const colds = [cold('0'), cold('0', { id: 3, network: 'ERC20' })];
    expect(propose([full, less, ...colds])).toMatchObject({ amount: '157.5', missing: '57.5' });
    expect(inShort([{ ...full, available: '42.5', leaving: '157.5' }, less, ...colds])).toBe('sweep 57.5 9>3');
    expect(inShort([hot('500'), hot('40', { id: 9, network: 'ERC20' }), ...colds.slice(1)])).toBeNull();
  });

  test('are of one platform and one network, by any of its names', () => {
    const far = cold('1000', { network: 'ERC20' });
    expect(inShort([hot('5'), far])).toBeNull();
    expect(inShort([hot('5'), cold('1000', { platformId: 2 })])).toBeNull();
    expect(inShort([hot('5'), far, cold('7', { id: 3, network: 'trc20' })])).toBe('topUp 7 3>1');
    // Days are those of the coin, so the network with most to give comes first.
    expect(inShort([hot('5'), hot('5', { id: 4, network: 'ERC20' }), cold('90'), { ...far, id: 3 }])).toBe(
      'topUp 75 3>4',
    );
    expect(inShort([hot('20'), hot('20', { id: 4, network: 'ERC20' }), cold('90')])).toBeNull();
  });

  test('none is proposed that has nothing to give, and no deposit, gas or exchange wallet', () => {
    expect(inShort([hot('5')])).toBeNull();
    expect(inShort([hot('5'), cold('0')])).toBeNull();
    expect(inShort([cold('1000')])).toBeNull();
    for (const kind of ['deposit', 'gas', 'exchange'] as const) {
      expect(inShort([hot('5'), cold('1000', { kind })])).toBeNull();
      expect(inShort([hot('500'), cold('1000', { kind })])).toBeNull();
    }
  });
});

describe('the amount', () => {
  test('is not more than the wallet has, and the rest is named', () => {
    const found = propose([hot('5'), cold('30', { available: '12.5' })]);
    expect(found).toMatchObject({ amount: '12.5', missing: '67.5' });
    expect(propose([hot('5'), cold('1000')])).toMatchObject({ amount: '80', missing: '0' });
  });

  test.each([
    [8, '0.33333333'],
    [2, '0.33'],
    [0, null],
  ])('has at most %i decimals and is never rounded up', (precision, expected) => {
    const found = propose([hot('0'), cold('0.333333333333333333')], { precision, outflow: '1' });
    expect(found?.amount ?? null).toBe(expected);
  });

  test('is exact with 18 decimals and large sums', () => {
    const given = [hot('0.000000000000000001'), cold('9'.repeat(18))];
    const found = propose(given, { precision: 18, outflow: '10000000000000000.000000000000000002' });
    expect(found?.amount).toBe('85000000000000000.000000000000000016');
  });

  test('days of less than nothing are none', () => {
    expect(propose([hot('-5'), cold('1000')])).toMatchObject({ days: '0', amount: '90' });
  });
});
