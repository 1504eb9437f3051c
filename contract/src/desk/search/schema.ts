import { type Static, Type } from '@sinclair/typebox';
import { Id, Int, Ms, Name, Nullable, Strict } from '../../wire/schema.ts';
import { SEARCH_TEXT_MAX } from '../../wire/input-values.ts';
import { searchTypes } from '../../authority/target.ts';

const Find = Strict({ word: Name(SEARCH_TEXT_MAX) });
export type SearchInput = Static<typeof Find>;

const Row = Type.Object({
  type: Type.String({ enum: Object.keys(searchTypes) }),
  id: Id,
  no: Nullable(Type.String({ description: "the platform's number; users have none" })),
  account: Type.String(),
  detail: Type.String({ description: 'remark of a user, address of a recharge or withdrawal; else empty' }),
  state: Int,
  createdAt: Ms,
});
export type SearchRow = Static<typeof Row>;

export const searchSchemas = { find: { input: Find, output: Type.Array(Row) } };
