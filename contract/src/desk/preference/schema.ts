import { type Static, Type } from '@sinclair/typebox';
import { PREFERENCE_CHANGES_MAX, PREFERENCE_KEY } from '../../wire/input-values.ts';
import { EmptyInput, Strict } from '../../wire/schema.ts';

const Key = Type.String({ pattern: PREFERENCE_KEY });

const List = Type.Object({ items: Type.Array(Type.Object({ key: Type.String(), value: Type.Unknown() })) });
export type PreferenceList = Static<typeof List>;

const Save = Strict({
  items: Type.Array(
    Strict({
      key: Key,
      value: Type.Unknown({ description: 'any JSON of at most 8 KB; null restores the default' }),
    }),
    { minItems: 1, maxItems: PREFERENCE_CHANGES_MAX },
  ),
});
export type PreferenceSave = Static<typeof Save>;

export const preferenceSchemas = {
  list: { input: EmptyInput, output: List },
  save: { input: Save, output: Type.Null() },
};
