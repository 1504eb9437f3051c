import {
  POLICY,
  TWO_CHECKERS_HOLDERS,
  TWO_CHECKERS_PREFIX,
  POLICY_PREFIX,
  policyLabels,
} from '@hengtai/contract/desk/approval/calls';
import {
  REPORT_ZONE,
  URL_SETTINGS,
  config as calls,
  configKinds,
  partsOf,
  settingText,
  valueAfter,
  valueBefore,
} from '@hengtai/contract/desk/config/calls';
import type {
  ConfigHistoryRow,
  ConfigRestore,
  ConfigRow,
  ConfigSave,
  ConfigValue,
} from '@hengtai/contract/desk/config/schema';
import { loosensSetting } from '@hengtai/contract/authority/four-eyes';
import { MATCH_MINUTES } from '@hengtai/contract/funds/wallet/item';
import { PROOF_HOUR } from '@hengtai/contract/desk/report/facts';
import { PAYING_MINUTES } from '@hengtai/contract/funds/withdraw/calls';
import { Decimal } from '@hengtai/contract/values/decimal';
import { canonical, compareAmounts } from '@hengtai/contract/values/money';
import { OTP_FRESH, OTP_REQUIRED } from '@hengtai/contract/house/otp/calls';
import { PASSKEY_ALONE, PASSKEY_ONLY } from '@hengtai/contract/house/passkey/calls';
import { refusals } from '@hengtai/contract/wire/refusals';
import { SIGNING_REQUIRED } from '@hengtai/contract/risk/signing/calls';
import { parseHeldRoster } from '@hengtai/contract/risk/signing/text';
import { stableJson } from '@hengtai/contract/wire/stable-json';
import { onOffLabels } from '@hengtai/contract/wire/switches';
import type { Ctx } from '../../../app/context.ts';
import { type ActionResult, defineAction } from '../../../actions/action.ts';
import { type Save, saveOfRecord } from '../../../actions/save.ts';
import { refuseStaleSave } from '../../../actions/stale-save.ts';
import { type Preview, codeItem, textItem } from '../../../actions/preview.ts';
import { refuse, refuseField, requireFound } from '../../../app/refuse.ts';
import { findLockedAt } from '../../../actions/four-eyes.store.ts';
import { withFullScope } from '../../../database/connect.ts';
import { findRoster } from '../../risk/signing/signing.store.ts';
import { requireHouse } from '../../../authority/authority.ts';
import { changeReportZone } from '../../../books/lists/report-zone.ts';
import { findUnfitZones } from '../../../books/lists/zone-agreement.ts';
import { changeSetting, requireDaysInOrder } from './config.steps.ts';
import { findChange } from './config-history.store.ts';
import { countOtherApprovers, findPolicyBehind, findSetting, isInBounds } from './config.store.ts';

interface TargetSetting {
  setting: ConfigRow;
  /** The history row whose value is restored. */
  earlier?: ConfigHistoryRow;
  /** The policy that a limit or band depends on. */
  policy?: ConfigValue | undefined;
}

const recordOf = ({ setting }: TargetSetting) => ({ data: setting, subject: { type: 'config', id: setting.id } });

const hasParts = ({ setting }: TargetSetting, parts: Parts): boolean =>
  stableJson(mergeValue(setting, {})) === stableJson(mergeValue(setting, parts));

/** What an approval of a setting signs: all its parts, and the policy behind a limit that is a multiple of its amount. */
interface SignedSetting extends ConfigValue {
  policy?: ConfigValue;
}

/** @param partsIn what the input changes; the other parts stay */
const saveOfSetting = <I extends { seen?: number | undefined }>(
  partsIn: (target: TargetSetting, input: I) => Parts,
): Save<I, TargetSetting> => {
  const sign = (value: ConfigValue, { policy }: TargetSetting): SignedSetting => ({
    ...value,
    ...(policy && { policy }),
  });
  return saveOfRecord({
    line: ({ setting }) => `config:${setting.id}`,
    title: ({ setting: { group, name } }) => `${group} · ${name}`,
    words: (_ctx, { setting }) => wordsOf(setting),
    before: (target) => sign(mergeValue(target.setting, {}), target),
    after: (target, input) => sign(mergeValue(target.setting, partsIn(target, input)), target),
    loosens: (before, after, { setting }) => !before || !after || loosensSetting(setting.key, before, after),
    renew: (input, { setting }) => ({ ...input, seen: setting.updatedAt }),
  });
};

