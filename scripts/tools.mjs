// What the scripts share. They run before anything is installed, so they use nothing but Node.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = join(root, '.build-stamp');

/** Runs a program with this terminal, passes signals on, and gives its exit code. */
export function run(command, args, options = {}) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
  const forward = (signal) => child.kill(signal);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
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

/** Installs what package-lock.json says, unless it is there already. */
export async function ensureInstalled({ development = true } = {}) {
  checkNode();
  if (isInstalled(development)) return;
  console.log('Installing dependencies · 正在安装依赖 …');
  // NODE_ENV=production must not leave out what the build needs.
  const all = ['--include=dev', '--include=optional'];
  // "ci" refuses a lock file that does not name the packages of every platform; "install" is content with this one's.
  const code = (await runNpm(['ci', ...all])) && (await runNpm(['install', '--no-save', ...all]));
  if (code !== 0) fail('The dependencies could not be installed: see the messages above. 依赖安装失败。');
}

function runNpm(args) {
  const npm = process.env.npm_execpath;
  return npm ? runNode([npm, ...args]) : run('npm', args, { shell: process.platform === 'win32' });
}

/** npm notes what it has installed; what the lock file wants must be there in the same version. */
function isInstalled(development) {
  const noted = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(noted)) return false;
  const { packages: installed } = JSON.parse(readFileSync(noted, 'utf8'));
  const { packages: wanted } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/') || entry.link) return true;
    const found = installed[path];
    // Optional ones are absent on another platform, the tools of development in a production install.
    if (!found) return entry.optional || entry.devOptional || entry.peer || (entry.dev && !development);
    return found.version === entry.version;
  });
}

export async function ensureBuilt() {
  const hash = sourceHash();
  const built = existsSync(stamp) && readFileSync(stamp, 'utf8') === hash && existsSync(join(root, 'server/dist'));
  await ensureInstalled({ development: !built });
  if (built) return;
  console.log('Building · 正在构建 …');
  rmSync(stamp, { force: true });
  const code = await runNode(['scripts/build.mjs']);
  if (code !== 0) fail('The build has failed: see the messages above. 构建失败。');
  writeFileSync(stamp, hash);
}

/** Everything that the build reads; a release without sources is taken as built. */
function sourceHash() {
  const hash = createHash('sha256');
  const add = (path) => {
    hash.update(`${relative(root, path)}\0`);
    hash.update(readFileSync(path));
  };
  for (const file of ['package-lock.json', 'tsconfig.base.json', 'scripts/build.mjs']) add(join(root, file));
  for (const room of ['contract', 'server', 'console', 'simulator']) {
    for (const entry of readdirSync(join(root, room), { withFileTypes: true })) {
      if (entry.isFile()) add(join(root, room, entry.name));
    }
    for (const folder of ['src', 'public']) {
      const directory = join(root, room, folder);
      if (!existsSync(directory)) continue;
      const files = readdirSync(directory, { recursive: true, withFileTypes: true });
      for (const path of files
        .filter((file) => file.isFile())
        .map((file) => join(file.parentPath ?? file.path, file.name))
        .sort()) {
        if (!/\.test\.tsx?$/.test(path)) add(path);
      }
    }
  }
  return hash.digest('hex');
}

/** Runs one of the server's programs on DATABASE_URL, or on the database in DATA_DIR, running or not. */
export async function runOnDatabase(name, ...args) {
  const dataDir = resolve(process.env.DATA_DIR || 'data');
  if (!process.env.DATABASE_URL && !existsSync(join(dataDir, 'postgres'))) {
    fail(`There is no database in ${dataDir}: set DATA_DIR or DATABASE_URL. 未找到数据库。`);
  }
  await ensureBuilt();
  const program = (one) => join(root, 'server/dist', `${one}.js`);
  process.exitCode = await runNode([program('with-database'), program(name), ...args], { cwd: process.cwd() });
}
