import { HEAT_RANGE } from '@hengtai/contract/trading/future/calls';
import type { HeatRange } from '@hengtai/contract/wire/input-values';
import type {
  FutureAccountRisk,
  FutureUsersInput,
  FutureExposure,
  FutureExposureInput,
  FutureHeat,
  FutureHeatInput,
} from '@hengtai/contract/trading/future/schema';
import type { Ctx } from '../../../app/context.ts';
import { requireFound } from '../../../app/refuse.ts';
import { fetchAccountRisk, fetchExposure, fetchHeat } from './future-risk.store.ts';

export const futureAccountRisk = (ctx: Ctx, { userId }: FutureUsersInput): Promise<FutureAccountRisk[]> =>
  fetchAccountRisk(ctx, userId);

/** Real positions by default; demo positions with `demo: 1`. */
export const futureExposure = (ctx: Ctx, { demo }: FutureExposureInput): Promise<FutureExposure[]> =>
  fetchExposure(ctx, demo ?? 0);

export async function futureHeat(ctx: Ctx, { marketId, demo, range }: FutureHeatInput): Promise<FutureHeat> {
  return requireFound(await fetchHeat(ctx, marketId, demo ?? 0, (range ?? HEAT_RANGE) as HeatRange));
}
