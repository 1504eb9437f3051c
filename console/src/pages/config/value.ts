import { POLICY } from '@hengtai/contract/approval';
import { AMOUNT_PATTERN } from '@hengtai/contract/money';
import { isPolicy, settingText, unitOf } from '@hengtai/contract/config';
import type { ConfigRow, ConfigSave, ConfigValue } from '@hengtai/contract/config.schema';
import { loosensSetting } from '@hengtai/contract/four-eyes';
import { compare, grouped } from '../../ui/decimal.ts';
import { zeroOf } from './policy-words.ts';

export const ADMIN_ONLY = '仅顶级管理员可修改';

export const NEEDS_CHECKER = '四眼已锁定：此修改放宽了保护，将提交复核，由另一位复核员确认后才生效。';

export const isAmount = new RegExp(AMOUNT_PATTERN);

/** Why those settings are changed that guard the house itself. */
export const GUARD_REASONS = ['制度调整', '人员变动', '临时放宽', '更正误操作'] as const;

type Named = { key: string; kind: string; name: string };

/** What a setting says, in words, a number with its unit. */
export function textOf(setting: Named & ConfigValue): string {
  const zero = setting.num === '0' ? zeroOf(setting.key) : undefined;
  if (zero !== undefined) return zero;
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
  const within = (min === null || compare(num, min) >= 0) && (max === null || compare(num, max) <= 0);
  return within ? undefined : `必须在 ${min ?? '不限'} 到 ${max ?? '不限'} 之间`;
}

/** Whether a change protects less than before; what is no number yet is not asked about. */
export const loosens = (row: Pick<ConfigRow, 'key'> & ConfigValue, wanted: ConfigValue): boolean =>
  isAmount.test(wanted.num) && loosensSetting(row.key, row, wanted);

/** Only what counts for the kind is sent, so that nothing else changes along. */
export function changeOf(row: ConfigRow, value: ConfigValue): Omit<ConfigSave, 'id'> {
  if (isPolicy(row))
    return value.state === POLICY.above ? { state: value.state, num: value.num } : { state: value.state };
  if (row.kind === 'switch') return { state: value.state };
  return row.kind === 'num' ? { num: value.num } : { str: value.str };
}
