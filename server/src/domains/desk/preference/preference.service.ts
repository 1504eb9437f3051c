import { PREFERENCES_MAX, PREFERENCE_BYTES_MAX, preference as calls } from '@hengtai/contract/desk/preference/calls';
import type { PreferenceSave } from '@hengtai/contract/desk/preference/schema';
import { defineAction } from '../../../actions/action.ts';
import { refuseField } from '../../../app/refuse.ts';
import { countPreferences, deletePreferences, upsertPreferences } from './preference.store.ts';

/** Saves the operator's own preferences; the last write of a key wins. The audit row has only the keys. */
export const preferenceSave = defineAction<PreferenceSave, null>({
  call: calls.save,
  validate: ({ items }) => {
    if (new Set(items.map(({ key }) => key)).size < items.length) throw refuseField('items', '重复');
    const large = items.find(({ value }) => Buffer.byteLength(JSON.stringify(value)) > PREFERENCE_BYTES_MAX);
    if (large) throw refuseField('items', `不能超过 ${PREFERENCE_BYTES_MAX} 字节：${large.key}`);
  },
  execute: async (ctx, { items }) => {
    const deletedKeys = items.filter(({ value }) => value === null).map(({ key }) => key);
    const saved = items.filter(({ value }) => value !== null);
    if (deletedKeys.length > 0) await deletePreferences(ctx, deletedKeys);
    if (saved.length > 0) {
      await upsertPreferences(ctx, saved);
      // Concurrent saves may exceed the limit slightly; it only protects the database.
      if ((await countPreferences(ctx)) > PREFERENCES_MAX) throw refuseField('items', `最多保存 ${PREFERENCES_MAX} 项`);
    }
    return {
      data: null,
      subject: { type: 'preference', id: ctx.operator.id, agentId: ctx.operator.id },
      after: { keys: items.map(({ key }) => key) },
    };
  },
});
