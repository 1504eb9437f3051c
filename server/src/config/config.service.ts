import { POLICY } from '@hengtai/contract/approval';
import { POLICY_PREFIX, URL_SETTINGS, config as calls } from '@hengtai/contract/config';
import type { ConfigRow, ConfigSave } from '@hengtai/contract/config.schema';
import { canonical } from '@hengtai/contract/money';
import { OTP_FRESH, OTP_REQUIRED } from '@hengtai/contract/otp';
import { refusals } from '@hengtai/contract/refusals';
import type { Ctx } from '../context.ts';
import { enqueue } from '../gateway/command.store.ts';
import { defineAction } from '../http/action.ts';
import { refuse, refuseField } from '../refuse.ts';
import { findSetting, isWithin, saveSetting } from './config.store.ts';

/**
 * Changes a setting. A policy, and what is demanded of logins, is changed by the top-level admin only: whoever could switch off the second person for
 * what they do themselves would be that second person.
 */
export const configSave = defineAction<ConfigSave, ConfigRow, ConfigRow>({
  name: 'config.save',
  call: calls.save,
  load: async (ctx, { id }) => findSetting(ctx, id),
  check: (_ctx, { editable }) => {
    if (editable === 0) throw refuse(refusals.forbidden);
  },
  execute: async (ctx, input, before) => {
    const wanted = {
      ...before,
      str: (input.str ?? before.str).trim(),
      num: canonical(input.num ?? before.num),
      state: input.state ?? before.state,
    };
    await checkValue(ctx, wanted);
    await saveSetting(ctx, wanted);
    const { key, kind, str, num, state } = wanted;
    const data = { key, kind, str, num, state };
    await enqueue(ctx.db, { type: 'config.updated', refType: 'config', refId: before.id, data, now: ctx.now });
    return {
      data: { ...wanted, updatedAt: ctx.now },
      subject: { type: 'config', id: before.id },
      before: { key, str: before.str, num: before.num, state: before.state },
      after: { key, str, num, state },
    };
  },
});

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
  if (state === POLICY.above && !key.startsWith(POLICY_PREFIX)) throw refuseField('state', '只能是 0 或 1');
}

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol } = new URL(text);
  return protocol === 'https:' || protocol === 'http:';
}
