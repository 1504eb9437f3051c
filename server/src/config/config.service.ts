import { POLICY, TWO_CHECKERS_HOLDERS, TWO_CHECKERS_PREFIX } from '@hengtai/contract/approval';
import {
  POLICY_PREFIX,
  URL_SETTINGS,
  config as calls,
  configKinds,
  partsOf,
  settingText,
  valueAfter,
  valueBefore,
} from '@hengtai/contract/config';
import type {
  ConfigHistoryRow,
  ConfigRestore,
  ConfigRow,
  ConfigSave,
  ConfigValue,
} from '@hengtai/contract/config.schema';
import { loosensSetting } from '@hengtai/contract/four-eyes';
import { canonical, compareAmounts } from '@hengtai/contract/money';
import { OTP_FRESH, OTP_REQUIRED } from '@hengtai/contract/otp';
import { refusals } from '@hengtai/contract/refusals';
import type { Ctx } from '../context.ts';
import { type Done, defineAction } from '../http/action.ts';
import { type Preview, textItem } from '../http/preview.ts';
import { refuse, refuseField } from '../refuse.ts';
import { requireFullScope } from './config-history.service.ts';
import { changeSetting } from './change-setting.ts';
import { findChange } from './config-history.store.ts';
import { countOtherApprovers, findSetting, isWithin } from './config.store.ts';

interface Found {
  setting: ConfigRow;
  /** The change whose value is brought back. */
  change?: ConfigHistoryRow;
}

/**
 * Changes a setting. A policy, and what is demanded of logins, is changed by the top-level admin only: an operator who can switch off the checker
 * for their own actions would be that checker.
 */
export const configSave = defineAction<ConfigSave, ConfigRow, Found>({
  name: 'config.save',
  call: calls.save,
  load: async (ctx, { id }) => {
    const setting = await findSetting(ctx, id);
    return setting && { setting };
  },
  check: (_ctx, found, { seen }) => requireEditable(found, seen),
  execute: async (ctx, input, { setting }) => {
    const { str, num, state } = input;
    return change(ctx, setting, { ...(str !== undefined && { str: str.trim() }), num, state }, input.reason);
  },
  guard: {
    subject: subjectOf,
    loosens: (_ctx, { setting }, input) => loosensSetting(setting.key, setting, merged(setting, input)),
    preview: async (ctx, input) => previewChange(await findSetting(ctx, input.id, false), (row) => merged(row, input)),
  },
});

/** Saves a value again that the setting had: what a save is asked is asked of it too, for the bounds may be others by now. */
export const configRestore = defineAction<ConfigRestore, ConfigRow, Found>({
  name: 'config.restore',
  call: calls.restore,
  authorize: requireFullScope,
  load: async (ctx, { id, historyId }) => {
    const setting = await findSetting(ctx, id);
    const earlier = setting && (await findChange(ctx, id, historyId));
    return setting && earlier && { setting, change: earlier };
  },
  check: (_ctx, found, { seen }) => requireEditable(found, seen),
  execute: async (ctx, { value = 'after', reason }, { setting, change: earlier }) => {
    if (!earlier) throw refuse(refusals.notFound);
    return change(ctx, setting, partsFrom(setting, earlier, value), reason, earlier.id);
  },
  guard: {
    subject: subjectOf,
    loosens: (_ctx, { setting, change: earlier }, { value = 'after' }) =>
      !earlier || loosensSetting(setting.key, setting, merged(setting, partsFrom(setting, earlier, value))),
    preview: async (ctx, { id, historyId, value = 'after' }) => {
      const earlier = await findChange(ctx, id, historyId);
      return previewChange(await findSetting(ctx, id, false), (row) =>
        earlier ? merged(row, partsFrom(row, earlier, value)) : row,
      );
    },
  },
});

type Parts = { str?: string | undefined; num?: string | undefined; state?: number | undefined };

/** The parts of an earlier value that count for the setting. */
function partsFrom(setting: ConfigRow, earlier: ConfigHistoryRow, value: 'after' | 'before'): Parts {
  const wanted = value === 'after' ? valueAfter(earlier) : valueBefore(earlier);
  return Object.fromEntries(partsOf(setting).map((part) => [part, wanted[part]]));
}

