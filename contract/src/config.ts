import { ABILITY } from './ability.ts';
import type { ConfigRow, ConfigSave } from './config.schema.ts';
import { call } from './endpoint.ts';
import type { Nothing } from './session.schema.ts';

/** What of a setting counts: its text, its number, or its switch. */
export const configKinds = { str: '文本', num: '数值', switch: '开关' } as const;
export type ConfigKind = keyof typeof configKinds;

/** Keys of policies begin so; their state is the mode (`policyLabels`), their num the amount in USDT. Only the top-level admin changes them. */
export const POLICY_PREFIX = 'policy.';
/** The chart site that the menu opens. */
export const KLINE_URL = 'kline.url';
/** Settings that are opened as links: nothing but http and https. */
export const URL_SETTINGS: readonly string[] = ['support.url', KLINE_URL];
export const SETTING_TEXT_MAX = 1_000;

export const config = {
  list: call<Nothing, ConfigRow[]>()({
    method: 'GET',
    path: 'config/list',
    summary: '系统设置',
    kind: 'read',
    ability: ABILITY.platform,
  }),
  save: call<ConfigSave, ConfigRow>()({
    method: 'POST',
    path: 'config/save',
    summary: '保存设置',
    kind: 'action',
    ability: ABILITY.platform,
    reason: 'optional',
    fresh: true,
  }),
};
