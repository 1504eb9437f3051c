// npm test [-- level]: checks, unit and API tests, browser tests. The last line sums up all of them. Levels:
//   short  some minutes (npm test)
//   full   everything that must pass before a change is merged (npm run test:full, .ci/run)
//   long   soaks and models at full size (npm run test:long)
import { spawnSync } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { areaOf, areas } from './test-areas.mjs';
import { makeTestDirectory } from './test-directory.mjs';
import { bin, ensureBuilt, ensureInstalled, fail, run, runNode } from './tools.mjs';

/** The selection of tests at each level: Vitest tags, Playwright arguments, and checks (docs/testing.md). */
const LEVELS = {
  short: { tags: '!full', grep: ['--grep', '@short'], checks: { typedLint: false } },
  full: { tags: undefined, grep: ['--grep-invert', '@long'], checks: { typedLint: true } },
  long: { tags: 'soak', grep: ['--grep', '@long'] },
};
const NEXT_COMMANDS = {
  short: 'Everything that guards a change: npm run test:full. Soaks and models at full size: npm run test:long.',
  full: 'Soaks and models at full size: npm run test:long.',
  long: 'Everything that guards a change: npm run test:full.',
};

const CHROMIUM = '/usr/bin/chromium';
const HEADLESS = '/usr/bin/chromium-headless-shell';
const SPREADSHEET = '/Applications/LibreOffice.app/Contents/MacOS/soffice';
const CHINESE_FONT = '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc';
/** Limits of an error in the list of failures: lines and characters, and characters of a unit test's message. */
const [ERROR_LINES, ERROR_LENGTH, UNIT_LENGTH] = [6, 400, 1_600];

/**
 * Installs the programs that the tests of a level need (browser, Chinese font, curl, openssl, Python, LibreOffice), as root on
 * Debian.
 */
