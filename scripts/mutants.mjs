// npm run mutants: applies one fault of mutants/ at a time and tells whether the tests notice it. See mutants/README.md.
import { execFileSync, spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { survivors, tests } from '../mutants/areas.mjs';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
/** A fault can make a test wait for ever, which counts as noticed. */
const LIMIT_MS = 900_000;
/** What vitest runs at a level, instead of the files of the area. */
const LEVELS = { short: [['--tagsFilter=!full']], full: [[]] };

/**
 * A kept fault. Its first line says what goes wrong.
 *
 * @typedef {{ area: string, name: string, path: string, fault: string }} Mutant
 * @typedef {Mutant & { outcome: 'killed' | 'survived' | 'does not apply', seconds: number, killer: string }} Verdict
 */

/** @returns {Mutant[]} */
export function listMutants(folder) {
  const areas = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return areas.flatMap(({ name: area }) =>
    readdirSync(join(folder, area))
      .toSorted()
      .map((file) => {
        const path = join(folder, area, file);
        return { area, name: file.replace(/\.patch$/, ''), path, fault: readFileSync(path, 'utf8').split('\n')[0] };
      }),
  );
}

/** Takes `size` of the items; the same seed takes the same ones. */
export function sample(items, size, seed) {
  let state = seed;
  // A linear congruential generator, because Math.random has no seed.
  const next = () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  const left = [...items];
  const taken = [];
  while (taken.length < size && left.length > 0) taken.push(...left.splice(Math.floor(next() * left.length), 1));
  return taken;
}

/**
 * Judges mutants one after the other in a checkout, which is clean afterwards.
 *
 * @param {string} checkout a git work tree that nobody else uses
 * @param {() => Mutant | undefined} next
 * @param {(mutant: Mutant) => Promise<{ passed: boolean, killer: string }>} runTests
 * @param {(verdict: Verdict) => void} report
 */
export async function judge(checkout, next, runTests, report) {
  const git = (...args) => execFileSync('git', args, { cwd: checkout, stdio: ['ignore', 'ignore', 'pipe'] });
  for (let mutant = next(); mutant; mutant = next()) {
    const began = performance.now();
    const verdict = { ...mutant, outcome: 'does not apply', seconds: 0, killer: '' };
    try {
      git('apply', mutant.path);
    } catch {
      report(verdict);
      continue;
    }
    const { passed, killer } = await runTests(mutant);
    git('checkout', '-q', '--', '.');
    const seconds = (performance.now() - began) / 1000;
    report({ ...verdict, outcome: passed ? 'survived' : 'killed', seconds, killer });
  }
}

/** A checkout of a revision with the packages of this one, and with its own workspaces. */
function makeCheckout(directory, revision) {
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', directory, revision], { cwd: root });
  linkPackages(join(root, 'node_modules'), join(directory, 'node_modules'));
  return directory;
}

function linkPackages(from, to) {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    // The workspaces are links out of node_modules, and are those of the checkout.
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), join(to, entry.name));
    else if (entry.name.startsWith('@')) linkPackages(source, join(to, entry.name));
    else if (!entry.name.startsWith('.vite')) symlinkSync(source, join(to, entry.name));
  }
}

/** Starts a PostgreSQL for all runs, so that none pays for its creation and migration. */
async function startCluster(env) {
  const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');
  const args = [tsx, 'server/test/keep-cluster.ts'];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const url = await new Promise((resolve, reject) => {
    child.stdout.once('data', (line) => resolve(String(line).trim()));
    child.once('close', () => reject(new Error('PostgreSQL did not start.')));
  });
  return {
    url,
    stop: () => {
      child.stdin.end();
      return ended;
    },
  };
}

/** Runs vitest in a checkout; resolves to whether all tests passed, and the first one that failed. */
function runVitest(checkout, args, env) {
  const vitest = join(checkout, 'node_modules/vitest/vitest.mjs');
  const all = [vitest, 'run', '--bail=1', '--reporter=dot', ...args];
  // A group of its own, so that the servers that tests start end with it.
  const child = spawn(process.execPath, all, { cwd: checkout, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const timer = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), LIMIT_MS);
  return new Promise((resolve) => {
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      const failed = /FAIL +(.+)/.exec(stripVTControlCharacters(output))?.[1].trim();
      const killer = failed ?? (signal ? 'no end' : `${stripVTControlCharacters(output).trim().split('\n').at(-1)}`);
      resolve({ passed: code === 0, killer: code === 0 ? '' : killer });
    });
  });
}

