import { expect, test } from 'vitest';
import { START, eventsOf } from '../test/simulate-past.ts';
import { D } from './amount.ts';
import { createState } from './state.ts';
import { handleCommand } from './simulation.ts';
import { openNetwork } from './wallets/wallets.ts';
import { createWorld } from './world.ts';

test('a transfer between wallets is made once, and reported by two moves under its number', () => {
  const options = { seed: 'wallet', users: 40, days: 3, speed: 1, fail: 0, unknown: 0, late: 0, screenFaults: 0 };
  const world = createWorld({ ...options, walletFaults: {} }, createState('wallet'), []);
  world.now = START;
  const treasury = { wallets: [], arrivals: {} };
  world.state.treasury = treasury;
  openNetwork(world, treasury, 'USDT', 'TRC20', new D(100));
  const findWallet = (kind: string) => world.state.treasury?.wallets.find((wallet) => wallet.kind === kind);
  const [from, to] = [findWallet('hot')?.no ?? '', findWallet('cold')?.no ?? ''];
  const order = (no: string, amount: string) =>
    handleCommand(world, {
      seq: 1,
      id: 9,
      type: 'wallet.move.requested',
      at: START,
      attempt: 1,
      data: { no, from, to, amount },
    });
  for (let time = 0; time < 2; time += 1) expect(order('T7', '1.5')).toEqual({ id: 9, state: 'done' });
  const [out, arrival, ...more] = eventsOf(world.state.queue, 'chain.moved').map((event) => event.data);
  expect(more).toEqual([]);
  expect(out).toMatchObject({ wallet: from, amount: '-1.5', kind: 'move', record: 'T7' });
  expect(arrival).toMatchObject({ wallet: to, amount: '1.5', kind: 'move', record: 'T7', txHash: out?.txHash });
  expect([findWallet('hot')?.amount, findWallet('cold')?.amount]).toEqual(['18.5', '81.5']);
  expect(order('T8', '18.6')).toMatchObject({ state: 'failed' });
});
