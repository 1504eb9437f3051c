import type { PlatformCommand } from '@hengtai/contract/gateway/commands.schema';
import type { Ack } from '@hengtai/contract/gateway/schema';
import { createTxHash } from './chain.ts';
import { emit, randomFor, type World } from './world.ts';

type MoveCommand = Extract<PlatformCommand, { type: 'wallet.move.requested' }>;

/** Moves coins between two wallets at once. A repeated command reports the same moves under the same ids. */
export function moveCoins(world: World, { id, data: { no, from, to, amount } }: MoveCommand): Ack {
  const txHash = createTxHash('', randomFor(world, 'wallet move', no));
  const move = { kind: 'move', txHash, record: no } as const;
  emit(world, 'chain.moved', `${no}#out`, { ...move, no: `${no}-out`, wallet: from, amount: `-${amount}` });
  emit(world, 'chain.moved', `${no}#in`, { ...move, no: `${no}-in`, wallet: to, amount });
  return { id, state: 'done' };
}
