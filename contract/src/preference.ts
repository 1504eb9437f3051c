import { call } from './endpoint.ts';
import type { PreferenceList, PreferenceSave } from './preference.schema.ts';
import type { EmptyInput } from './session.schema.ts';

/** Keys of preferences. The list of first words keeps callers from storing arbitrary data. */
export const PREFERENCE_KEY =
  '^(?=.{1,100}$)(theme|prices|density|zone|refresh|menu|list|view|notify|home|page)(\\.[A-Za-z0-9_/-]+){0,3}$';
/** Bytes of one value as JSON. */
export const PREFERENCE_BYTES_MAX = 8192;
export const PREFERENCES_MAX = 300;
/** Maximum changes per call. */
export const PREFERENCE_CHANGES_MAX = 50;

export const preference = {
  list: call<EmptyInput, PreferenceList>()({
    method: 'GET',
    path: 'preference/list',
    summary: '自己的偏好设置',
    kind: 'read',
  }),
  save: call<PreferenceSave, null>()({
    method: 'POST',
    path: 'preference/save',
    summary: '保存自己的偏好设置',
    kind: 'action',
  }),
};
