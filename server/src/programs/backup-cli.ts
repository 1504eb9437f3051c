import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readEnv } from './env.ts';
import { makeBackup } from '../backup/backup.ts';
import type { Manifest } from '../backup/manifest.ts';
import { restoreBackup } from '../backup/restore.ts';

/** Runs `npm run backup [folder]` and `npm run restore <folder>`. `with-database` sets DATABASE_URL. */
async function main(): Promise<void> {
  const env = readEnv(process.env);
  const [action, folderArgument] = process.argv.slice(2);
  if (!env.databaseUrl) throw new Error('DATABASE_URL is not set: run this program through with-database.');
  const at = { databaseUrl: env.databaseUrl, dataDir: env.dataDir, auditDir: env.auditDir };
  if (action === 'backup') {
    const now = Date.now();
    const folder = resolve(
      folderArgument ?? `backups/${new Date(now).toISOString().slice(0, 19).replaceAll(':', '')}Z`,
    );
    await mkdir(resolve(folder, '..'), { recursive: true });
    printSummary(`Backup written to ${folder} · 备份完成`, await makeBackup({ ...at, folder, now }));
  } else if (action === 'restore' && folderArgument !== undefined) {
    const folder = resolve(folderArgument);
    printSummary('Restored and verified · 恢复完成并已校验', await restoreBackup({ ...at, folder }));
  } else throw new Error('Usage: npm run backup -- [folder], npm run restore -- <folder>');
}

function printSummary(done: string, { tables, proof }: Manifest): void {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const lines = [
    `${done}: ${rows} rows in ${tables.length} tables, ${proof.chain.sealed} sealed audit rows.`,
    ...proof.owed.map(({ market, amount }) => `  ${market} owed to users: ${amount}`),
    ...proof.faults.map((fault) => `  LEDGER CHECK FAILED: ${fault}`),
    ...(proof.chain.ok ? [] : ['  AUDIT CHAIN BROKEN: run npm run audit:verify']),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
