import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { files, importsOf, read, sources } from './files.ts';

/**
 * The folders and files of `server/src`, from the top down. Each imports only itself and what is below it, types
 * included. docs/architecture.md shows the same order.
 */
const layers = [
  'cli',
  'supervisor',
  'programs',
  'backup',
  'watch',
  'modules.ts',
  'module-list.ts',
  'domains',
  'realtime',
  'gateway',
  'http',
  'books/exports',
  'jobs',
  'actions',
  'books/audit',
  'books/lists',
  'books/ledger',
  'authority',
  'app',
  'embedded',
  'database',
  'outbound',
  'host',
  'destination',
];

const ROOT = 'server/src/';
const MODULE_LIST = `${ROOT}module-list.ts`;
const server = sources.filter((path) => path.startsWith(ROOT));
const layerOf = (path: string): string => /^(books\/)?[^/]+/.exec(path.slice(ROOT.length))?.[0] ?? '';

/** The files of the server that a file imports, also lazily. */
function serverImportsOf(path: string): string[] {
  const lazy = [...read(path).matchAll(/\bimport\('(\.[^']+)'\)/g)].map(([, from = '']) => from);
  return [...importsOf(path).map(({ from }) => from), ...lazy]
    .filter((from) => from.startsWith('.'))
    .map((from) => join(dirname(path), from));
}

const graph: ReadonlyMap<string, readonly string[]> = new Map(server.map((path) => [path, serverImportsOf(path)]));
const edges = [...graph].flatMap(([path, imported]) => imported.map((target) => ({ path, target })));
const describeEdges = (broken: typeof edges): string[] => broken.map(({ path, target }) => `${path} imports ${target}`);

test('every file belongs to a layer, and every layer has files', () => {
  expect(server.filter((path) => !layers.includes(layerOf(path)))).toEqual([]);
  expect(layers.filter((layer) => !server.some((path) => layerOf(path) === layer))).toEqual([]);
});

test('imports go down only', () => {
  const isUp = (path: string, target: string): boolean =>
    layers.indexOf(layerOf(target)) < layers.indexOf(layerOf(path));
  expect(describeEdges(edges.filter(({ path, target }) => isUp(path, target)))).toEqual([]);
});

/** The circles of a graph, each as the names in it (strongly connected components, by Tarjan). */
function findCircles(targets: ReadonlyMap<string, Iterable<string>>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (name: string): number => {
    const own = index.size;
    let lowest = own;
    index.set(name, own);
    stack.push(name);
    for (const target of targets.get(name) ?? []) {
      if (!targets.has(target)) continue;
      if (!index.has(target)) lowest = Math.min(lowest, visit(target));
      else if (stack.includes(target)) lowest = Math.min(lowest, low.get(target) ?? index.get(target) ?? own);
    }
    low.set(name, lowest);
    if (lowest === own) {
      const circle = stack.splice(stack.indexOf(name));
      if (circle.length > 1) circles.push(circle.toSorted());
    }
    return lowest;
  };
  for (const name of targets.keys()) if (!index.has(name)) visit(name);
  return circles;
}

test('no files of the server import each other in a circle', () => {
  expect(findCircles(graph)).toEqual([]);
});

/** The folder of a resource, with a slash at its end; undefined for files outside of `domains/<domain>`. */
const resourceOf = (path: string): string | undefined => /^server\/src\/domains\/[^/]+\/[^/]+\//.exec(path)?.[0];

test('of a resource, other files import only stores, rules and steps, and the list of modules its module', () => {
  const broken = edges.filter(({ path, target }) => {
    const resource = resourceOf(target);
    if (resource === undefined || path.startsWith(resource)) return false;
    const isAllowed =
      path === MODULE_LIST
        ? /\.module\.ts$/
        : path === `${ROOT}modules.ts`
          ? /\.store\.ts$/
          : /\.(store|rules|steps)\.ts$/;
    return !isAllowed.test(target);
  });
  expect(describeEdges(broken)).toEqual([]);
});

test('rules are pure: they neither read nor write the database', () => {
  const rules = server.filter((path) => path.endsWith('.rules.ts'));
  expect(rules.length).toBeGreaterThan(30);
  expect(rules.filter((path) => /\b(?:db|Db|EventCtx)\b/.test(read(path)))).toEqual([]);
});

test('the list of modules contains every resource', () => {
  const modules = files.filter((path) => resourceOf(path) !== undefined && path.endsWith('.module.ts'));
  const folders = new Set(server.flatMap((path) => resourceOf(path) ?? []));
  expect(modules.length).toBe(folders.size);
  expect(modules.filter((path) => !graph.get(MODULE_LIST)?.includes(path))).toEqual([]);
});

/** The modules that the files of each module import. */
const modules = new Map<string, Set<string>>();
for (const { path, target } of edges) {
  const [from, to] = [resourceOf(path), resourceOf(target)].map((folder) => folder?.split('/').at(-2));
  if (from === undefined) continue;
  const imported = modules.get(from) ?? new Set();
  if (to !== undefined && to !== from) imported.add(to);
  modules.set(from, imported);
}

/** The domains, from the one that may use all others to the one that uses none. */
const DOMAINS = ['desk', 'risk', 'funds', 'trading', 'people', 'house'];
const domainOf = (path: string): string | undefined => resourceOf(path)?.split('/')[3];

test('a domain imports only itself and those after it', () => {
  expect(new Set(server.flatMap((path) => domainOf(path) ?? []))).toEqual(new Set(DOMAINS));
  const placeOf = (path: string): number | undefined => {
    const domain = domainOf(path);
    return domain === undefined ? undefined : DOMAINS.indexOf(domain);
  };
  const back = edges.filter(({ path, target }) => (placeOf(target) ?? DOMAINS.length) < (placeOf(path) ?? 0));
  expect(describeEdges(back)).toEqual([]);
});

// What one needs of the other is declared in the value of a module (`module.ts`), and `modules.ts` joins it.
test('no modules import each other in a circle', () => {
  expect(modules.size).toBeGreaterThan(40);
  expect(findCircles(modules)).toEqual([]);
});

/** Modules that most others use, with the number of modules that they import. It may fall, and not rise. */
const HUBS: Readonly<Record<string, number>> = { user: 1, withdraw: 3 };

test('the hubs import few modules', () => {
  const counted = Object.keys(HUBS).map((hub) => [hub, modules.get(hub)?.size]);
  expect(Object.fromEntries(counted)).toEqual(HUBS);
});
