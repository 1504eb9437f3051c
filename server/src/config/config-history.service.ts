import type { config as calls } from '@hengtai/contract/config';
import type { ConfigChange, ConfigDiff } from '@hengtai/contract/config.schema';
import type { InputOf, OutputOf } from '@hengtai/contract/endpoint';
import { refusals } from '@hengtai/contract/refusals';
import type { Ctx } from '../context.ts';
import type { ListReader } from '../db/list.ts';
import { refuse, refuseField } from '../refuse.ts';
import { changesBetween, historyRows } from './config-history.store.ts';

/** Names and reasons of the whole house stand in it, so it is read only by those who oversee all of it. */
export function requireFullScope({ scope }: Pick<Ctx, 'scope'>): void {
  if (scope.kind !== 'all') throw refuse(refusals.forbidden);
}

type HistoryInput = InputOf<typeof calls.history>;

export const listHistory: ListReader<HistoryInput, OutputOf<typeof calls.history>> = Object.assign(
  async (ctx: Ctx, input: HistoryInput) => {
    requireFullScope(ctx);
    return historyRows(ctx, input);
  },
  {
    whole: async (ctx: Ctx, input: HistoryInput, known?: number) => {
      requireFullScope(ctx);
      return historyRows.whole(ctx, input, known);
    },
  },
);

/** What of all settings changed after the one moment, up to the other; without the other, up to now. */
export async function settingsDiff(ctx: Ctx, { from, to = ctx.now }: ConfigDiff): Promise<ConfigChange[]> {
  requireFullScope(ctx);
  if (from > to) throw refuseField('from', '不能晚于结束时间');
  return changesBetween(ctx, from, to);
}
