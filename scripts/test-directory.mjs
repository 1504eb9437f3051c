// The directory for the temporary files of a test run, above all its databases.
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const PREFIX = 'hengtai-tests-';
/** More than a full run keeps at one time, most of it PostgreSQL's log of at most 1 GiB. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * Creates the directory, in memory if there is enough, because creating databases on a disk takes several times as long.
 * Removes the directories of killed runs.
 *
 * @param level the soaks of the long run need more room than memory may have
 */
export function makeTestDirectory(level) {
  const usesMemory = level !== 'long' && process.env.TMPDIR === undefined && hasRoom();
  const parent = usesMemory ? MEMORY : tmpdir();
  for (const name of readdirSync(parent)) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) rmSync(join(parent, name), { recursive: true, force: true });
  }
  const directory = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  // The embedded PostgreSQL may run as another account, which must reach its files.
  chmodSync(directory, 0o1777);
  return directory;
}

function hasRoom() {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, process.availableMemory?.() ?? freemem()) >= NEEDED_BYTES;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
