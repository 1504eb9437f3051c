import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeBackup } from '../backup/backup.ts';
import { type Manifest, readManifest } from '../backup/manifest.ts';
import { restoreBackup } from '../backup/restore.ts';
import type { Env } from '../programs/env.ts';
import { writeLine } from './exit.ts';

/** File of DATA_DIR that says when the last backup was made, for `doctor`. */
export const LAST_BACKUP_FILE = 'last-backup.json';

/** Content of the file. */
export interface LastBackup {
  /** Unix ms. */
  at: number;
  folder: string;
}

/** @param named default: `backups/<time>` of the working directory */
export async function backUp(url: string, env: Env, named?: string): Promise<void> {
  const now = Date.now();
  const time = new Date(now).toISOString().slice(0, 19).replaceAll(':', '');
  const folder = resolve(named ?? `backups/${time}Z`);
  await makeBackup({ ...placeOf(url, env), folder, now });
  // Reads every file again, because a disk may have written something else.
  printSummary(`Backup written to ${folder} and verified · 备份完成并已校验`, await readManifest(folder));
  const last: LastBackup = { at: now, folder };
  await writeFile(join(env.dataDir, LAST_BACKUP_FILE), `${JSON.stringify(last)}\n`);
}

export async function restore(url: string, env: Env, named: string): Promise<void> {
  const folder = resolve(named);
  printSummary('Restored and verified · 恢复完成并已校验', await restoreBackup({ ...placeOf(url, env), folder }));
}

const placeOf = (databaseUrl: string, { dataDir, auditDir }: Env) => ({ databaseUrl, dataDir, auditDir });

function printSummary(done: string, { tables, proof }: Manifest): void {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const lines = [
    `${done}: ${rows} rows in ${tables.length} tables, ${proof.chain.sealed} sealed audit rows.`,
    ...proof.owed.map(({ market, amount }) => `  ${market} owed to users: ${amount}`),
    ...proof.faults.map((fault) => `  LEDGER CHECK FAILED: ${fault}`),
    ...(proof.chain.ok ? [] : ['  AUDIT CHAIN BROKEN: run hengtai verify audit']),
  ];
  writeLine(lines.join('\n'));
}
