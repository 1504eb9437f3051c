import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Modules {
  getModuleInfo: (id: string) => { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null;
}

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What so many pages need is loaded with the first of them, in one piece. */
const SHARED_BY = 8;

/**
 * Files that only name others: who takes one thing from them does not need the rest, though the graph says so. Only
 * which file something is in hangs on this, never whether it is loaded.
 */
const BARREL = /node_modules\/(antd\/es|@ant-design\/icons\/es|@rc-component\/[\w-]+\/es)\/index\.js$/;
const TAKEN = /import\s*\{([^}]*)\}\s*from\s*['"](?!\.)/g;
const NAMED = /(?:export \{ default as (\w+) \}|import (\w+)) from ['"](\.[^'"]+)['"]/g;

/** The modules behind the names that are taken from a barrel. */
function taken(barrel: string, names: ReadonlySet<string>): string[] {
  const folder = dirname(barrel);
  const found: string[] = [];
  for (const [, exported, imported, path = ''] of read(barrel).matchAll(NAMED)) {
    if (names.has(exported ?? imported ?? '')) found.push(resolve(folder, path));
  }
  // That one names another barrel.
  if (barrel.includes('/icons/es/')) found.push(...[...names].map((name) => resolve(folder, 'icons', name)));
  return found.flatMap((file) => [file, `${file}.js`, `${file}/index.js`].filter((one) => isFile(one)));
}

/** Everything that is there once a module has been loaded. */
function reach(modules: Modules, from: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const visit = (id: string) => {
    if (seen.has(id)) return;
    seen.add(id);
    for (const other of modules.getModuleInfo(id)?.importedIds ?? []) {
      if (!BARREL.test(other)) visit(other);
      else taken(other, namesIn(id)).forEach(visit);
    }
  };
  visit(from);
  return seen;
}

const namesIn = (id: string): ReadonlySet<string> =>
  new Set(
    [...read(id).matchAll(TAKEN)].flatMap(([, names = '']) =>
      names.split(',').map((one) => one.trim().split(' as ')[0]?.replace('type ', '') ?? ''),
    ),
  );

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
const texts = new Map<string, string>();
function read(id: string): string {
  const known = texts.get(id);
  if (known !== undefined) return known;
  const text = isFile(id) ? readFileSync(id, 'utf8') : '';
  texts.set(id, text);
  return text;
}

/** Where each module of a build belongs; null leaves it to the bundler. */
function plan(modules: Modules): (id: string) => string | null {
  const login = reach(modules, at('src/login/login.ts'));
  const start = reach(modules, at('src/main.ts'));
  const shell = reach(modules, at('src/desk.tsx'));
  const begins = [at('src/main.ts'), at('src/desk.tsx'), at('src/login/login.ts')];
  // The exports of the header come a moment after it, on every page.
  const home = new Set(
    ['src/pages/home/HomePage.tsx', 'src/shell/Exports.tsx'].flatMap((path) => [...reach(modules, at(path))]),
  );
  const others = (modules.getModuleInfo(at('src/pages.ts'))?.dynamicallyImportedIds ?? [])
    .filter((id) => !id.endsWith('/HomePage.tsx'))
    .map((id) => reach(modules, id));
  return (id) => {
    if (begins.includes(id)) return null;
    if (login.has(id)) return start.has(id) || shell.has(id) ? 'base' : null;
    if (start.has(id)) return 'start';
    if (shell.has(id)) return 'shell';
    const count = others.filter((page) => page.has(id)).length;
    if (home.has(id)) return count > 0 ? 'kit' : null;
    return count >= SHARED_BY ? 'list' : null;
  };
}

/**
 * Which file a module goes to. Left to itself the bundler makes one for every set of pages that share something, and a
 * page then asks for a hundred files of a few hundred bytes, six at a time. `base` is what the login shares with the
 * console, `start` what asks for the rest, `shell` what every page needs, `kit` what the first page shares with others, `list`
 * what most others share.
 */
export function chunkGroups() {
  let nameOf: ((id: string) => string | null) | undefined;
  // One after the other, since each takes along what its modules need.
  return ['base', 'start', 'shell', 'kit', 'list'].map((name, nth) => ({
    debugName: name,
    priority: 5 - nth,
    name: (id: string, modules: Modules) => {
      nameOf ??= plan(modules);
      return nameOf(id) === name ? name : null;
    },
  }));
}
