import { D, formatAmount } from '../amount.ts';
import { amountDecimals } from '../market.ts';
import { HOUR_MS, startOfDay } from '../rhythm.ts';
import type { World } from '../world.ts';
import { DROPPABLE_MS, balanceWallets, receive } from './moves.ts';
import { createTreasury, openNetwork } from './wallets.ts';

/**
 * Wallets are reported since the last midnight of the past. Each earlier day would add its deposits and payouts to the events at
 * the start.
 */
export function scheduleWallets(world: World, schedule: (at: number, run: () => void) => void): void {
  const { startedAt } = world.state;
  world.state.treasury = createTreasury();
  const openedAt = startOfDay(startedAt - 1);
  schedule(openedAt, () => openWallets(world));
  for (let at = openedAt + HOUR_MS; at < startedAt; at += HOUR_MS) schedule(at, () => balanceWallets(world));
}

/** Reports the wallets from now on, with what the past has left in them. What the chain may still drop arrives afterwards. */
function openWallets(world: World): void {
  const { treasury } = world.state;
  if (!treasury?.unreported) return;
  const { unreported, arrivals } = treasury;
  delete treasury.unreported;
  treasury.arrivals = {};
  const late = Object.entries(arrivals).filter(([, { at }]) => at > world.now - DROPPABLE_MS);
  for (const [, { market, amount }] of late)
    unreported[market] = new D(unreported[market] ?? 0).minus(amount).toFixed();
  for (const { name, networks } of world.markets) {
    const total = D.max(unreported[name] ?? 0, 0);
    const share = formatAmount(total.div(Math.max(networks.length, 1)), amountDecimals(name));
    networks.forEach(({ network }, index) => {
      const amount = index > 0 ? new D(share) : total.minus(new D(share).mul(networks.length - 1));
      openNetwork(world, treasury, name, network, amount);
    });
  }
  for (const [recharge, arrival] of late) receive(world, recharge, arrival);
}
