import { POLICY } from '@hengtai/contract/approval';
import { isPolicy, settingText, unitOf } from '@hengtai/contract/config';
import type { ConfigRow, ConfigSave, ConfigValue } from '@hengtai/contract/config.schema';
import { compared, grouped } from '../../ui/decimal.ts';

export const ADMIN_ONLY = '仅顶级管理员可修改';

/** Why those settings are changed that guard the house itself. */
export const GUARD_REASONS = ['制度调整', '人员变动', '临时放宽', '更正误操作'] as const;

type Named = { key: string; kind: string; name: string };

/** What a setting says, in words, a number with its unit. */
export function textOf(setting: Named & ConfigValue): string {
  const text = settingText(setting, grouped);
  const unit = setting.kind === 'num' && !isPolicy(setting) ? unitOf(setting) : '';
  return unit === '' ? text : `${text} ${unit}`;
}

/** Its name, where the unit stands with the value. */
export const nameOf = (setting: Named): string =>
  setting.kind === 'num' && !isPolicy(setting) ? setting.name.replace(/\([^()]+\)$/, '') : setting.name;

/** The bounds of a number, in words. */
export function boundsOf({ kind, min, max }: ConfigRow): string {
  if (kind !== 'num' || (min === null && max === null)) return '';
  if (max === null) return `不小于 ${grouped(min ?? '0')}`;
  return min === null ? `不大于 ${grouped(max)}` : `${grouped(min)} – ${grouped(max)}`;
}

/** Why the number cannot be saved, as the server would say it; undefined when it can. */
export function outOfBounds({ min, max }: ConfigRow, num: string): string | undefined {
  const within = (min === null || compared(num, min) >= 0) && (max === null || compared(num, max) <= 0);
  return within ? undefined : `必须在 ${min ?? '不限'} 到 ${max ?? '不限'} 之间`;
}

/** Only what counts for the kind is sent, so that nothing else changes along. */
export function changeOf(row: ConfigRow, value: ConfigValue): Omit<ConfigSave, 'id'> {
  if (isPolicy(row))
    return value.state === POLICY.above ? { state: value.state, num: value.num } : { state: value.state };
  if (row.kind === 'switch') return { state: value.state };
  return row.kind === 'num' ? { num: value.num } : { str: value.str };
}
