import { action, read } from '../../wire/endpoint.ts';
import { preferenceActions } from './facts.ts';
import type { PreferenceList, PreferenceSave } from './schema.ts';
import type { EmptyInput } from '../../house/session/schema.ts';

/** Bytes of one value as JSON. */
export const PREFERENCE_BYTES_MAX = 8192;
export const PREFERENCES_MAX = 300;

export const preference = {
  list: read<EmptyInput, PreferenceList>()('preference/list', '自己的偏好设置'),
  save: action<PreferenceSave, null>()(preferenceActions.save, 'preference/save'),
};
