import type { Module } from '../../module.ts';
import { type SearchedTable, searchRecords } from './search.store.ts';

export const searchModule = (tables: readonly SearchedTable[]) =>
  ({ routes: { find: (ctx, input) => searchRecords(ctx, tables, input) } }) satisfies Module<'search'>;
