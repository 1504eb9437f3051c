// Functions shared by the scripts. Uses only Node.js, because the scripts run before packages are installed.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findServices, isBuilt } from './build-state.mjs';
import { showShare } from './steps.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');

/** Runs a program on this terminal, forwards signals, and resolves to its exit code (1 after a signal). */
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
      // Piped output is shown only after a failure.
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

/** The path of an installed package's program, so that it can run without a shell. */
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

export function fail(message, code = 1) {
  console.error(message);
  process.exit(code);
}

/** Installs the packages of package-lock.json unless they are installed. Exits while a service runs from this checkout. */
export async function ensureInstalled({ development = true } = {}) {
  checkNode();
  if (isInstalled(development)) return;
  refuseUnderService('dependencies differ from package-lock.json');
  const startedAt = Date.now();
  const paths = lockedPaths();
  const endProgress = showShare('Installing dependencies', '正在安装依赖', () => installedShare(paths, startedAt));
  // With NODE_ENV=production npm would omit the packages of the build.
  const all = ['--include=dev', '--include=optional'];
  // `npm ci` refuses a lock file without the packages of all platforms; `npm install` accepts it.
  const code = (await runNpm(['ci', ...all])) && (await runNpm(['install', '--no-save', ...all]));
  endProgress();
  if (code !== 0) fail('The dependencies could not be installed: see the messages above. 依赖安装失败。');
}

/** Runs npm; its output is shown only after a failure. */
export function runNpm(args, more = {}) {
  const npm = process.env.npm_execpath;
  const options = { stdio: ['inherit', 'pipe', 'pipe'], ...more };
  return npm ? runNode([npm, ...args], options) : run('npm', args, { ...options, shell: process.platform === 'win32' });
}

/** Manifest paths of the locked packages for this platform. */
function lockedPaths() {
  const { packages } = readLock();
  const fits = (list, value) => !list || list.includes(value);
  return Object.entries(packages)
    .filter(([path, { link, os, cpu }]) => {
      return path.includes('node_modules/') && !link && fits(os, process.platform) && fits(cpu, process.arch);
    })
    .map(([path]) => join(root, path, 'package.json'));
}

/** The share of packages unpacked since the start, because npm shows no percentage. */
function installedShare(paths, startedAt) {
  const unpacked = paths.filter((path) => (statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0) >= startedAt);
  return Math.min(unpacked.length / paths.length, 0.99);
}

const readLock = () => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));

/** Compares npm's record of installed packages with the lock file. */
function isInstalled(development) {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const { packages: installed } = JSON.parse(readFileSync(record, 'utf8'));
  return Object.entries(readLock().packages).every(([path, entry]) => {
    if (!path.includes('node_modules/') || entry.link) return true;
    const found = installed[path];
    // Optional packages may be missing on this platform, development tools in a production install.
    if (!found) return entry.optional || entry.devOptional || entry.peer || (entry.dev && !development);
    return found.version === entry.version;
  });
}

/** Whether the build is up to date and its packages are installed. */
export function isReady() {
  return isBuilt(root) && isInstalled(false);
}

/** Installs and builds what is missing or stale. Exits while a service runs from this checkout. */
export async function ensureBuilt() {
  const built = isBuilt(root);
  await ensureInstalled({ development: !built });
  if (built) return;
  refuseUnderService('build is older than its sources');
  const code = await runNode(['scripts/build.mjs']);
  if (code !== 0) fail('The build failed: see the messages above. 构建失败。');
}

/** Exits if a service runs from this checkout: it loads files of its build and packages lazily, so replacing them breaks it. */
export function refuseUnderService(reason) {
  const [service] = findServices(root);
  if (service === undefined) return;
  fail(
    `The ${reason}, but a service runs from this checkout (process ${service}). ` +
      `Stop it first, then run this command again. 服务正在运行，请先停止再重试。`,
  );
}

/** As `ensureBuilt`, but beside a running service uses its build even if it is older than the sources. */
export async function ensureUsable() {
  if (isReady()) return;
  const [service] = findServices(root);
  if (service === undefined) return ensureBuilt();
  console.warn(
    `The build is older than its sources and is used as it is, because a service runs on it (process ${service}). ` +
      `正在使用运行中服务的旧构建。`,
  );
}
