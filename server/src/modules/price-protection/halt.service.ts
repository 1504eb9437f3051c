import { HALTS_SHOWN } from '@hengtai/contract/price-protection';
import type { PriceProtectionHaltRow, PriceProtectionHaltsInput } from '@hengtai/contract/price-protection.schema';
import type { Ctx } from '../../core/context.ts';
import { requireFound } from '../../core/refuse.ts';
import { fetchHalts } from './halt.store.ts';
import { findPriceProtection } from './price-protection.store.ts';

export async function priceProtectionHalts(
  ctx: Ctx,
  key: PriceProtectionHaltsInput,
): Promise<PriceProtectionHaltRow[]> {
  requireFound(await findPriceProtection(ctx, key));
  return fetchHalts(ctx, key, HALTS_SHOWN);
}
