import type { ConfigValue } from '@hengtai/contract/desk/config/schema';
import { loosensSetting } from '@hengtai/contract/authority/four-eyes';
import { SWEEP_DAYS, TOP_UP_DAYS } from '@hengtai/contract/funds/wallet-coin/facts';
import { canonical, compareAmounts } from '@hengtai/contract/values/money';
import type { Ctx } from '../../../app/context.ts';
import { refuseField } from '../../../app/refuse.ts';
import type { Db } from '../../../database/connect.ts';
import { enqueue } from '../../../gateway/command.store.ts';
import { recordChange } from './config-history.store.ts';
import { lockNumber, saveSetting } from './config.store.ts';

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

/** @throws Refused 422 if hot wallets would be swept below the days that they are to cover */
export async function requireDaysInOrder(db: Db, key: string, num: string): Promise<void> {
  if (key !== TOP_UP_DAYS && key !== SWEEP_DAYS) return;
  const other = await lockNumber(db, key === TOP_UP_DAYS ? SWEEP_DAYS : TOP_UP_DAYS);
  const [topUp, sweep] = key === TOP_UP_DAYS ? [num, other] : [other, num];
  const isOff = [topUp, sweep].some((days) => compareAmounts(days, '0') === 0);
  if (!isOff && compareAmounts(topUp, sweep) > 0)
    throw refuseField('num', `：补充下限不能高于归集上限，另一项目前为 ${canonical(other)} 天`);
}
