import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { files, importsOf, localImportsOf, read, sources } from './files.ts';

const sheets = files.filter((path) => /^console\/src\/.*\.css$/.test(path));
/** The design tokens, which each document imports, and the sheet that the build puts into the signing page. */
const OF_DOCUMENTS = ['console/src/signing/signing.css', 'console/src/ui/page/theme.css'];
/** Files of the console, which share its documents; the login and the signing page load nothing on demand. */
const desk = sources.filter((path) => /^console\/src\/(?!login\/|signing\/)/.test(path));
const ENTRY = 'console/src/app/main.ts';

/** The folder of a file; `exported` belongs to the folder around it. */
const folderOf = (path: string): string => dirname(path).replace(/\/exported$/, '');

/** The selectors of a style sheet, those of one rule apart. */
function selectorsOf(path: string): string[] {
  const rules = read(path).replaceAll(/\/\*.*?\*\/|@keyframes [^{]+\{(?:[^{}]*\{[^}]*\})*\s*\}/gs, '');
  const lists = [...rules.matchAll(/(?:^|[{};])\s*([^{};@]+)\{/g)].map(([, list = '']) => list);
  return lists.flatMap((list) => list.split(/,(?![^(]*\))/).map((selector) => selector.trim()));
}

/** The classes that a selector names, without those of the UI kit. */
const classesOf = (selector: string): string[] =>
  [...selector.matchAll(/\.([a-z][\w-]*)/gi)].flatMap(([, name = '']) =>
    /^ant(icon)?-|^anticon$/.test(name) ? [] : name,
  );

/** The classes that a file names; one that ends with a hyphen is completed by a value. */
const namedClassesOf = (path: string): string[] => [
  ...new Set([...read(path).matchAll(/(?<=['"` ])ht-[\w-]+/g)].map(([name]) => name)),
];

const isOfFolder = (name: string, folder: string): boolean => `${name}-`.startsWith(`ht-${basename(folder)}-`);

/** The sheets that style a class of their folder; `isAlone` leaves out rules that need an element around it. */
function sheetsByClass(isAlone: boolean): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const path of sheets) {
    for (const selector of selectorsOf(path)) {
      const names = classesOf(selector).filter((name) => isOfFolder(name, folderOf(path)));
      for (const name of names) {
        if (!isAlone || selector === `.${name}`) found.set(name, (found.get(name) ?? new Set()).add(path));
      }
    }
  }
  return found;
}

/** Files that run before a file does. */
function staticImportsOf(path: string): string[] {
  const typeOnly = new Set(importsOf(path).flatMap((one) => (one.typeOnly ? [join(dirname(path), one.from)] : [])));
  const onDemand = [...read(path).matchAll(/\bimport\(\s*'(\.[^']+)'/g)].map(([, from = '']) =>
    join(dirname(path), from),
  );
  return localImportsOf(path).filter((to) => !typeOnly.has(to) && !onDemand.includes(to));
}

/** For each file of the console, the sheets that are loaded whenever it runs: its own, or those of all that load it. */
function findLoadedSheets(): Map<string, ReadonlySet<string>> {
  const importers = new Map<string, string[]>();
  for (const path of desk) {
    for (const to of localImportsOf(path)) importers.set(to, [...(importers.get(to) ?? []), path]);
  }
  const statics = new Map(desk.map((path) => [path, staticImportsOf(path)]));
  const collect = (path: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(path)) return seen;
    seen.add(path);
    for (const to of statics.get(path) ?? []) collect(to, seen);
    return seen;
  };
  const own = new Map(desk.map((path) => [path, [...collect(path)].filter((to) => to.endsWith('.css'))]));
  const start = [...(own.get(ENTRY) ?? []), ...(own.get('console/src/app/desk.tsx') ?? [])];
  const loaded = new Map<string, ReadonlySet<string>>(desk.map((path) => [path, new Set(sheets)]));
  for (let isSettled = false; !isSettled;) {
    isSettled = true;
    for (const path of desk) {
      const [first, ...others] = (importers.get(path) ?? []).map((from) => loaded.get(from) ?? new Set<string>());
      const shared = first ? [...first].filter((sheet) => others.every((sheetsOf) => sheetsOf.has(sheet))) : [];
      const next = new Set([...start, ...shared, ...(own.get(path) ?? [])]);
      if (next.size !== loaded.get(path)?.size) isSettled = false;
      loaded.set(path, next);
    }
  }
  return loaded;
}

describe('style sheets', () => {
  test('are imported by a file of their own folder', () => {
    const imported = new Set(
      sources.flatMap((path) => localImportsOf(path).filter((to) => folderOf(to) === folderOf(path))),
    );
    expect(sheets.filter((path) => !imported.has(path)).toSorted()).toEqual(OF_DOCUMENTS);
  });

  test('style classes that begin with the name of their folder', () => {
    const foreign = sheets.flatMap((path) =>
      selectorsOf(path)
        .map((selector) => ({ selector, names: classesOf(selector) }))
        .filter(({ names }) => names.length > 0 && !names.some((name) => isOfFolder(name, folderOf(path))))
        .map(({ selector }) => `${path}: ${selector}`),
    );
    expect(foreign).toEqual([]);
  });

  test('style each class in one file only', () => {
    const found = sheetsByClass(true);
    expect(found.size).toBeGreaterThan(400);
    expect([...found].filter(([, paths]) => paths.size > 1)).toEqual([]);
  });

  test('have every class that the console names, but for one by which keys find a place', () => {
    const styled = new Set(sheets.flatMap(selectorsOf).flatMap(classesOf));
    const unknown = desk
      .filter((path) => !path.includes('.test.'))
      .flatMap((path) => namedClassesOf(path).filter((name) => !name.endsWith('-') && !styled.has(name)));
    expect(new Set(unknown)).toEqual(new Set(['ht-dialog-beside']));
  });

  test('are loaded wherever a class of theirs is named', () => {
    const loaded = findLoadedSheets();
    const alone = sheetsByClass(true);
    const styled = sheetsByClass(false);
    const lacking = desk.flatMap((path) =>
      namedClassesOf(path)
        .filter((name) => {
          const places = [...(alone.get(name) ?? styled.get(name) ?? [])];
          return places.length > 0 && !places.some((sheet) => loaded.get(path)?.has(sheet));
        })
        .map((name) => `${path}: ${name}`),
    );
    expect(lacking).toEqual([]);
  });
});
