import { migrate, type MigrationPlan, planOf } from '../database/migrate.ts';
import { describeConnected } from '../database/connected.ts';
import { writeLine } from './exit.ts';

/** Prints the migrations that `migrate` would apply, with the servers that run. Changes nothing. */
export async function planMigration(ownerUrl: string): Promise<void> {
  const plan = await planOf(ownerUrl);
  writeLine(
    plan.pending.length === 0 ? describeSchema(plan) : `${plan.pending.length} migrations are pending · 待执行的迁移:`,
  );
  for (const name of plan.pending) writeLine(`  ${name}`);
  await printConnected(ownerUrl);
}

/** Applies the pending migrations. */
export async function runMigration(ownerUrl: string): Promise<void> {
  await printConnected(ownerUrl);
  const { applied } = await migrate(ownerUrl, { report: writeLine });
  writeLine(
    applied.length === 0
      ? describeSchema(await planOf(ownerUrl))
      : `Applied ${applied.length} migrations · 已执行: ${applied.join(', ')}`,
  );
}

export const describeSchema = ({ newer }: Pick<MigrationPlan, 'newer'>): string =>
  newer.length === 0
    ? 'The schema is that of this release. 数据库结构已是当前版本。'
    : `The schema is newer (${newer.join(', ')}) and serves this release. 数据库结构较新，仍支持此版本。`;

async function printConnected(ownerUrl: string): Promise<void> {
  const { servers, programs } = await describeConnected(ownerUrl);
  if (servers.length === 0) writeLine('No server is connected. 没有服务连接到数据库。');
  for (const line of [...servers, ...programs]) writeLine(`Connected · 已连接: ${line}`);
}
