import type { PlatformCommand } from '@hengtai/contract/gateway/commands.schema';
import type { PlatformEvent } from '@hengtai/contract/gateway/events.schema';
import { D } from '../src/amount.ts';
import { createRecharge, stepRecharges } from '../src/recharge.ts';
import { DAY_MS, HOUR_MS } from '../src/rhythm.ts';
import { applyAnswer, handleCommand } from '../src/simulation.ts';
import { stepWallet } from '../src/wallet.ts';
import { balanceWallets } from '../src/wallets/moves.ts';
import { readWallets } from '../src/wallets/wallets.ts';
import { createWithdraw, stepWithdrawals } from '../src/withdraw.ts';
import type { World } from '../src/world.ts';

const STEP_MS = HOUR_MS / 6;
/** Steps between two runs. */
const EVERY = { recharge: 9, withdraw: 18, balance: 6, reading: 72 } as const;

/** Simulates days of deposits, withdrawals and wallets after the start, without what else customers do, so that it is fast. */
export function* runWallets(world: World, days: number): Generator<PlatformEvent[]> {
  const { startedAt } = world.state;
  for (let step = 0; step * STEP_MS < days * DAY_MS; step += 1) {
    const isDue = (name: keyof typeof EVERY): boolean => step % EVERY[name] === 0;
    world.now = startedAt + step * STEP_MS;
    if (isDue('reading')) readWallets(world);
    stepRecharges(world);
    stepWithdrawals(world);
    stepWallet(world);
    if (isDue('balance')) balanceWallets(world);
    if (isDue('recharge')) createRecharge(world);
    if (isDue('withdraw')) createWithdraw(world);
    // An answer can cause further events, such as reversals.
    while (world.state.queue.length > 0) yield world.state.queue.splice(0);
  }
}

/** Answers events as a server does that applies all of them and whose operators pass each withdrawal. */
export function applyAll(world: World, events: readonly PlatformEvent[]): void {
  for (const event of events) {
    applyAnswer(world, event, { eventId: event.eventId, result: 'applied' });
    if (event.type !== 'withdraw.requested') continue;
    const { no, account, market, network, address, memo = '', amount, fee } = event.data;
    const data = {
      no,
      attempt: 1,
      account,
      market,
      network,
      address,
      memo,
      amount: new D(amount).minus(fee).toFixed(),
    };
    const command: PlatformCommand = { seq: 1, id: 1, type: 'withdraw.payout', at: world.now, attempt: 1, data };
    handleCommand(world, command);
  }
}