/** Runs the steps of an area in order, up to the first failure: the likely killers come first. */
async function runSteps(checkout, steps, env) {
  for (const step of steps) {
    const result = await runVitest(checkout, step, env);
    if (!result.passed) return result;
  }
  return { passed: true, killer: '' };
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      area: { type: 'string' },
      only: { type: 'string' },
      level: { type: 'string', default: 'areas' },
      sample: { type: 'string' },
      seed: { type: 'string', default: '1' },
      base: { type: 'string', default: 'HEAD' },
      jobs: { type: 'string', default: '2' },
    },
  });
  if (values.level !== 'areas' && !LEVELS[values.level])
    throw new Error(`${values.level} is not a level: areas, short or full.`);
  const chosen = listMutants(join(root, 'mutants')).filter(
    ({ area, name }) => area === (values.area ?? area) && name === (values.only ?? name),
  );
  const mutants = values.sample ? sample(chosen, Number(values.sample), Number(values.seed)) : chosen;
  if (mutants.length === 0) throw new Error('No mutant has this area and name.');
  return { ...values, mutants, jobs: Math.min(Number(values.jobs), mutants.length) };
}

/** Prints a verdict as it comes, with the fault if the tests did not notice it. */
function printVerdict({ area, name, outcome, seconds, killer, fault }) {
  const about = outcome === 'killed' ? killer : fault;
  console.log(`${outcome.padEnd(14)} ${seconds.toFixed(0).padStart(4)} s  ${area}/${name}  ${about}`);
}

/** Prints the score of each area and the survivors; returns whether every one of them is known. */
function printScores(verdicts) {
  const count = (of, outcome) => of.filter((one) => one.outcome === outcome).length;
  console.log('\narea            mutants  killed  survived  does not apply  score');
  for (const area of [...new Set(verdicts.map((one) => one.area)), 'all']) {
    const of = area === 'all' ? verdicts : verdicts.filter((one) => one.area === area);
    const [killed, survived] = [count(of, 'killed'), count(of, 'survived')];
    const score = killed + survived === 0 ? '-' : `${((100 * killed) / (killed + survived)).toFixed(1)}%`;
    const cells = [of.length, killed, survived, count(of, 'does not apply'), score];
    console.log(area.padEnd(14) + cells.map((cell, at) => String(cell).padStart([9, 8, 10, 16, 7][at])).join(''));
  }
  const alive = verdicts.filter(({ outcome }) => outcome === 'survived');
  for (const { area, name, fault } of alive) {
    const reason = survivors[`${area}/${name}`];
    console.log(
      `\nSURVIVED  mutants/${area}/${name}.patch\n  ${fault}\n  ${reason ? `known: ${reason}` : 'Write a test that fails for it.'}`,
    );
  }
  return alive.every(({ area, name }) => survivors[`${area}/${name}`] !== undefined);
}

async function main() {
  const { mutants, base, level, jobs } = readOptions();
  const directory = mkdtempSync(join(tmpdir(), 'hengtai-mutants-'));
  const checkouts = Array.from({ length: jobs }, (_, at) => makeCheckout(join(directory, String(at)), base));
  const cluster = await startCluster(process.env);
  const env = { ...process.env, DATABASE_URL: cluster.url };
  const stepsOf = (area) => LEVELS[level] ?? tests[area];
  const verdicts = [];
  const broken = [];
  try {
    const areas = level === 'areas' ? [...new Set(mutants.map(({ area }) => area))] : [level];
    for (const area of areas) {
      const { passed, killer } = await runSteps(checkouts[0], stepsOf(area), env);
      if (!passed) broken.push(`The tests of ${area} fail without a fault: ${killer}`);
    }
    if (broken.length === 0) {
      const waiting = [...mutants];
      const report = (verdict) => {
        verdicts.push(verdict);
        printVerdict(verdict);
      };
      const work = (checkout) =>
        judge(
          checkout,
          () => waiting.shift(),
          ({ area }) => runSteps(checkout, stepsOf(area), env),
          report,
        );
      await Promise.all(checkouts.map(work));
    }
  } finally {
    await cluster.stop();
    for (const checkout of checkouts) execFileSync('git', ['worktree', 'remove', '--force', checkout], { cwd: root });
    rmSync(directory, { recursive: true, force: true });
  }
  for (const message of broken) console.error(message);
  const areKnown = printScores(verdicts);
  const stale = verdicts.filter(({ outcome }) => outcome === 'does not apply');
  for (const { path } of stale) console.log(`\nDOES NOT APPLY  ${relative(root, path)}`);
  // An older revision has other code, so that some mutants cannot be applied to it.
  return broken.length === 0 && areKnown && (stale.length === 0 || base !== 'HEAD') ? 0 : 1;
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href)
  process.exitCode = await main();
