import { POLICY } from '@hengtai/contract/desk/approval/calls';
import { AMOUNT_PATTERN } from '@hengtai/contract/values/money';
import { isPolicy, settingText, unitOf } from '@hengtai/contract/desk/config/calls';
import type { ConfigRow, ConfigSave, ConfigValue } from '@hengtai/contract/desk/config/schema';
import { loosensSetting } from '@hengtai/contract/authority/four-eyes';
import { compare, formatGrouped } from '../../../ui/value/decimal.ts';
import { zeroMeaningOf } from './policy-words.ts';

export const ADMIN_ONLY = '仅顶级管理员可修改';

export const NEEDS_CHECKER = '四眼已锁定：此修改放宽了保护，将提交复核，由另一位复核员确认后才生效。';

export const AMOUNT_REGEX = new RegExp(AMOUNT_PATTERN);

/** Common reasons for changing a setting that protects the installation. */
export const GUARD_REASONS = ['制度调整', '人员变动', '临时放宽', '更正误操作'] as const;

type SettingIdentity = { key: string; kind: string; name: string };

/** The value of a setting as text, a number with its unit. */
export function textOf(setting: SettingIdentity & ConfigValue): string {
  const zero = setting.num === '0' ? zeroMeaningOf(setting.key) : undefined;
  if (zero !== undefined) return zero;
  const text = settingText(setting, formatGrouped);
  const unit = setting.kind === 'num' && !isPolicy(setting) ? unitOf(setting) : '';
  return unit === '' ? text : `${text} ${unit}`;
}

/** The name of a setting without the unit, which the value shows. */
export function nameOf(setting: SettingIdentity): string {
  return setting.kind === 'num' ? setting.name.replace(/\([^()]+\)$/, '') : setting.name;
}

/** The bounds of a numeric setting as text; empty if it has none. */
export function boundsOf({ kind, min, max }: ConfigRow): string {
  if (kind !== 'num' || (min === null && max === null)) return '';
  if (max === null) return `不小于 ${formatGrouped(min ?? '0')}`;
  return min === null ? `不大于 ${formatGrouped(max)}` : `${formatGrouped(min)} – ${formatGrouped(max)}`;
}

/** The error for a decimal outside the bounds, worded like the server's; undefined if it is within them. */
export function findBoundsError({ min, max }: ConfigRow, num: string): string | undefined {
  const isInside = (min === null || compare(num, min) >= 0) && (max === null || compare(num, max) <= 0);
  return isInside ? undefined : `必须在 ${min ?? '不限'} 到 ${max ?? '不限'} 之间`;
}

/** True if a change loosens a protection. Always false while `num` is not a valid decimal. */
export const loosensProtection = (row: Pick<ConfigRow, 'key'> & ConfigValue, next: ConfigValue): boolean =>
  AMOUNT_REGEX.test(next.num) && loosensSetting(row.key, row, next);

/** The fields to send: only those that the kind of the setting uses, so that no other field changes. */
export function changeOf(row: ConfigRow, value: ConfigValue): Omit<ConfigSave, 'id'> {
  if (isPolicy(row))
    return value.state === POLICY.above ? { state: value.state, num: value.num } : { state: value.state };
  if (row.kind === 'switch') return { state: value.state };
  return row.kind === 'num' ? { num: value.num } : { str: value.str };
}
