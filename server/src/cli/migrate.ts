import { Client } from 'pg';
import { migrate, planOf } from '../postgres/migrate.ts';
import { writeLine } from './exit.ts';

/** Connections of servers and commands of HengTai: their names begin with this. */
const OURS = 'hengtai-%';

/** Prints the migrations that `migrate` would apply, with the processes that are connected. Changes nothing. */
export async function planMigration(ownerUrl: string): Promise<void> {
  const pending = await planOf(ownerUrl);
  writeLine(
    pending.length === 0
      ? 'The schema is that of this release. 数据库结构已是当前版本。'
      : `${pending.length} migrations are pending · 待执行的迁移:`,
  );
  for (const name of pending) writeLine(`  ${name}`);
  await printConnected(ownerUrl);
}

/** Applies the pending migrations. */
export async function runMigration(ownerUrl: string): Promise<void> {
  await printConnected(ownerUrl);
  const { applied } = await migrate(ownerUrl, { report: writeLine });
  writeLine(
    applied.length === 0
      ? 'The schema is that of this release. 数据库结构已是当前版本。'
      : `Applied ${applied.length} migrations · 已执行: ${applied.join(', ')}`,
  );
}

async function printConnected(ownerUrl: string): Promise<void> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'migrate-plan' });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; place: string; count: number }>(
      `select application_name as name, coalesce(host(client_addr), 'this machine') as place, count(*)::int as count
       from pg_stat_activity where datname = current_database() and application_name like $1
       group by 1, 2 order by 1, 2`,
      [OURS],
    );
    if (rows.length === 0) writeLine('No server is connected. 没有服务连接到数据库。');
    for (const { name, place, count } of rows)
      writeLine(`Connected · 已连接: ${name} from ${place}, ${count} connections`);
  } finally {
    await client.end();
  }
}