/** Whether a state is the mode of a policy or a switch depends on the setting. */
function wordsOf(setting: ConfigRow) {
  const isPolicy = setting.key.startsWith(POLICY_PREFIX);
  const labels: Readonly<Record<number, string>> = isPolicy ? policyLabels : onOffLabels;
  return { names: { policy: '所依据的策略' }, texts: { state: (state: number) => labels[state] ?? String(state) } };
}

const loadSetting = async (ctx: Ctx, id: number, reading = false): Promise<TargetSetting | undefined> => {
  const setting = await findSetting(ctx, id, !reading);
  return setting && { setting, policy: await findPolicyBehind(ctx.db, setting.key) };
};

/**
 * Changes a setting. Only the top-level admin may change policies and login requirements, because an operator who can
 * disable the checker for their own actions would be that checker.
 */
export const configSave = defineAction<ConfigSave, ConfigRow, TargetSetting>({
  call: calls.save,
  load: (ctx, { id }, { reading }) => loadSetting(ctx, id, reading),
  save: saveOfSetting((_target, input) => input),
  setting: { record: recordOf, isSet: hasParts },
  check: (_ctx, found, input) => {
    requireEditable(found, input.seen);
    requireParts(found, input);
  },
  execute: async (ctx, input, { setting }) => {
    const { str, num, state } = input;
    return saveValue(ctx, setting, { ...(str !== undefined && { str: str.trim() }), num, state }, input.reason);
  },
  guard: {
    subject: subjectOf,
    preview: async (ctx, input) => {
      const setting = await findSetting(ctx, input.id, false);
      const preview = previewChange(setting, (row) => mergeValue(row, input));
      return setting?.key === SIGNING_REQUIRED ? { ...preview, terms: await fetchRosterItems(ctx) } : preview;
    },
  },
});

/** Restores an earlier value. It is validated like a save, because the bounds may have changed since. */
export const configRestore = defineAction<ConfigRestore, ConfigRow, TargetSetting>({
  call: calls.restore,
  authorize: requireHouse,
  load: async (ctx, { id, historyId }, { reading }) => {
    const target = await loadSetting(ctx, id, reading);
    const earlier = target && (await findChange(ctx, id, historyId));
    return target && earlier && { ...target, earlier };
  },
  save: saveOfSetting(restoredParts),
  setting: { record: recordOf, isSet: (target, input) => hasParts(target, restoredParts(target, input)) },
  check: (_ctx, found, { seen }) => requireEditable(found, seen),
  execute: async (ctx, { value = 'after', reason }, { setting, earlier }) => {
    if (!earlier) throw refuse(refusals.notFound);
    return saveValue(ctx, setting, pickParts(setting, earlier, value), reason, earlier.id);
  },
  guard: {
    subject: subjectOf,
    preview: async (ctx, { id, historyId, value = 'after' }) => {
      const earlier = await findChange(ctx, id, historyId);
      return previewChange(await findSetting(ctx, id, false), (row) =>
        earlier ? mergeValue(row, pickParts(row, earlier, value)) : row,
      );
    },
  },
});

function restoredParts({ setting, earlier }: TargetSetting, { value = 'after' }: ConfigRestore): Parts {
  return earlier ? pickParts(setting, earlier, value) : {};
}

type Parts = { str?: string | undefined; num?: string | undefined; state?: number | undefined };

/** The parts of an earlier value that the kind of setting uses. */
function pickParts(setting: ConfigRow, earlier: ConfigHistoryRow, value: 'after' | 'before'): Parts {
  const restored = value === 'after' ? valueAfter(earlier) : valueBefore(earlier);
  return Object.fromEntries(partsOf(setting).map((part) => [part, restored[part]]));
}

/** The value that would be saved. */
const mergeValue = (before: ConfigValue, { str, num, state }: Parts): ConfigValue => ({
  str: str?.trim() ?? before.str,
  num: canonical(num ?? before.num),
  state: state ?? before.state,
});

/** A setting belongs to no agent, so its approvals belong to the tree of their maker. */
function subjectOf({ setting }: TargetSetting, ctx: Ctx) {
  return { type: 'config', id: setting.id, agentId: ctx.operator.id };
}

function previewChange(setting: ConfigRow | undefined, toNewValue: (row: ConfigRow) => ConfigValue): Preview {
  if (!setting) return { input: [], now: [], legs: [], problem: refusals.notFound.msg };
  const { key, kind, name, group } = setting;
  return {
    input: [
      textItem('设置', `${group} · ${name}`),
      textItem('改为', settingText({ ...toNewValue(setting), key, kind })),
    ],
    now: [textItem('当前', settingText(setting))],
    legs: [],
    problem: null,
  };
}

