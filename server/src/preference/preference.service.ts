import { PREFERENCES_MAX, PREFERENCE_BYTES_MAX, preference as calls } from '@hengtai/contract/preference';
import type { PreferenceSave } from '@hengtai/contract/preference.schema';
import { defineAction } from '../http/action.ts';
import { refuseField } from '../refuse.ts';
import { countPreferences, dropPreferences, putPreferences } from './preference.store.ts';

/** One's own preferences; for each key the last one to say something is right. The audit row names the keys only. */
export const preferenceSave = defineAction<PreferenceSave, null>({
  name: 'preference.save',
  call: calls.save,
  validate: ({ items }) => {
    if (new Set(items.map(({ key }) => key)).size < items.length) throw refuseField('items', '重复');
    const large = items.find(({ value }) => Buffer.byteLength(JSON.stringify(value)) > PREFERENCE_BYTES_MAX);
    if (large) throw refuseField('items', `不能超过 ${PREFERENCE_BYTES_MAX} 字节：${large.key}`);
  },
  execute: async (ctx, { items }) => {
    const dropped = items.filter(({ value }) => value === null).map(({ key }) => key);
    const kept = items.filter(({ value }) => value !== null);
    if (dropped.length > 0) await dropPreferences(ctx, dropped);
    if (kept.length > 0) {
      await putPreferences(ctx, kept);
      // Two windows at once may go over it by what each brings: this stops a flood, it is no quota.
      if ((await countPreferences(ctx)) > PREFERENCES_MAX) throw refuseField('items', `最多保存 ${PREFERENCES_MAX} 项`);
    }
    return {
      data: null,
      subject: { type: 'preference', id: ctx.operator.id, agentId: ctx.operator.id },
      after: { keys: items.map(({ key }) => key) },
    };
  },
});
