import type { AutoWhatIf, AutoWhatIfInput } from '@hengtai/contract/risk/auto-payout/schema';
import type { Preview } from '../../../actions/preview.ts';
import type { Ctx } from '../../../app/context.ts';
import { requireHouse } from '../../../authority/authority.ts';
import { findWhatIf } from './what-if.steps.ts';

export async function autoWhatIf(ctx: Ctx, input: AutoWhatIfInput): Promise<AutoWhatIf> {
  requireHouse(ctx);
  return findWhatIf(ctx, input);
}

/** The same for who approves the budget; nothing without full scope. */
export const previewWhatIf = (ctx: Ctx, input: AutoWhatIfInput): Pick<Preview, 'whatIf'> =>
  ctx.scope.kind === 'all' ? { whatIf: () => findWhatIf(ctx, input) } : {};
