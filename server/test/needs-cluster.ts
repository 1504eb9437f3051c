import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const WORKSPACES = ['contract', 'server', 'simulator', 'architecture', 'drill', 'clients', 'conformance', 'adapters'];

const pathsIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path));

function listTestFiles(): string[] {
  const paths = [...WORKSPACES, 'console/src'].flatMap(pathsIn);
  return paths.filter((path) => /\.test\.tsx?$/.test(path) && !/(^|\/)(node_modules|dist)\//.test(path));
}

/** Whether a file asks for the PostgreSQL of the run (`inject('cluster')`), itself or through the test helpers it imports. */
function needsCluster(path: string, seen: Map<string, boolean>): boolean {
  const known = seen.get(path);
  if (known !== undefined) return known;
  seen.set(path, false);
  const source = readFileSync(path, 'utf8');
  const imports = [...source.matchAll(/from '(\.[^']+\.ts)'/g)].map(([, target = '']) => join(dirname(path), target));
  const helpers = imports.filter((target) => target.includes('/test/'));
  const needs = source.includes("inject('cluster')") || helpers.some((target) => needsCluster(target, seen));
  seen.set(path, needs);
  return needs;
}

/** All files of Vitest tests, relative to the root: those that need a PostgreSQL, and those that start without one. */
export function splitTestFiles(): { database: string[]; pure: string[] } {
  const seen = new Map<string, boolean>();
  const files = listTestFiles();
  const database = files.filter((path) => needsCluster(join(root, path), seen));
  return { database, pure: files.filter((path) => !database.includes(path)) };
}
