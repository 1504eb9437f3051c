import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Every file of the project: tracked, or new and not ignored. */
export const files: readonly string[] = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)));

export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Written by `clients/generate`. */
const GENERATED: readonly string[] = ['clients/typescript/src/types.ts'];

export const code = files.filter((path) => /\.(ts|tsx|mjs)$/.test(path));
export const sources = code.filter(
  (path) =>
    /^(contract|server|console|simulator|conformance|adapters|clients\/typescript)\/src\//.test(path) &&
    !isTest(path) &&
    !GENERATED.includes(path),
);

export function isTest(path: string): boolean {
  return /\.(test|e2e)\.tsx?$/.test(path) || /^(server\/test|console\/e2e)\//.test(path);
}

export interface Import {
  from: string;
  typeOnly: boolean;
}

/** The import and re-export statements of a file, and whether each imports only types. */
export function importsOf(path: string): Import[] {
  const found = read(path).matchAll(/^(?:import|export)\s+(type\s)?([^;'"]*?)from\s+'([^']+)'/gms);
  return [...found].map(([, type, names, from]) => ({
    from: from ?? '',
    typeOnly: type !== undefined || hasOnlyTypes(names ?? ''),
  }));
}

/** Project files that a file imports by a relative path: statically, as types, on demand or as a worker. */
export function localImportsOf(path: string): string[] {
  const found = read(path).matchAll(/(?:\bfrom|\bimport|\bimport\(|\bnew URL\()\s*'(\.[^'?]+)'/g);
  return [...found].map(([, from]) => join(dirname(path), from ?? '')).filter((from) => files.includes(from));
}

function hasOnlyTypes(names: string): boolean {
  const inner = /\{([^}]*)\}/s.exec(names)?.[1];
  if (inner === undefined || names.replace(/\{[^}]*\}/s, '').trim() !== '') return false;
  return inner.split(',').every((name) => name.trim() === '' || name.trim().startsWith('type '));
}
