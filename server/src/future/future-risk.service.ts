import { HEAT_RANGE, type HeatRange } from '@hengtai/contract/future';
import type {
  FutureExpect,
  FutureExpectInput,
  FutureExposure,
  FutureExposureInput,
  FutureHeat,
  FutureHeatInput,
} from '@hengtai/contract/future.schema';
import { refusals } from '@hengtai/contract/refusals';
import type { Ctx } from '../context.ts';
import { refuse } from '../refuse.ts';
import { expectOf, exposureOf, heatOf } from './future-risk.store.ts';

export const futureExpect = (ctx: Ctx, { userId }: FutureExpectInput): Promise<FutureExpect[]> => expectOf(ctx, userId);

/** Real positions unless demo ones are asked for. */
export const futureExposure = (ctx: Ctx, { demo }: FutureExposureInput): Promise<FutureExposure[]> =>
  exposureOf(ctx, demo ?? 0);

export async function futureHeat(ctx: Ctx, { marketId, demo, range }: FutureHeatInput): Promise<FutureHeat> {
  const found = await heatOf(ctx, marketId, demo ?? 0, (range ?? HEAT_RANGE) as HeatRange);
  if (!found) throw refuse(refusals.notFound);
  return found;
}
