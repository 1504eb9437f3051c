import type { ConfigValue } from '@hengtai/contract/desk/config/schema';
import { loosensSetting } from '@hengtai/contract/authority/four-eyes';
import type { Ctx } from '../../../app/context.ts';
import { enqueue } from '../../../gateway/command.store.ts';
import { recordChange } from './config-history.store.ts';
import { saveSetting } from './config.store.ts';

export interface SettingChange {
  setting: { id: number; key: string; kind: string };
  before: ConfigValue;
  after: ConfigValue;
  reason: string;
  /** Id of the history row whose value is restored, if any. */
  restoredId: number | null;
}

/** Writes a setting, records its history and sends it to the platform, in the caller's transaction. */
export async function changeSetting(ctx: Ctx, change: SettingChange): Promise<void> {
  const { setting, before, after, reason, restoredId } = change;
  const { id, key, kind } = setting;
  const at = await saveSetting(ctx, id, after);
  const loosens = loosensSetting(key, before, after);
  await recordChange(ctx, { id, at, before, after, reason, restoredId, loosens });
  const data = { key, kind, ...after };
  await enqueue(ctx.db, { type: 'config.updated', refType: 'config', refId: id, data, now: ctx.now });
}
