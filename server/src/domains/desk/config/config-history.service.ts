import type { config as calls } from '@hengtai/contract/desk/config/calls';
import type { ConfigChange, ConfigDiff } from '@hengtai/contract/desk/config/schema';
import type { InputOf, OutputOf } from '@hengtai/contract/wire/endpoint';
import { requireHouse } from '../../../authority/authority.ts';
import type { Ctx } from '../../../app/context.ts';
import type { ListReader } from '../../../books/lists/list.ts';
import { refuseField } from '../../../app/refuse.ts';
import { fetchChangesBetween, listHistoryRows } from './config-history.store.ts';

type HistoryInput = InputOf<typeof calls.history>;

export const listHistory: ListReader<HistoryInput, OutputOf<typeof calls.history>> = Object.assign(
  async (ctx: Ctx, input: HistoryInput) => {
    requireHouse(ctx);
    return listHistoryRows(ctx, input);
  },
  {
    readAll: async (ctx: Ctx, input: HistoryInput, knownTotal?: number) => {
      requireHouse(ctx);
      return listHistoryRows.readAll(ctx, input, knownTotal);
    },
  },
);

/** The settings that changed after `from` and up to `to` (default: now), both unix milliseconds. */
export async function settingsDiff(ctx: Ctx, { from, to = ctx.now }: ConfigDiff): Promise<ConfigChange[]> {
  requireHouse(ctx);
  if (from > to) throw refuseField('from', '不能晚于结束时间');
  return fetchChangesBetween(ctx, from, to);
}
