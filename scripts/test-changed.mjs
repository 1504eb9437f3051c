// npm run test:changed [-- --base REV]: what a change can break, in minutes. `testing/covered.json` says which test files run functions
// of a folder; `npm run test:changed -- --learn` makes it again from one run of all unit and API tests.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { bin, ensureBuilt, ensureInstalled, fail, runNode } from './tools.mjs';

const TABLE = 'testing/covered.json';
/** A function that more of the test files run says nothing about a folder: logins, jobs, every action. */
const COMMON_SHARE = 0.2;
/** Seconds of tests that a folder may cost. */
const FOLDER_SECONDS = 150;
/** Folders whose tests every change needs are not in the table: a change there needs `npm test`. */
const WIDE =
  /^(testing|server\/test|scripts|\.ci)\/|^(package|package-lock|vitest\.config|playwright\.config|tsconfig)/;

const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);

/** Paths that differ from the base, new files included. */
export function changedPaths(base) {
  const [since] = git('merge-base', base, 'HEAD');
  return [...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')];
}

/**
 * The tests of a change.
 *
 * @param table test files by folder
 * @returns {{ unit: string[], browser: string[], untested: string[] }} `untested` are the paths that only `npm test` covers
 */
export function selectTests(paths, table) {
  const [unit, browser, untested] = [new Set(), new Set(), new Set()];
  for (const path of paths) {
    const resource = /^console\/src\/domains\/\w+\/([\w-]+)\//.exec(path)?.[1];
    if (resource) browser.add(`${resource}.e2e`);
    if (path.endsWith('.e2e.ts')) browser.add(path);
    else if (/\.test\.tsx?$/.test(path)) unit.add(path);
    else if (WIDE.test(path)) untested.add(path);
    else if (/\/src\//.test(path)) {
      const tests = testsOf(dirname(path), table);
      if (tests.length === 0 && !resource) untested.add(path);
      for (const test of tests) unit.add(test);
    }
  }
  return { unit: [...unit], browser: [...browser], untested: [...untested] };
}

/** Those of the folder, or of the next one above that the table has. */
function testsOf(folder, table) {
  for (let at = folder; at !== '.'; at = dirname(at)) if (table[at]) return table[at];
  return [];
}

/**
 * Test files by folder: its own, then those that run most of its functions for their time.
 *
 * @param {{ test: string, functions: string[] }[]} runs
 * @param seconds by test file
 */
export function makeTable(runs, seconds) {
  const uses = new Map();
  for (const { functions } of runs) for (const one of functions) uses.set(one, (uses.get(one) ?? 0) + 1);
  const counts = new Map();
  for (const { test, functions } of runs) {
    for (const one of functions) {
      if (uses.get(one) > runs.length * COMMON_SHARE) continue;
      const folder = dirname(one.split('#')[0]);
      const tests = counts.get(folder) ?? counts.set(folder, new Map()).get(folder);
      tests.set(test, (tests.get(test) ?? 0) + 1);
    }
  }
  const rows = [...counts].map(([folder, tests]) => {
    const isOwn = (test) => Number(test.startsWith(`${folder}/`));
    const worth = (test) => tests.get(test) / (seconds[test] ?? 1);
    const ranked = [...tests.keys()].toSorted(
      (a, b) => isOwn(b) - isOwn(a) || worth(b) - worth(a) || a.localeCompare(b),
    );
    let left = FOLDER_SECONDS;
    const fits = (test) => {
      const cost = seconds[test] ?? 0;
      if (cost > left) return false;
      left -= cost;
      return true;
    };
    return [folder, ranked.filter(fits)];
  });
  return Object.fromEntries(rows.toSorted(([a], [b]) => a.localeCompare(b)));
}

async function learn() {
  const directory = mkdtempSync(join(tmpdir(), 'hengtai-covered-'));
  const times = join(directory, 'times.json');
  const covered = join(directory, 'files');
  const env = { ...process.env, TEST_BUILD: 'fresh', TEST_COVERED: covered, TEST_TIMES: times };
  const code = await runNode([bin('vitest'), 'run', `--outputFile.json=${join(directory, 'report.json')}`], { env });
  const runs = readdirSync(covered).map((name) => JSON.parse(readFileSync(join(covered, name), 'utf8')));
  const seconds = Object.entries(JSON.parse(readFileSync(times, 'utf8'))).map(([path, { wall }]) => [path, wall]);
  rmSync(directory, { recursive: true, force: true });
  if (code !== 0) fail('The table is not changed, because tests failed.');
  writeFileSync(TABLE, `${JSON.stringify(makeTable(runs, Object.fromEntries(seconds)), null, 1)}\n`);
}

async function testChange(base) {
  const paths = changedPaths(base);
  const { unit, browser, untested } = selectTests(paths, JSON.parse(readFileSync(TABLE, 'utf8')));
  console.log(
    `${paths.length} files changed: ${unit.length} test files and the browser tests ${browser.join(', ') || 'of none'}.`,
  );
  const present = unit.filter((path) => existsSync(path));
  const { check } = await import('./check.mjs');
  const checked = await check({ typedLint: false });
  const env = { ...process.env, TEST_BUILD: 'fresh' };
  const codes = [
    checked.every(({ passed }) => passed) ? 0 : 1,
    await runNode([bin('vitest'), 'run', 'architecture', ...present], { env }),
    browser.length === 0
      ? 0
      : await runNode([bin('@playwright/test', 'playwright'), 'test', '--pass-with-no-tests', ...browser]),
  ];
  for (const path of untested) console.log(`Only npm test shows what this breaks: ${path}`);
  process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const { values } = parseArgs({ options: { base: { type: 'string', default: 'HEAD' }, learn: { type: 'boolean' } } });
  await ensureInstalled();
  await ensureBuilt();
  await (values.learn ? learn() : testChange(values.base));
}
