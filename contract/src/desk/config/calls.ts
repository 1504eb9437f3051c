import { ABILITY } from '../../authority/ability.ts';
import {
  BRANCH_LIMIT_PREFIX,
  FOUR_EYES_PREFIX,
  HOUSE_LIMIT_PREFIX,
  POLICY,
  POLICY_PREFIX,
  TWO_CHECKERS_PREFIX,
  policyLabels,
} from '../approval/calls.ts';
import { configActions } from './facts.ts';
import type {
  ConfigChange,
  ConfigDiff,
  ConfigHistoryRow,
  ConfigRestore,
  ConfigRow,
  ConfigSave,
  ConfigValue,
} from './schema.ts';
import { action, listCall, read } from '../../wire/endpoint.ts';
import { OIDC_PREFIX } from '../../house/oidc/calls.ts';
import { OTP_PREFIX } from '../../house/otp/calls.ts';
import { PASSKEY_PREFIX } from '../../house/passkey/calls.ts';
import type { EmptyInput } from '../../house/session/schema.ts';
import { PASSWORD_CHANGE } from '../../house/session/calls.ts';
import { SIGNING_PREFIX } from '../../risk/signing/calls.ts';

/** The type of a setting's value. */
export const configKinds = { str: '文本', num: '数值', switch: '开关' } as const;
/** Setting: address of the support page. */
export const SUPPORT_URL = 'support.url';
/** Setting: address of the chart site in the menu. */
export const KLINE_URL = 'kline.url';
/** Setting: a watermark of account and time over pages with personal data or money. */
export const WATERMARK = 'console.watermark';
/** Setting: the time zone of the days of reports. */
export const REPORT_ZONE = 'report.zone';
/** Settings that are opened as links: only http and https are allowed. */
export const URL_SETTINGS: readonly string[] = [SUPPORT_URL, KLINE_URL];

/** Prefixes of settings that only the top-level admin changes. */
export const ADMIN_SETTINGS: readonly string[] = [
  POLICY_PREFIX,
  OTP_PREFIX,
  PASSKEY_PREFIX,
  OIDC_PREFIX,
  PASSWORD_CHANGE,
  BRANCH_LIMIT_PREFIX,
  HOUSE_LIMIT_PREFIX,
  TWO_CHECKERS_PREFIX,
  FOUR_EYES_PREFIX,
  SIGNING_PREFIX,
  REPORT_ZONE,
];

export const isPolicy = ({ key }: { key: string }): boolean => key.startsWith(POLICY_PREFIX);

/** Whether a setting protects the installation: the console requires a reason for its change. */
export const isGuard = ({ key }: { key: string }): boolean =>
  ADMIN_SETTINGS.some((prefix) => key.startsWith(prefix)) || key === WATERMARK;

/** The parts of a value that a setting uses. Saving leaves the others unchanged. */
export function partsOf({ key, kind }: { key: string; kind: string }): readonly (keyof ConfigValue)[] {
  if (isPolicy({ key })) return ['state', 'num'];
  return kind === 'switch' ? ['state'] : kind === 'num' ? ['num'] : ['str'];
}

/** The settings whose name, group, remark or key contain every word of the text, those found by name first. */
export function findSettings(rows: readonly ConfigRow[], text: string): ConfigRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const contains = (...texts: string[]): boolean => {
    const all = texts.join(' ').toLowerCase();
    return words.every((word) => all.includes(word));
  };
  const found = rows.filter(({ name, group, remark, key }) => contains(name, group, remark, key));
  const isNamed = ({ name }: ConfigRow): boolean => contains(name);
  return [...found.filter(isNamed), ...found.filter((row) => !isNamed(row))];
}

/** The unit at the end of a setting's name, such as `小时` in `时长(小时)`; empty without one. */
export const unitOf = ({ name }: { name: string }): string => /\(([^()]+)\)$/.exec(name)?.[1] ?? '';

/** A setting's value as text. `write` formats numbers. */
export function settingText(
  setting: { key: string; kind: string } & ConfigValue,
  write: (num: string) => string = (num) => num,
): string {
  const { kind, str, num, state } = setting;
  if (isPolicy(setting))
    return state === POLICY.above
      ? `超过 ${write(num)} USDT`
      : (policyLabels[state as keyof typeof policyLabels] ?? String(state));
  if (kind === 'switch') return state === 1 ? '开启' : '关闭';
  if (kind === 'num') return write(num);
  return str === '' ? '未设置' : str;
}

/** The values before and after a change. */
export const valueBefore = (row: ConfigHistoryRow): { key: string; kind: string } & ConfigValue => ({
  key: row.key,
  kind: row.kind,
  str: row.beforeStr,
  num: row.beforeNum,
  state: row.beforeState,
});
export const valueAfter = (row: ConfigHistoryRow): { key: string; kind: string } & ConfigValue => ({
  key: row.key,
  kind: row.kind,
  str: row.afterStr,
  num: row.afterNum,
  state: row.afterState,
});

const history = {
  filters: [
    { field: 'id', label: '设置', kind: 'eq', type: 'id' },
    { field: 'by', label: '操作人', kind: 'prefix', type: 'text' },
    { field: 'restored', label: '方式', kind: 'eq', type: 'int', options: { 0: '修改', 1: '恢复' } },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'createdAt', title: '时间', kind: 'time' },
    { field: 'group', title: '分组', kind: 'text' },
    { field: 'name', title: '设置', kind: 'text' },
    {
      field: 'beforeStr',
      title: '变更前',
      kind: 'text',
      text: (row: ConfigHistoryRow) => settingText(valueBefore(row)),
    },
    { field: 'afterStr', title: '变更后', kind: 'text', text: (row: ConfigHistoryRow) => settingText(valueAfter(row)) },
    { field: 'by', title: '操作人', kind: 'agent' },
    { field: 'reason', title: '原因', kind: 'text' },
    { field: 'restoredId', title: '恢复自', kind: 'id' },
    { field: 'requestId', title: '请求编号', kind: 'hash' },
  ],
  views: [{ name: '恢复的设置', query: 'restored=1' }],
} as const;

export const config = {
  list: read<EmptyInput, ConfigRow[]>()('config/list', '系统设置', { ability: ABILITY.platform }),
  save: action<ConfigSave, ConfigRow>()(configActions.save, 'config/save', { record: 'list' }),
  /** Every change ever made; only for operators with full scope. */
  history: listCall<ConfigHistoryRow>()('config/history', '设置变更记录', history, { ability: ABILITY.platform }),
  /** Settings that differ between two times. */
  diff: read<ConfigDiff, ConfigChange[]>()('config/diff', '设置对比', { ability: ABILITY.platform }),
  /** Saves an earlier value of a setting again. */
  restore: action<ConfigRestore, ConfigRow>()(configActions.restore, 'config/restore'),
};