/** The value as it would be saved. */
const merged = (before: ConfigValue, { str, num, state }: Parts): ConfigValue => ({
  str: str?.trim() ?? before.str,
  num: canonical(num ?? before.num),
  state: state ?? before.state,
});

/** Settings belong to no tree: approvals about them are decided where their maker is. */
function subjectOf({ setting }: Found, ctx: Ctx) {
  return { type: 'config', id: setting.id, agentId: ctx.operator.id };
}

function previewChange(setting: ConfigRow | undefined, becoming: (row: ConfigRow) => ConfigValue): Preview {
  if (!setting) return { asked: [], now: [], legs: [], problem: refusals.notFound.msg };
  const { key, kind, name } = setting;
  return {
    asked: [textItem('设置', name), textItem('改为', settingText({ ...becoming(setting), key, kind }))],
    now: [textItem('当前', settingText(setting))],
    legs: [],
    problem: null,
  };
}

function requireEditable({ setting }: Found, seen: number | undefined): void {
  if (setting.editable === 0) throw refuse(refusals.forbidden);
  if (seen === undefined || seen === setting.updatedAt) return;
  const { state, by, updatedAt: at } = setting;
  throw refuse(refusals.moved, `设置已被修改，当前值：${settingText(setting)}`, { state, by, at });
}

/** Writes the value, what it was, and tells the platform; what says the same as before changes nothing. */
async function change(
  ctx: Ctx,
  before: ConfigRow,
  input: Parts,
  reason = '',
  historyId?: number,
): Promise<Done<ConfigRow>> {
  const { id, key, kind } = before;
  const after = merged(before, input);
  await checkValue(ctx, { ...before, ...after });
  const parts = ['str', 'num', 'state'] as const;
  const changed = parts.filter((part) => after[part] !== before[part]);
  const foreign = changed.find((part) => !partsOf(before).includes(part));
  if (foreign) throw refuseField(foreign, `：此项设置为${configKinds[kind]}类型，不接受该字段`);
  const done = {
    subject: { type: 'config', id },
    before: { key, str: before.str, num: before.num, state: before.state },
    after: { key, ...after, ...(historyId !== undefined && { historyId }) },
  };
  if (changed.length === 0) return { data: before, ...done };
  const at = await changeSetting(ctx, {
    setting: before,
    before: { str: before.str, num: before.num, state: before.state },
    after,
    reason: reason.trim(),
    restoredId: historyId ?? null,
  });
  return { data: { ...before, ...after, by: ctx.operator.account, updatedAt: at }, ...done };
}

async function checkValue(ctx: Ctx, setting: ConfigRow): Promise<void> {
  const { key, kind, str, num, state, min, max } = setting;
  if (URL_SETTINGS.includes(key) && str !== '' && !isWebAddress(str)) {
    throw refuseField('str', '必须是 http:// 或 https:// 开头的网址');
  }
  if (kind === 'num' && !(await isWithin(ctx, setting, num)))
    throw refuseField('num', `必须在 ${min ?? '不限'} 到 ${max ?? '不限'} 之间`);
  // Who demands codes of everybody has shown on himself that they work; else the next call would lock him out.
  if ((key === OTP_REQUIRED || key === OTP_FRESH) && state === 1 && !ctx.codes.on) {
    throw refuseField('state', '：请先为自己启用一次性验证码');
  }
  if (key.startsWith(TWO_CHECKERS_PREFIX) && compareAmounts(num, '0') > 0) {
    const others = await countOtherApprovers(ctx);
    if (others < TWO_CHECKERS_HOLDERS)
      throw refuseField('num', `：除提交人外须有 ${TWO_CHECKERS_HOLDERS} 名有效的复核员，目前 ${others} 名`);
  }
  if (state === POLICY.above && !key.startsWith(POLICY_PREFIX)) throw refuseField('state', '只能是 0 或 1');
}

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol } = new URL(text);
  return protocol === 'https:' || protocol === 'http:';
}