/** Whose signatures payouts then need. */
async function fetchRosterItems({ db }: Ctx) {
  const stored = await withFullScope(db, () => findRoster(db));
  if (!stored) return [];
  const { keys, threshold } = parseHeldRoster(stored.text);
  const persons = [...new Set(keys.map(({ person }) => person))];
  return [
    textItem('签名名册', `版本 ${stored.version}，每笔打款须 ${threshold} 人签名`),
    codeItem('签名人', persons.join(', ')),
  ];
}

function requireEditable({ setting }: TargetSetting, seen: number | undefined): void {
  if (setting.editable === 0) throw refuse(refusals.forbidden);
  if (seen === undefined || seen === setting.updatedAt) return;
  const { state, by, updatedAt: at } = setting;
  throw refuseStaleSave({
    target: { type: 'config', id: setting.id },
    since: seen,
    current: { state, by, at },
    words: wordsOf(setting),
  });
}

/** @throws Refused 422 for a change of a part that settings of the kind do not have */
function requireParts({ setting }: TargetSetting, input: Parts): void {
  const after = mergeValue(setting, input);
  const unsupported = (['str', 'num', 'state'] as const).find(
    (part) => after[part] !== setting[part] && !partsOf(setting).includes(part),
  );
  if (unsupported) throw refuseField(unsupported, `：此项设置为${configKinds[setting.kind]}类型，不接受该字段`);
}

/** Validates and saves a value with its history and its command to the platform. */
async function saveValue(
  ctx: Ctx,
  before: ConfigRow,
  input: Parts,
  reason = '',
  historyId?: number,
): Promise<ActionResult<ConfigRow>> {
  const { id, key } = before;
  const after = mergeValue(before, input);
  await checkValue(ctx, { ...before, ...after });
  const done = {
    subject: { type: 'config', id },
    before: { key, str: before.str, num: before.num, state: before.state },
    after: { key, ...after, ...(historyId !== undefined && { historyId }) },
  };
  await changeSetting(ctx, {
    setting: before,
    before: { str: before.str, num: before.num, state: before.state },
    after,
    reason: reason.trim(),
    restoredId: historyId ?? null,
  });
  if (key === REPORT_ZONE) await changeReportZone(ctx.db, after.str, ctx.now);
  return { data: requireFound(await findSetting(ctx, id, false)), ...done };
}

async function checkValue(ctx: Ctx, setting: ConfigRow): Promise<void> {
  const { key, kind, str, num, state, min, max } = setting;
  if (URL_SETTINGS.includes(key) && str !== '' && !isWebAddress(str)) {
    throw refuseField('str', '必须是 http:// 或 https:// 开头的网址');
  }
  if (key === REPORT_ZONE && (await findUnfitZones(ctx.db, [str], ctx.now)).length > 0) {
    throw refuseField('str', '：须为 UTC 或带斜杠的时区名（如 Asia/Shanghai），且服务器与数据库的时区资料一致');
  }
  if (kind === 'num' && !(await isInBounds(ctx, setting, num)))
    throw refuseField('num', `必须在 ${min ?? '不限'} 到 ${max ?? '不限'} 之间`);
  if ([PAYING_MINUTES, MATCH_MINUTES, PROOF_HOUR].includes(key) && !new Decimal(num).isInteger())
    throw refuseField('num', '必须是整数');
  await requireDaysInOrder(ctx.db, key, num);
  // Otherwise the next call would lock out the operator who requires the codes.
  if ((key === OTP_REQUIRED || key === OTP_FRESH) && state === 1 && !ctx.factors.hasFactor) {
    throw refuseField('state', '：请先为自己启用一次性验证码');
  }
  if ((key === PASSKEY_ONLY || key === PASSKEY_ALONE) && state === 1 && !ctx.factors.hasPasskey) {
    throw refuseField('state', '：请先为自己添加可在当前地址使用的通行密钥');
  }
  if (key === SIGNING_REQUIRED && state === 1) {
    if ((await findLockedAt(ctx.db)) === null) throw refuseField('state', '：请先锁定四眼');
    if (!(await withFullScope(ctx.db, () => findRoster(ctx.db)))) throw refuseField('state', '：请先让签名名册生效');
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