async function ensurePrograms(level) {
  const installs = existsSync('/usr/bin/apt-get') && process.getuid?.() === 0;
  const opensSpreadsheets = onPath('soffice') || existsSync(SPREADSHEET);
  const hasFont = existsSync(CHINESE_FONT) || process.platform !== 'linux';
  const missing = [
    ...(onPath('curl') ? [] : [['curl', 'examples of the documents']]),
    ...(onPath('openssl') ? [] : [['openssl', 'examples of the documents, certificates']]),
    ...(onPath('python3') ? [] : [['python3', 'the client in Python']]),
    ...(hasBrowser(installs) ? [] : [['chromium-headless-shell', 'browser tests']]),
    ...(hasFont ? [] : [['fonts-noto-cjk', 'widths of Chinese texts in the browser tests']]),
    ...(level === 'short' || opensSpreadsheets ? [] : [['libreoffice-calc-nogui', 'opening exported files']]),
  ];
  if (missing.length === 0) return;
  const names = missing.map(([name]) => name);
  if (!installs) fail(`The tests need ${names.join(' and ')}: install them, or set CHROMIUM_PATH to a Chromium.`);
  console.log('The tests need programs that are missing here. Installing from Debian, once:');
  for (const [name, purpose] of missing) console.log(`  ${name}: ${purpose}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const wait = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3'];
  await run('apt-get', [...wait, 'update', '-qq'], { env });
  const install = (packages) =>
    run('apt-get', [...wait, 'install', '-y', '-qq', '--no-install-recommends', ...packages], { env });
  if ((await install(names)) === 0) return;
  // Older systems have no package of headless Chromium.
  const older = names.map((name) => (name === 'chromium-headless-shell' ? 'chromium' : name));
  if ((await install(older)) !== 0) fail(`${older.join(' and ')} could not be installed.`);
}

/** Prefers headless Chromium, which renders the same pages with a third less CPU. */
function hasBrowser(installs) {
  return Boolean(process.env.CHROMIUM_PATH) || existsSync(HEADLESS) || (existsSync(CHROMIUM) && !installs);
}

function onPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));
}

/**
 * The result of one runner.
 *
 * @typedef {{ passed: number, failed: number, total: number, failures: string[], unsteady?: string[],
 *   times: Record<string, { wall: number, cpu?: number }> }} Outcome `times` are seconds by file
 */

/** CPU seconds of the child processes that have ended, and of theirs; undefined on systems without /proc (fields of proc(5)). */
function endedCpuSeconds() {
  if (!existsSync('/proc/self/stat')) return undefined;
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

/** Runs a part of the tests and notes what it took as a whole, PostgreSQL and browsers included. */
async function measure(name, work) {
  const [began, cpu] = [performance.now(), endedCpuSeconds()];
  const outcome = await work();
  const total = {
    wall: (performance.now() - began) / 1000,
    cpu: cpu === undefined ? undefined : endedCpuSeconds() - cpu,
  };
  return { ...outcome, name, took: total };
}

/** A run that fails without a failed test (a crash, an unhandled error) counts as one failed test. */
function countFailures(failed, code) {
  return code !== 0 && failed === 0 ? 1 : failed;
}

function readReport(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

/** @returns {Promise<Outcome>} */
async function runChecks(options) {
  const { check } = await import('./check.mjs');
  const results = await check(options);
  const failures = results.filter(({ passed }) => !passed).map(({ name }) => name);
  return {
    passed: results.length - failures.length,
    failed: failures.length,
    total: results.length,
    failures,
    times: {},
  };
}

/** @returns {Promise<Outcome>} */
async function runUnitTests(reports, { tags }, env) {
  const [report, times] = [join(reports, 'vitest.json'), join(reports, 'vitest-times.json')];
  const args = ['run', `--outputFile.json=${report}`, ...(tags ? [`--tagsFilter=${tags}`] : [])];
  const code = await runNode([bin('vitest'), ...args], { env: { ...env, TEST_TIMES: times } });
  const result = readReport(report);
  if (!result) return { passed: 0, failed: 1, total: 1, failures: ['vitest left no report'], times: {} };
  // A file that could not be loaded has no test results. A test whose error vitest could not read stays pending.
  const broken = result.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  const failures = [
    ...broken.map(({ name, message }) => `${relative('.', name)}: ${firstLine(message)}`),
    ...result.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === 'failed' || status === 'pending')
        .map((test) => `${relative('.', name)} › ${test.fullName}: ${messageOf(test)}`),
    ),
  ];
  return {
    passed: result.numPassedTests,
    failed: countFailures(failures.length, code),
    total: result.numTotalTests,
    failures,
    times: readReport(times) ?? {},
  };
}

/** The message of a failed test. After a timeout only the position of the test is known. */
function messageOf({ status, failureMessages }) {
  if (status === 'pending') return 'no result: see the unhandled errors above';
  const message = failureMessages.join('\n').replaceAll(/\n\s+at [^\n]*node_modules[^\n]*/g, '');
  return message.startsWith('Error: STACK_TRACE_ERROR')
    ? `timed out\n${firstLines(message.split('\n').slice(1).join('\n'))}`
    : stripVTControlCharacters(firstLine(message)).slice(0, UNIT_LENGTH);
}

function firstLine(text = '') {
  return text.trim().split('\n')[0];
}

/** A browser test's error and the start of its page, shortened for the list of failures. */
function errorOf({ tests }) {
  const failed = tests.flatMap(({ results }) => results).find(({ error }) => error);
  const context = failed?.attachments.find(({ name }) => name === 'error-context')?.path;
  const page = context && existsSync(context) ? (readFileSync(context, 'utf8').split('```yaml')[1] ?? '') : '';
  // Skips the menu, which is the same on every page.
  const main = page.slice(Math.max(page.indexOf('- main'), 0));
  return `${firstLines(failed?.error.message)}\n${firstLines(main)}`.trim();
}

function firstLines(text = '') {
  const lines = stripVTControlCharacters(text).split('\n');
  const first = lines.filter((line) => line.trim() !== '').slice(0, ERROR_LINES);
  return first
    .map((line) => `        ${line}`)
    .join('\n')
    .slice(0, ERROR_LENGTH);
}

function* specsOf({ suites = [], specs = [] }) {
  yield* specs;
  for (const suite of suites) yield* specsOf(suite);
}

const playwright = () => bin('@playwright/test', 'playwright');

/** Counts all browser tests, also those outside this level. */
async function countBrowserTests(reports, env) {
  const list = join(reports, 'all.json');
  await runNode([playwright(), 'test', '--list', '--reporter=json'], {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: list },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return [...specsOf(readReport(list) ?? {})].length;
}

/** @returns {Promise<Outcome>} */
async function runBrowserTests(reports, { grep }, env, counting) {
  const report = join(reports, 'playwright.json');
  const code = await runNode([playwright(), 'test', '--reporter=list,json', ...grep], {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  });
  const total = await counting;
  const result = readReport(report);
  if (!result?.stats) return { passed: 0, failed: 1, total, failures: ['playwright left no report'], times: {} };
  const { expected, unexpected, flaky } = result.stats;
  const failureLine = (spec) => `${spec.file} › ${spec.title}: ${errorOf(spec)}`;
  const specs = [...specsOf(result)];
  const times = {};
  for (const { file, tests } of specs) {
    const path = `console/e2e/${file}`;
    const seconds = tests.flatMap(({ results }) => results).map(({ duration }) => duration / 1000);
    times[path] = { wall: seconds.reduce((sum, one) => sum + one, times[path]?.wall ?? 0) };
  }
  return {
    passed: expected + flaky,
    failed: countFailures(unexpected, code),
    total,
    failures: specs.filter(({ ok }) => !ok).map(failureLine),
    unsteady: specs.filter(({ tests }) => tests.some(({ status }) => status === 'flaky')).map(failureLine),
    times,
  };
}

/**
 * Compares what the statements of the server declare with what they returned in the API tests.
 *
 * @param isComplete whether the records are those of all tests, so that each statement must have been executed
 * @returns {Outcome}
 */
function checkStatements(records, isComplete) {
  const args = ['server/test/statements/check.ts', records, ...(isComplete ? ['--complete'] : [])];
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin('tsx'), ...args], { encoding: 'utf8' });
  console.log(stdout);
  return {
    passed: status === 0 ? 1 : 0,
    failed: status === 0 ? 0 : 1,
    total: 1,
    failures: status === 0 ? [] : [`statements: ${stdout}${stderr}`],
    times: {},
  };
}

