import { expect, test } from 'vitest';
import { START, eventsOf } from '../test/simulate-past.ts';
import { createState } from './state.ts';
import { handleCommand } from './simulation.ts';
import { createWorld } from './world.ts';

test('a transfer between wallets is reported by two moves under its number, a repeated one by the same', () => {
  const options = { seed: 'wallet', users: 40, days: 3, speed: 1, fail: 0, unknown: 0, late: 0, screenFaults: 0 };
  const world = createWorld({ ...options, walletFaults: {} }, createState('wallet'), []);
  world.now = START;
  const data = { no: 'T7', from: 'hot', to: 'cold', amount: '1.5' };
  const command = { seq: 1, id: 9, type: 'wallet.move.requested', at: START, attempt: 1, data } as const;
  for (const attempt of [1, 2]) expect(handleCommand(world, { ...command, attempt })).toEqual({ id: 9, state: 'done' });
  const moves = eventsOf(world.state.queue, 'chain.moved');
  expect(moves.slice(2)).toEqual(moves.slice(0, 2));
  const [out, arrival] = moves.map((event) => event.data);
  expect(out).toMatchObject({ wallet: 'hot', amount: '-1.5', kind: 'move', record: 'T7' });
  expect(arrival).toMatchObject({ wallet: 'cold', amount: '1.5', kind: 'move', record: 'T7', txHash: out?.txHash });
});
