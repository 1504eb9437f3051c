import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';
import { type StatementSite, findStatements } from './declared.ts';
import { DECLARED_FILE } from './files.ts';
import { startRecorder } from './recorder.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Wraps every statement of the product, so that `recorder.ts` sees its result. Writes what the statements declare. */
export function recordStatements(directory: string): Plugin {
  let sites: StatementSite[] | undefined;
  const loadSites = (): StatementSite[] => {
    const found = findStatements();
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, DECLARED_FILE), JSON.stringify(found));
    return found;
  };
  // The migration of the template database runs in this process.
  const recorder = startRecorder(directory);
  process.once('exit', () => recorder.flush());
  return {
    name: 'record-statements',
    enforce: 'pre',
    transform(code, id) {
      const path = id.startsWith(`${root}server/src/`) ? id.slice(root.length) : undefined;
      if (path === undefined || path.endsWith('.test.ts')) return undefined;
      sites ??= loadSites();
      const own = sites.filter((site) => site.path === path);
      // Nothing moves to another line, so the lines in stacks stay right without a source map.
      return { code: wrapSites(code, own), map: null };
    },
  };
}

function wrapSites(code: string, sites: readonly StatementSite[]): string {
  const inserts = sites.flatMap(({ id, kind, start, end, row }) => {
    const before =
      kind === 'execution'
        ? `statementRecorder.observe('${id}', ${row !== undefined}, `
        : `statementRecorder.enter(${row ? `'${id}'` : undefined}, `;
    return [
      { at: start, text: before },
      { at: end, text: ')' },
    ];
  });
  let wrapped = '';
  let from = 0;
  for (const { at, text } of inserts.toSorted((a, b) => a.at - b.at)) {
    wrapped += code.slice(from, at) + text;
    from = at;
  }
  return wrapped + code.slice(from);
}
