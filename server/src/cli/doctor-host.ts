import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readTextFile } from '../host/key-file.ts';
import type { Env } from '../programs/env.ts';
import { checkKeyFiles } from '../supervisor/files.ts';
import { addressOf, portsOf, tryPort } from '../supervisor/ports.ts';
import { LAST_BACKUP_FILE, type LastBackup } from './backup.ts';
import { type Finding, good, problem, warning } from './finding.ts';

// Checks of `doctor` on this machine.

const GB = 1024 ** 3;
const DISK_PROBLEM = GB;
const DISK_WARNING = 5 * GB;
const BACKUP_AGE_MAX_MS = 26 * 3_600_000;

export function checkFolders(env: Env): Finding[] {
  return [...new Set([env.dataDir, env.auditDir])].map((folder) => {
    const isThere = existsSync(folder);
    try {
      accessSync(isThere ? folder : findExistingParent(folder), constants.R_OK | constants.W_OK | constants.X_OK);
    } catch {
      return isThere
        ? problem('folder', `${folder} cannot be written`, 'give it to the account that runs HengTai')
        : problem('folder', `${folder} cannot be created by this account`, 'create it, and give it to this account');
    }
    return isThere ? checkDisk(folder) : good('folder', `${folder} will be created at the first start`);
  });
}

function findExistingParent(folder: string): string {
  const parent = dirname(folder);
  return existsSync(parent) ? parent : findExistingParent(parent);
}

function checkDisk(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const text = `${folder} has ${(free / GB).toFixed(1)} GB free`;
  if (free < DISK_PROBLEM) return problem('disk', text, 'free space now: a full disk stops every write');
  return free < DISK_WARNING
    ? warning('disk', text, 'free space, or move DATA_DIR to a larger disk')
    : good('disk', text);
}

/** The copy of the signed heads proves something only where somebody who changes the database cannot reach it. */
export const checkAuditFolder = ({ auditDir, dataDir }: Env): Finding =>
  auditDir === dataDir
    ? warning('audit heads', 'AUDIT_DIR is DATA_DIR', 'set AUDIT_DIR to a folder on another disk or machine')
    : good('audit heads', `copied to ${auditDir}`);

export function checkKeys(env: Env): Finding {
  try {
    checkKeyFiles(env);
    return good('key files', 'they can be read');
  } catch (error) {
    return problem('key files', (error as Error).message, 'see the message');
  }
}

/** A port must be free, or served by HengTai. */
export async function checkPorts(env: Env): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const port of portsOf(env)) {
    const refusal = await tryPort(env.host, port);
    if (refusal === undefined) findings.push(good('port', `${env.host}:${port} is free; HengTai is not running there`));
    else if (refusal !== 'EADDRINUSE')
      findings.push(problem('port', `cannot listen on ${env.host}:${port} (${refusal})`, 'correct HOST or PORT'));
    else if (await isServed(addressOf(env, port))) findings.push(good('port', `HengTai serves on ${env.host}:${port}`));
    else findings.push(problem('port', `${env.host}:${port} is taken by another program`, 'set PORT to another one'));
  }
  return findings;
}

async function isServed(address: string): Promise<boolean> {
  const answer = await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(3_000) }).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.status === 200;
}

export function checkLastBackup(env: Env): Finding {
  const advice = 'run "hengtai backup" every day, and try a restore';
  const path = join(env.dataDir, LAST_BACKUP_FILE);
  if (!existsSync(path)) return warning('backup', 'no backup was made from this DATA_DIR', advice);
  let last: LastBackup;
  try {
    last = JSON.parse(readTextFile(path)) as LastBackup;
  } catch {
    return warning('backup', `${path} is damaged`, `delete it; ${advice}`);
  }
  const { at, folder } = last;
  const age = Date.now() - at;
  const text = `the last one is ${Math.round(age / 3_600_000)} hours old: ${folder}`;
  return age > BACKUP_AGE_MAX_MS ? warning('backup', text, advice) : good('backup', text);
}
