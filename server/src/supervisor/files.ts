import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { AUDIT_KEY_FILE, auditKeyFormat } from '../host/audit-key.ts';
import { ConfigurationError } from '../host/configuration-error.ts';
import type { Env } from '../programs/env.ts';
import { readKeyFile, readTextFile } from '../host/key-file.ts';
import { makeFolder } from '../host/make-folder.ts';
import { findSecretKeys } from '../host/secret-key.ts';
import { findPlatformKeys } from '../host/platform-key.ts';

/**
 * Checks the folders and files that server and simulator read later, so that a damaged one is reported at the start and
 * not by a failing request.
 *
 * @throws Error that names the variable or file, the problem and the remedy
 */
export function checkFiles(env: Env): void {
  for (const [name, folder] of [
    ['DATA_DIR', env.dataDir],
    ['AUDIT_DIR', env.auditDir],
  ] as const) {
    checkFolder(name, folder);
  }
  checkKeyFiles(env);
  // The simulator replaces a damaged state, but fails on an unreadable file.
  const state = join(env.dataDir, 'simulator-state.json');
  if (env.simulator && existsSync(state)) readTextFile(state);
}

/** @throws Error that names a damaged key file, the problem and the remedy */
export function checkKeyFiles(env: Env): void {
  findSecretKeys(env.dataDir, env);
  findPlatformKeys(env, env.dataDir);
  // Earlier releases kept the audit key in AUDIT_DIR.
  for (const folder of new Set([env.dataDir, env.auditDir])) {
    const auditKey = join(folder, AUDIT_KEY_FILE);
    if (existsSync(auditKey)) readKeyFile(auditKey, auditKeyFormat);
  }
}

function checkFolder(name: string, folder: string): void {
  try {
    makeFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new ConfigurationError(`${name}=${folder} is not accepted: a folder that can be written (${code}).`, {
      cause: error,
    });
  }
}
