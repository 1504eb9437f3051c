// npm test: checks, build, unit and API tests, browser tests. The last line sums up all of them.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { bin, ensureInstalled, fail, run, runNode } from './tools.mjs';

const CHROMIUM = '/usr/bin/chromium';
const HEADLESS = '/usr/bin/chromium-headless-shell';
const SPREADSHEET = '/Applications/LibreOffice.app/Contents/MacOS/soffice';
const [ERROR_LINES, ERROR_LENGTH, UNIT_LENGTH] = [6, 400, 1_600];
const CHINESE_FONT = '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc';

/**
 * The browser, a Chinese font, a spreadsheet that opens what is exported, and what the documented examples call; on Debian
 * they are installed when missing.
 */
async function ensurePrograms() {
  const installs = existsSync('/usr/bin/apt-get') && process.getuid?.() === 0;
  const missing = [
    ...['curl', 'openssl'].filter((name) => !onPath(name)),
    ...missingBrowser(installs),
    ...(existsSync(CHINESE_FONT) || process.platform !== 'linux' ? [] : ['fonts-noto-cjk']),
    ...(onPath('soffice') || existsSync(SPREADSHEET) ? [] : ['libreoffice-calc-nogui']),
  ];
  if (missing.length === 0) return;
  if (!installs) {
    fail(`The tests need ${missing.join(' and ')}: install them, or set CHROMIUM_PATH to a Chromium.`);
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const wait = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3'];
  await run('apt-get', [...wait, 'update', '-qq'], { env });
  const install = (names) =>
    run('apt-get', [...wait, 'install', '-y', '-qq', '--no-install-recommends', ...names], { env });
  if ((await install(missing)) === 0) return;
  const older = missing.map((name) => (name === 'chromium-headless-shell' ? 'chromium' : name));
  if ((await install(older)) !== 0) fail(`${older.join(' and ')} could not be installed.`);
}

/** Chromium without its window draws the same pages and takes a third less work; older systems have only the whole one. */
function missingBrowser(installs) {
  const enough = process.env.CHROMIUM_PATH || existsSync(HEADLESS) || (existsSync(CHROMIUM) && !installs);
  return enough ? [] : ['chromium-headless-shell'];
}

function onPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));
}

/** A run that ends badly without a failed test (a crash, an unhandled error) counts as one failed test. */
function honest({ passed, failed }, code) {
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
}

function readReport(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

async function checks() {
  const { check } = await import('./check.mjs');
  const results = await check();
  const failures = results.filter(({ passed }) => !passed).map(({ name }) => name);
  return { passed: results.length - failures.length, failed: failures.length, failures };
}

async function units(reports) {
  const report = join(reports, 'vitest.json');
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const env = { ...process.env, TEST_BUILD: 'fresh' };
  const code = await runNode([bin('vitest'), ...args], { env });
  const result = readReport(report);
  if (!result) return { passed: 0, failed: 1, failures: ['vitest left no report'] };
  // A file that could not even be loaded has no tests to fail.
  const broken = result.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  const failures = [
    ...broken.map(({ name, message }) => `${relative('.', name)}: ${firstLine(message)}`),
    ...result.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === 'failed')
        .map((test) => `${relative('.', name)} › ${test.fullName}: ${saidBy(test)}`),
    ),
  ];
  return {
    ...honest({ passed: result.numPassedTests, failed: result.numFailedTests + broken.length }, code),
    failures,
  };
}

/** What a failed test said. One that took too long has no words of its own, but the place in its file where it began. */
function saidBy({ failureMessages }) {
  const said = failureMessages.join('\n').replaceAll(/\n\s+at [^\n]*node_modules[^\n]*/g, '');
  return said.startsWith('Error: STACK_TRACE_ERROR')
    ? `took too long\n${firstLines(said.split('\n').slice(1).join('\n'))}`
    : stripVTControlCharacters(firstLine(said)).slice(0, UNIT_LENGTH);
}

function firstLine(text = '') {
  return text.trim().split('\n')[0];
}

/** A browser test's error and how the page began that it saw, without colours and short enough for a list of failures. */
function errorOf({ tests }) {
  const failed = tests.flatMap(({ results }) => results).find(({ error }) => error);
  const context = failed?.attachments.find(({ name }) => name === 'error-context')?.path;
  const page = context && existsSync(context) ? (readFileSync(context, 'utf8').split('```yaml')[1] ?? '') : '';
  // The menu is the same everywhere; where it is all there is, that is said.
  const main = page.slice(Math.max(page.indexOf('- main'), 0));
  return `${firstLines(failed?.error.message)}\n${firstLines(main)}`.trim();
}

function firstLines(text = '') {
  const lines = stripVTControlCharacters(text).split('\n');
  const said = lines.filter((line) => line.trim() !== '').slice(0, ERROR_LINES);
  return said
    .map((line) => `        ${line}`)
    .join('\n')
    .slice(0, ERROR_LENGTH);
}

function* specsOf({ suites = [], specs = [] }) {
  yield* specs;
  for (const suite of suites) yield* specsOf(suite);
}

async function browser(reports) {
  const report = join(reports, 'playwright.json');
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: report };
  const code = await runNode([bin('@playwright/test', 'playwright'), 'test', '--reporter=list,json'], { env });
  const result = readReport(report);
  if (!result?.stats) return { passed: 0, failed: 1, failures: ['playwright left no report'] };
  const { expected, unexpected, flaky } = result.stats;
  const named = (spec) => `${spec.file} › ${spec.title}: ${errorOf(spec)}`;
  const specs = [...specsOf(result)];
  const failures = specs.filter(({ ok }) => !ok).map(named);
  const unsteady = specs.filter(({ tests }) => tests.some(({ status }) => status === 'flaky')).map(named);
  return { ...honest({ passed: expected + flaky, failed: unexpected }, code), failures, unsteady };
}

await ensureInstalled();
await ensurePrograms();
const reports = mkdtempSync(join(tmpdir(), 'hengtai-reports-'));
const results = [await checks()];
if ((await runNode(['scripts/build.mjs'])) === 0) results.push(await units(reports), await browser(reports));
else results.push({ passed: 0, failed: 1, failures: ['build'] });
rmSync(reports, { recursive: true });
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
const [passed, failed] = [sum('passed'), sum('failed')];
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
// What failed is said again at the end, where it is not lost among thousands of lines.
for (const failure of results.flatMap(({ unsteady = [] }) => unsteady)) console.log(`UNSTEADY  ${failure}`);
for (const failure of results.flatMap(({ failures }) => failures)) console.log(`FAILED  ${failure}`);
console.log(`\n${passed} passed, ${failed} failed`);
