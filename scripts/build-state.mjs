// Whether the build is up to date, and whether a service uses it. Uses only Node.js, because the scripts run before packages
// are installed. Every function takes the root of the checkout, so that tests can use another folder.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const STAMP = '.build-stamp';
const OUTPUTS = ['server/dist', 'simulator/dist', 'console/dist'];
/** Programs of a service. While one of them runs, its build and packages must not be replaced. */
const SERVICES = ['server/dist/main.js', 'simulator/dist/main.js'];
/** Programs that are a service if their first argument is `start`. */
const COMMAND_LINES = ['scripts/hengtai.mjs', 'server/dist/hengtai.js'];

/** Hash of everything that the build reads. */
export function sourceHash(root) {
  const hash = createHash('sha256');
  const add = (path) => {
    hash.update(`${relative(root, path)}\0`);
    hash.update(readFileSync(path));
  };
  for (const file of ['package-lock.json', 'tsconfig.base.json', 'scripts/build.mjs', 'scripts/build-signing.mjs']) {
    if (existsSync(join(root, file))) add(join(root, file));
  }
  for (const workspace of ['contract', 'server', 'console', 'simulator', 'clients/typescript']) {
    for (const path of filesOf(join(root, workspace))) add(path);
  }
  return hash.digest('hex');
}

/** The files of a workspace that end up in the build, in a fixed order. */
function filesOf(workspace) {
  if (!existsSync(workspace)) return [];
  const top = readdirSync(workspace, { withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = top.map((entry) => join(workspace, entry.name)).sort();
  for (const folder of ['src', 'public']) {
    const directory = join(workspace, folder);
    if (!existsSync(directory)) continue;
    const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    const found = files.map((file) => join(file.parentPath ?? file.path, file.name)).sort();
    paths.push(...found.filter((path) => !/\.test\.tsx?$/.test(path)));
  }
  return paths;
}

export function isBuilt(root) {
  const stamp = join(root, STAMP);
  if (!existsSync(stamp) || !OUTPUTS.every((output) => existsSync(join(root, output)))) return false;
  return readFileSync(stamp, 'utf8').trim() === sourceHash(root);
}

/** @param hash hash of the sources before the build, so that an edit during the build makes it stale */
export function writeStamp(root, hash) {
  writeFileSync(join(root, STAMP), `${hash}\n`);
}

export function removeStamp(root) {
  rmSync(join(root, STAMP), { force: true });
}

/**
 * Process ids of the services that run from this checkout. Finds them by command line, because a pid file can outlive its
 * process. On Windows it finds none.
 */
export function findServices(root) {
  // The parent of a build may be the start script.
  const own = [process.pid, process.ppid];
  const found = listProcesses().filter((one) => !own.includes(one.pid) && isService(root, one));
  const ids = new Set(found.map(({ pid }) => pid));
  // Reports a supervisor instead of its children.
  return found.filter(({ parent }) => !ids.has(parent)).map(({ pid }) => pid);
}

/** Whether a process is a supervisor or server of any checkout. A stored process id may have been reused by another program. */
export function isServiceProcess(pid) {
  const found = listProcesses().find((one) => one.pid === pid);
  return found !== undefined && programsOf(found).length > 0;
}

/** The arguments of a process that name the program of a service; at most one. */
function programsOf({ args }) {
  return args.filter((arg, index) => {
    const path = arg.replaceAll('\\', '/');
    const isOneOf = (programs) => programs.some((program) => path === program || path.endsWith(`/${program}`));
    return (
      isOneOf(SERVICES) ||
      (isOneOf(COMMAND_LINES) && args[index + 1] === 'start') ||
      /server\/src\/(supervisor\/dev|cli\/hengtai)\.ts$/.test(path)
    );
  });
}

/** Children have absolute paths; the supervisor may have a path relative to its working directory. */
function isService(root, process) {
  const [program] = programsOf(process);
  if (program === undefined) return false;
  const folder = program.startsWith('/') ? '/' : workingDirectory(process.pid);
  if (folder === undefined) return false;
  const path = resolve(folder, program);
  return [...SERVICES, ...COMMAND_LINES].some((one) => path === join(root, one));
}

function listProcesses() {
  if (process.platform === 'linux') return readdirSync('/proc').flatMap(readProcess);
  if (process.platform === 'win32') return [];
  const lines = execFileSync('ps', ['-axww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, pid, parent, args] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid ? [{ pid: Number(pid), parent: Number(parent), args: args.split(' ') }] : [];
  });
}

function readProcess(name) {
  if (!/^\d+$/.test(name)) return [];
  try {
    const args = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
    // The program's name is in parentheses and may hold spaces.
    const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1).split(' ');
    return [{ pid: Number(name), parent: Number(parent), args }];
  } catch {
    // The process ended meanwhile.
    return [];
  }
}

function workingDirectory(pid) {
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`);
    const lines = execFileSync('lsof', ['-a', '-p', String(pid), '-d', 'cwd', '-Fn'], { encoding: 'utf8' });
    return /^n(.*)$/m.exec(lines)?.[1];
  } catch {
    // Another user's process; its children are found by their absolute paths.
    return undefined;
  }
}
