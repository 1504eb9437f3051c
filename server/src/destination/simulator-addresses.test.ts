import { expect, test } from 'vitest';
import { createAddress } from '../../../simulator/src/address.ts';
import { createRandom } from '../../../simulator/src/random.ts';
import { readDestination } from './destination.ts';

test.each(['TRC20', 'ERC20', 'Bitcoin', 'Solana', 'XRPL'])(
  'the demonstration writes addresses of %s rightly',
  (network) => {
    for (let n = 0; n < 100; n += 1) {
      const address = createAddress(network, createRandom('address', n));
      expect([address, readDestination({ network, address }).faults]).toEqual([address, []]);
    }
  },
);