/** Seconds that this machine takes for a fixed amount of work, so that times of different machines can be compared. */
function measureFixedWork() {
  const block = Buffer.alloc(1 << 20, 7);
  const began = performance.now();
  for (let n = 0; n < 512; n += 1) createHash('sha256').update(block).digest();
  return (performance.now() - began) / 1000;
}

/** Files are listed from this number of seconds. */
const LISTED_SECONDS = 5;

function printTimes(results) {
  const files = results.flatMap(({ times }) => Object.entries(times));
  const inArea = (area) => files.filter(([path]) => areaOf(path) === area);
  const column = (seconds) => (seconds === undefined ? '--' : seconds.toFixed(1)).padStart(9);
  const line = ({ wall, cpu }, text) => console.log(`${column(wall)}${column(cpu)}  ${text}`);
  const sum = (times) => ({
    wall: times.reduce((total, { wall }) => total + wall, 0),
    cpu: times.every(({ cpu }) => cpu === undefined) ? undefined : times.reduce((total, { cpu = 0 }) => total + cpu, 0),
  });
  console.log(
    '\nSeconds, wall and CPU. Several files run at once, so their sums exceed the time of a part. The CPU time',
  );
  console.log('of PostgreSQL and of browsers is in the parts only.');
  for (const { name, took } of results) line(took, `part: ${name}`);
  for (const area of [...areas.map(([name]) => name), 'other']) {
    const own = inArea(area).toSorted(([, a], [, b]) => (b.cpu ?? b.wall) - (a.cpu ?? a.wall));
    if (own.length === 0) continue;
    line(sum(own.map(([, times]) => times)), area);
    for (const [path, times] of own) if ((times.cpu ?? times.wall) >= LISTED_SECONDS) line(times, `    ${path}`);
  }
}

const name = process.argv[2] ?? 'short';
const level = LEVELS[name];
if (!level) fail(`${name} is not a level of tests: one of ${Object.keys(LEVELS).join(', ')}.`);
const began = performance.now();
await ensureInstalled();
await ensurePrograms(name);
await ensureBuilt();
const seed = process.env.TEST_SEED || String(randomInt(2 ** 31));
const directory = makeTestDirectory(name);
const records = join(directory, 'statements');
const env = {
  ...process.env,
  TMPDIR: directory,
  TEST_STATEMENTS: name === 'long' ? '' : records,
  // Tests that start the product use the build, which ensureBuilt has just checked.
  TEST_BUILD: 'fresh',
  TEST_LEVEL: name,
  TEST_SEED: seed,
};
const work = measureFixedWork();
const started = performance.now();
// The checks leave a core idle at times.
const counting = countBrowserTests(directory, env);
const results = [
  ...(level.checks ? [await measure('checks', () => runChecks(level.checks))] : []),
  await measure('unit and API tests', () => runUnitTests(directory, level, env)),
  ...(name === 'long' ? [] : [await measure('statements', () => checkStatements(records, name === 'full'))]),
  await measure('browser tests', () => runBrowserTests(directory, level, env, counting)),
];
const seconds = (performance.now() - started) / 1000;
rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
const [passed, failed, total] = [sum('passed'), sum('failed'), sum('total')];
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
printTimes(results);
// Repeats the failures at the end, where they are easy to find.
for (const failure of results.flatMap(({ unsteady = [] }) => unsteady)) console.log(`UNSTEADY  ${failure}`);
for (const failure of results.flatMap(({ failures }) => failures)) console.log(`FAILED  ${failure}`);
const setup = (started - began) / 1000;
console.log(
  `\n${passed + failed} of ${total} tests ran (${name}) in ${seconds.toFixed(0)} s, after ${setup.toFixed(0)} s of installing and building.`,
);
console.log(`Fixed work (SHA-256 of 512 MiB): ${work.toFixed(2)} s before, ${measureFixedWork().toFixed(2)} s after.`);
console.log(`Random tests used seed ${seed}: TEST_SEED=${seed} repeats them.`);
console.log(NEXT_COMMANDS[name]);
console.log(`\n${passed} passed, ${failed} failed`);
