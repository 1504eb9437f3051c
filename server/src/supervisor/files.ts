import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AUDIT_KEY_FILE, auditKeyFormat } from '../audit/audit-key.ts';
import type { Env } from '../env.ts';
import { readKeyFile, readTextFile } from '../db/key-file.ts';
import { OTP_KEY_FILE, otpKeyFormat } from '../otp/key.ts';

/**
 * Checks the folders and the files that server and simulator read later, so that a damaged one ends the start instead of
 * a first request.
 *
 * @throws Error that names the variable or the file, what is wrong and what to do
 */
export function checkFiles(env: Env): void {
  for (const [name, folder] of [
    ['DATA_DIR', env.dataDir],
    ['AUDIT_DIR', env.auditDir],
  ] as const) {
    checkFolder(name, folder);
  }
  const otpKey = join(env.dataDir, OTP_KEY_FILE);
  if (env.otpKey === undefined && existsSync(otpKey)) readKeyFile(otpKey, otpKeyFormat);
  // Earlier releases kept it in AUDIT_DIR.
  for (const folder of new Set([env.dataDir, env.auditDir])) {
    const auditKey = join(folder, AUDIT_KEY_FILE);
    if (existsSync(auditKey)) readKeyFile(auditKey, auditKeyFormat);
  }
  // The simulator starts afresh where its state is damaged, but not where it cannot be read.
  const state = join(env.dataDir, 'simulator-state.json');
  if (env.simulator && existsSync(state)) readTextFile(state);
}

function checkFolder(name: string, folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new Error(`${name}=${folder} is not accepted: a folder that can be written (${code}).`, { cause: error });
  }
}
