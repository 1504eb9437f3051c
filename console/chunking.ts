import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

interface ModuleGraph {
  getModuleInfo: (id: string) => { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null;
}

const resolvePath = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Modules that at least this many pages import go into one shared chunk. */
const SHARED_PAGES_MIN = 8;
/** Small parts of pages, which cost less in a shared chunk than a request of their own. */
const SMALL =
  /\/src\/ui\/\w+\/(PriceTime|price-details|minute|Waited|Countdown|use-debounced|CaseFrame|action-labels)\.tsx?$/;
const SMALL_PAGES_MIN = 2;

/**
 * Barrel files. Importing one name must not count as importing the whole barrel, as the module graph has it. This
 * affects only the chunk of a module, never whether it is loaded.
 */
const BARREL = /node_modules\/(antd\/es|@ant-design\/icons\/es|@rc-component\/[\w-]+\/es)\/index\.js$/;
/** Chunks that are always loaded with another one leave it their style sheets: fewer files, which compress better. */
const STYLES_IN: Readonly<Record<string, string>> = { kit: 'shell', list: 'fields' };
/** What every page with a list imports, and no form. */
const TABLE = /\/src\/ui\/table\/ResourceTable\.tsx$/;
const NAMED_IMPORT = /import\s*\{([^}]*)\}\s*from\s*['"](?!\.)/g;
const REEXPORT = /(?:export \{ default as (\w+) \}|import (\w+)) from ['"](\.[^'"]+)['"]/g;

/** Resolves names imported from a barrel to the files that define them. */
function resolveBarrelImports(barrel: string, names: ReadonlySet<string>): string[] {
  const folder = dirname(barrel);
  const found: string[] = [];
  for (const [, exported, imported, path = ''] of read(barrel).matchAll(REEXPORT)) {
    if (names.has(exported ?? imported ?? '')) found.push(resolve(folder, path));
  }
  // The icons barrel re-exports another barrel, so the icon files are addressed directly.
  if (barrel.includes('/icons/es/')) found.push(...[...names].map((name) => resolve(folder, 'icons', name)));
  return found.flatMap((file) => [file, `${file}.js`, `${file}/index.js`].filter((part) => isFile(part)));
}

/** The module and its transitive static imports, with barrels resolved to the imported names only. */
function collectStaticImports(graph: ModuleGraph, from: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const visit = (id: string) => {
    if (seen.has(id)) return;
    seen.add(id);
    for (const other of graph.getModuleInfo(id)?.importedIds ?? []) {
      if (!BARREL.test(other)) visit(other);
      else resolveBarrelImports(other, importedNames(id)).forEach(visit);
    }
  };
  visit(from);
  return seen;
}

const importedNames = (id: string): ReadonlySet<string> =>
  new Set(
    [...read(id).matchAll(NAMED_IMPORT)].flatMap(([, names = '']) =>
      names.split(',').map((part) => part.trim().split(' as ')[0]?.replace('type ', '') ?? ''),
    ),
  );

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
const sources = new Map<string, string>();
function read(id: string): string {
  const known = sources.get(id);
  if (known !== undefined) return known;
  const text = isFile(id) ? readFileSync(id, 'utf8') : '';
  sources.set(id, text);
  return text;
}

/** Maps a module id to its chunk name; null leaves the module to the bundler. */
function planChunks(graph: ModuleGraph): (id: string) => string | null {
  const login = collectStaticImports(graph, resolvePath('src/login/login.ts'));
  const start = collectStaticImports(graph, resolvePath('src/app/main.ts'));
  const shell = collectStaticImports(graph, resolvePath('src/app/desk.tsx'));
  const entries = [resolvePath('src/app/main.ts'), resolvePath('src/app/desk.tsx'), resolvePath('src/login/login.ts')];
  // The header loads its export button right after the first paint on every page, so it counts as part of home.
  const home = new Set(
    ['src/domains/desk/home/HomePage.tsx', 'src/domains/desk/export/exported/Exports.tsx'].flatMap((path) => [
      ...collectStaticImports(graph, resolvePath(path)),
    ]),
  );
  const others = (graph.getModuleInfo(resolvePath('src/app/pages.ts'))?.dynamicallyImportedIds ?? [])
    .filter((id) => !id.endsWith('/HomePage.tsx'))
    .map((id) => collectStaticImports(graph, id));
  const forms = others.filter((page) => ![...page].some((id) => TABLE.test(id)));
  const chunkOf = (id: string) => {
    if (entries.includes(id)) return null;
    const count = others.filter((page) => page.has(id)).length;
    // In `list` it would bring that whole chunk to the login.
    const isShared = count >= (SMALL.test(id) ? SMALL_PAGES_MIN : SHARED_PAGES_MIN);
    const isOfDesk = start.has(id) || shell.has(id) || isShared;
    if (login.has(id)) return isOfDesk ? 'base' : null;
    if (start.has(id)) return 'start';
    if (shell.has(id)) return 'shell';
    if (home.has(id)) return count > 0 ? 'kit' : null;
    if (!isShared) return null;
    return forms.some((page) => page.has(id)) ? 'fields' : 'list';
  };
  return (id) => {
    const chunk = chunkOf(id);
    return chunk !== null && id.endsWith('.css') ? (STYLES_IN[chunk] ?? chunk) : chunk;
  };
}

/**
 * Chunk groups for the bundler. By default it makes one chunk per distinct set of pages sharing a module, which costs a
 * page about a hundred requests of a few hundred bytes. Groups: `base` is shared by login and console, `start` is the
 * entry, `shell` is needed by every page, `kit` is shared by home and other pages, `fields` by lists and forms, `list` by
 * lists.
 */
export function chunkGroups() {
  let nameOf: ((id: string) => string | null) | undefined;
  // Priorities are distinct because each group also pulls in the dependencies of its modules.
  return ['base', 'start', 'shell', 'kit', 'fields', 'list'].map((name, index) => ({
    debugName: name,
    priority: 6 - index,
    name: (id: string, graph: ModuleGraph) => {
      nameOf ??= planChunks(graph);
      return nameOf(id) === name ? name : null;
    },
  }));
}
