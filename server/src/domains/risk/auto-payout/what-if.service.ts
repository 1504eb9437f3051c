import type { AutoStartWhatIfInput, AutoWhatIf, AutoWhatIfInput } from '@hengtai/contract/risk/auto-payout/schema';
import type { Preview } from '../../../actions/preview.ts';
import type { Ctx } from '../../../app/context.ts';
import { requireHouse } from '../../../authority/authority.ts';
import { findStartWhatIf, findWhatIf } from './what-if.steps.ts';

export async function autoWhatIf(ctx: Ctx, input: AutoWhatIfInput): Promise<AutoWhatIf> {
  requireHouse(ctx);
  return findWhatIf(ctx, input);
}

export async function autoStartWhatIf(ctx: Ctx, input: AutoStartWhatIfInput): Promise<AutoWhatIf> {
  requireHouse(ctx);
  return findStartWhatIf(ctx, input);
}

/** The same for who approves the budget or the start; nothing without full scope. */
export const previewWhatIf = (ctx: Ctx, whatIf: () => Promise<AutoWhatIf>): Pick<Preview, 'whatIf'> =>
  ctx.scope.kind === 'all' ? { whatIf } : {};
