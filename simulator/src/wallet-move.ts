import type { PlatformCommand } from '@hengtai/contract/gateway/commands.schema';
import type { Ack } from '@hengtai/contract/gateway/schema';
import type { World } from './world.ts';
import { moveOrdered } from './wallets/moves.ts';

type MoveCommand = Extract<PlatformCommand, { type: 'wallet.move.requested' }>;

/** Moves coins between two wallets at once. */
export const moveCoins = (world: World, { id, data }: MoveCommand): Ack =>
  moveOrdered(world, data) ? { id, state: 'done' } : { id, state: 'failed', reason: '钱包不存在或余额不足' };
