import { describe, expect, test } from 'vitest';
import { createAccount } from '../../../simulator/src/address.ts';
import { createRandom } from '../../../simulator/src/random.ts';
import { readDestination } from './destination.ts';

describe.each(['TRC20', 'ERC20', 'Bitcoin', 'Solana', 'XRPL', 'TON'])('the demonstration on %s', (network) => {
  const accounts = Array.from({ length: 100 }, (_, n) => createAccount(network, createRandom('address', n)));

  test('writes each account rightly, and as one in all of its texts', () => {
    for (const { texts } of accounts) {
      const read = texts.map((address) => readDestination({ network, address }));
      expect(
        read.map(({ key, faults }) => [key, faults]),
        texts[0],
      ).toEqual(texts.map(() => [read[0]?.key, []]));
    }
    expect(new Set(accounts.map(({ texts: [address] }) => readDestination({ network, address }).key)).size).toBe(100);
  });

  test('writes a memo into an address as the memo beside it', () => {
    for (const { texts, withMemo } of accounts) {
      const [address] = texts;
      for (const memo of ['0', '7', '4000000000']) {
        const carried = withMemo(memo);
        if (carried === undefined) continue;
        const { beneficiary, faults } = readDestination({ network, address: carried });
        expect([beneficiary, faults]).toEqual([readDestination({ network, address, memo }).beneficiary, []]);
      }
    }
    expect(accounts.some(({ withMemo }) => withMemo('1') !== undefined)).toBe(network === 'XRPL');
  });
});
