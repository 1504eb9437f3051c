import { HALTS_SHOWN } from '@hengtai/contract/risk/price-protection/calls';
import type { PriceProtectionHaltRow, PriceProtectionHaltsInput } from '@hengtai/contract/risk/price-protection/schema';
import type { Ctx } from '../../../app/context.ts';
import { requireFound } from '../../../app/refuse.ts';
import { fetchHalts } from './halt.store.ts';
import { findPriceProtection } from './price-protection.store.ts';

export async function priceProtectionHalts(
  ctx: Ctx,
  key: PriceProtectionHaltsInput,
): Promise<PriceProtectionHaltRow[]> {
  requireFound(await findPriceProtection(ctx, key));
  return fetchHalts(ctx, key, HALTS_SHOWN);
}
