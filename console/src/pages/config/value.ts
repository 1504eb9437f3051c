import { POLICY, policyLabels } from '@hengtai/contract/approval';
import { POLICY_PREFIX } from '@hengtai/contract/config';
import type { ConfigRow, ConfigSave } from '@hengtai/contract/config.schema';
import { grouped } from '../../ui/decimal.ts';

export const isPolicy = ({ key }: Pick<ConfigRow, 'key'>): boolean => key.startsWith(POLICY_PREFIX);

/** What a setting says, in words. */
export function textOf(row: ConfigRow): string {
  if (isPolicy(row)) {
    const mode = policyLabels[row.state as keyof typeof policyLabels];
    return row.state === POLICY.above ? `超过 ${grouped(row.num)} USDT` : mode;
  }
  if (row.kind === 'switch') return row.state === 1 ? '开启' : '关闭';
  if (row.kind === 'num') return grouped(row.num);
  return row.str === '' ? '未设置' : row.str;
}

/** The bounds of a number, in words. */
export function boundsOf({ kind, min, max }: ConfigRow): string {
  if (kind !== 'num' || (min === null && max === null)) return '';
  if (max === null) return `不小于 ${grouped(min ?? '0')}`;
  return min === null ? `不大于 ${grouped(max)}` : `${grouped(min)} – ${grouped(max)}`;
}

/** Only what counts for the kind is sent, so that nothing else changes along. */
export function changeOf(row: ConfigRow, value: { str: string; num: string; state: number }): Omit<ConfigSave, 'id'> {
  if (isPolicy(row))
    return value.state === POLICY.above ? { state: value.state, num: value.num } : { state: value.state };
  if (row.kind === 'switch') return { state: value.state };
  return row.kind === 'num' ? { num: value.num } : { str: value.str };
}
