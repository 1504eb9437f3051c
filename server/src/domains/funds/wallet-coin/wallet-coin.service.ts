import type { WalletCoinDetail } from '@hengtai/contract/funds/wallet-coin/schema';
import type { IdInput } from '@hengtai/contract/wire/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { Ctx } from '../../../app/context.ts';
import { refuse } from '../../../app/refuse.ts';
import { requireHouseReader } from '../house/house.rules.ts';
import { findLongestMatchMs } from '../wallet/bound.store.ts';
import { fetchWalletsOfCoin } from '../wallet/wallet-list.store.ts';
import { fetchUnderWay } from './under-way.store.ts';
import { findWalletCoin } from './wallet-coin.store.ts';

/** Most wallets and most items of a detail. */
const LIMIT = 100;

/** @throws Refused 404 for a coin without balances and wallets */
export async function readWalletCoin(ctx: Ctx, { id: marketId }: IdInput): Promise<WalletCoinDetail> {
  requireHouseReader(ctx);
  const coin = await findWalletCoin(ctx.db, marketId);
  if (!coin) throw refuse(refusals.notFound);
  const since = coin.row.createdAt - (await findLongestMatchMs(ctx.db));
  const wallets = await fetchWalletsOfCoin(ctx.db, marketId, LIMIT);
  const underWay = await fetchUnderWay(ctx.db, { marketId, since, limit: LIMIT });
  return {
    ...coin,
    wallets: wallets.list,
    walletCount: wallets.count,
    underWay: underWay.list,
    underWayCount: underWay.count,
  };
}
