import type { ExportSpec } from '@hengtai/contract/desk/export/calls';
import { type Noun, nouns } from '@hengtai/contract/index';
import type { ListReader } from '../lists/list.ts';

/** Finds the export call of a path. */
export function exportCallOf(path: string): ExportSpec | undefined {
  for (const noun of Object.keys(nouns) as Noun[]) {
    for (const call of Object.values<{ kind: string; path: string }>(nouns[noun])) {
      if (call.kind === 'export' && call.path === path) return call as ExportSpec;
    }
  }
  return undefined;
}

/** The handlers of all calls, by noun. */
export type Handlers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Finds the list handler that an export reads. */
export function readerOf(handlers: Handlers, call: ExportSpec): ListReader<unknown, unknown> {
  for (const noun of Object.keys(nouns) as Noun[]) {
    const calls = Object.values<{ path: string }>(nouns[noun]);
    // An export is derived from a list, so the handler of `call.listName` is a ListReader.
    if (calls.some(({ path }) => path === call.path))
      return handlers[noun]?.[call.listName] as ListReader<unknown, unknown>;
  }
  throw new Error(`No list handler for the export ${call.path}.`);
}
