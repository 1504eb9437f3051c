// Shared by the scripts. They run before anything is installed, so this uses only Node.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findServices, isBuilt } from './build-state.mjs';
import { showShare } from './steps.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');

/** Runs a program with this terminal, passes signals on, and gives its exit code. */
export function run(command, args, options = {}) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
  const forward = (signal) => child.kill(signal);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      // Output that is piped is of interest only after a failure.
      if (code !== 0 && output !== '') console.error(output);
      resolve(code ?? 1);
    });
  }).finally(() => {
    for (const signal of signals) process.off(signal, forward);
  });
}

export function runNode(args, options) {
  return run(process.execPath, args, options);
}

/** The program of an installed package, found without a shell. */
export function bin(name, program = name) {
  const directory = join(root, 'node_modules', name);
  const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  return join(directory, typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[program]);
}

export function checkNode() {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const wanted = engines.node.match(/\d+/g).map(Number);
  const found = process.versions.node.split('.').map(Number);
  const older = found[0] < wanted[0] || (found[0] === wanted[0] && found[1] < (wanted[1] ?? 0));
  if (older) fail(`Node.js ${engines.node} is needed; this is ${process.versions.node}. 请升级 Node.js。`);
}

export function fail(message) {
  console.error(message);
  process.exit(1);
}

/** Installs what package-lock.json lists, unless it is installed already. Refuses while a service runs from this checkout. */
export async function ensureInstalled({ development = true } = {}) {
  checkNode();
  if (isInstalled(development)) return;
  refuseUnderService('dependencies are not those of package-lock.json');
  const startedAt = Date.now();
  const paths = wantedPaths();
  const endProgress = showShare('Installing dependencies', '正在安装依赖', () => installedShare(paths, startedAt));
  // NODE_ENV=production must not leave out what the build needs.
  const all = ['--include=dev', '--include=optional'];
  // "ci" refuses a lock file that does not name the packages of every platform; "install" is content with this one's.
  const code = (await runNpm(['ci', ...all])) && (await runNpm(['install', '--no-save', ...all]));
  endProgress();
  if (code !== 0) fail('The dependencies could not be installed: see the messages above. 依赖安装失败。');
}

function runNpm(args) {
  const npm = process.env.npm_execpath;
  const options = { stdio: ['inherit', 'pipe', 'pipe'] };
  return npm ? runNode([npm, ...args], options) : run('npm', args, { ...options, shell: process.platform === 'win32' });
}

/** The packages of the lock file that this platform gets. */
function wantedPaths() {
  const { packages } = readLock();
  const fits = (list, value) => !list || list.includes(value);
  return Object.entries(packages)
    .filter(([path, { link, os, cpu }]) => {
      return path.includes('node_modules/') && !link && fits(os, process.platform) && fits(cpu, process.arch);
    })
    .map(([path]) => join(root, path, 'package.json'));
}

/** npm shows no percentage of its own: counts the packages that were unpacked since the start. */
function installedShare(paths, startedAt) {
  const unpacked = paths.filter((path) => (statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0) >= startedAt);
  return Math.min(unpacked.length / paths.length, 0.99);
}

const readLock = () => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));

/** Compares npm's record of what it has installed with the lock file. */
function isInstalled(development) {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const { packages: installed } = JSON.parse(readFileSync(record, 'utf8'));
  return Object.entries(readLock().packages).every(([path, entry]) => {
    if (!path.includes('node_modules/') || entry.link) return true;
    const found = installed[path];
    // Optional packages are absent on other platforms, development tools in a production install.
    if (!found) return entry.optional || entry.devOptional || entry.peer || (entry.dev && !development);
    return found.version === entry.version;
  });
}

/** True when the build is up to date and its packages are installed, so that nothing needs to be changed. */
export function isReady() {
  return isBuilt(root) && isInstalled(false);
}

/** Installs and builds what is missing or stale. Refuses while a service runs from this checkout. */
export async function ensureBuilt() {
  const built = isBuilt(root);
  await ensureInstalled({ development: !built });
  if (built) return;
  refuseUnderService('build is older than its sources');
  const code = await runNode(['scripts/build.mjs']);
  if (code !== 0) fail('The build has failed: see the messages above. 构建失败。');
}

/** A running service loads files of its build and its packages later: replacing them would break it. */
export function refuseUnderService(reason) {
  const [service] = findServices(root);
  if (service === undefined) return;
  fail(
    `The ${reason}, but a service runs from this checkout (process ${service}). ` +
      `Stop it first, then run this command again. 服务正在运行，请先停止再重试。`,
  );
}

/** For commands beside a running service: they use its build, even when it is older than the sources. */
export async function ensureUsable() {
  if (isReady()) return;
  const [service] = findServices(root);
  if (service === undefined) return ensureBuilt();
  console.warn(
    `The build is older than its sources and is used as it is, because a service runs on it (process ${service}). ` +
      `正在使用运行中服务的旧构建。`,
  );
}

/** Runs one of the server's programs on DATABASE_URL, or on the database in DATA_DIR, running or not. */
export async function runOnDatabase(name, ...args) {
  const dataDir = resolve(process.env.DATA_DIR || 'data');
  if (!process.env.DATABASE_URL && !existsSync(join(dataDir, 'postgres'))) {
    fail(`There is no database in ${dataDir}: set DATA_DIR or DATABASE_URL. 未找到数据库。`);
  }
  await runWithDatabase(name, ...args);
}

/**
 * A backup holds what the servers may not read, a restore creates the tables, and no server may unlock four-eyes. The
 * other programs log in as the servers do.
 */
const OWNER_PROGRAMS = new Set(['backup', 'four-eyes']);

export async function runWithDatabase(name, ...args) {
  await ensureUsable();
  const program = (one) => join(root, 'server/dist', `${one}.js`);
  const role = OWNER_PROGRAMS.has(name) ? ['--owner'] : [];
  process.exitCode = await runNode([program('with-database'), ...role, program(name), ...args], {
    cwd: process.cwd(),
  });
}
