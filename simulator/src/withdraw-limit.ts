import type { PlatformEvent } from '@hengtai/contract/gateway/events.schema';
import { withdrawFeeOf } from '@hengtai/contract/risk/withdraw-limit/fee';
import { type Feed, ifExists } from './feed.ts';
import { amountDecimals, marketOf } from './market.ts';
import type { World } from './world.ts';

/**
 * Sets the fees of new withdrawals to those that the back office demands of their users. Once for each: an event that is sent
 * again must not change.
 */
export async function setFees(world: World, feed: Feed, events: readonly PlatformEvent[]): Promise<void> {
  for (const event of events) {
    if (event.type !== 'withdraw.requested') continue;
    const { data } = event;
    const open = world.state.open[data.no];
    const market = marketOf(world, data.market);
    if (!open || open.hasFee || !market) continue;
    const coins = await ifExists(feed.read('withdrawal-limits', { account: data.account }));
    const terms = coins?.find((coin) => coin.market === data.market);
    const network = market.networks.find((one) => one.network === data.network);
    const basis = {
      amount: data.amount,
      networkFee: network?.fee ?? market.withdrawFee,
      amountPrecision: market.amountPrecision ?? amountDecimals(market.name),
    };
    data.fee = (terms && withdrawFeeOf(terms, basis)) ?? data.fee;
    open.hasFee = true;
  }
}
