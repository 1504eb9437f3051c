import { writeFile } from 'node:fs/promises';
import { cpus, freemem, release, totalmem, uptime } from 'node:os';
import { resolve } from 'node:path';
import { openPool } from '../database/connect.ts';
import { readEnv, variables } from '../programs/env.ts';
import { countConnections, countWork, findDatabaseFacts, findSettings, findTableSizes } from './diagnosis.store.ts';
import { fetchAppliedMigrations } from '../watch/schema.store.ts';
import { diagnose } from './doctor.ts';
import { writeLine } from './exit.ts';
import { onDatabase } from './on-database.ts';
import { productVersion } from '../host/version.ts';

/** Variables whose value is a switch or a number. The others may name people, machines or secrets. */
const SHOWN = new Set(['PORT', 'PROCESSES', 'SIMULATOR', 'LOG_LEVEL', 'EXPORT_JOB_ROWS', 'EXPORT_ROWS_PER_SECOND']);

/** Writes one JSON file that describes an installation without personal data, addresses or secrets. */
export async function writeSupportBundle(named?: string): Promise<void> {
  const at = new Date();
  const file = resolve(named ?? `hengtai-support-${at.toISOString().slice(0, 19).replaceAll(':', '')}Z.json`);
  const bundle = {
    at: at.toISOString(),
    hengtai: productVersion(),
    machine: describeMachine(),
    variables: describeVariables(process.env),
    findings: (await diagnose()).map(({ check, state }) => ({ check, state })),
    database: await describeDatabase().catch((error: unknown) => ({ error: nameOf(error) })),
  };
  await writeFile(file, `${JSON.stringify(bundle, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  writeLine(`Written to ${file} · 已写入。Look through it before you send it. 发送前请先查看。`);
}

const describeMachine = () => ({
  node: process.versions.node,
  system: `${process.platform} ${process.arch} ${release()}`,
  processors: cpus().length,
  memory: totalmem(),
  freeMemory: freemem(),
  uptime: Math.round(uptime()),
});

/** Names of the variables that are set, with the values of harmless ones. */
const describeVariables = (source: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.keys(variables)
      .filter((name) => (source[name] ?? '') !== '')
      .map((name) => [name, SHOWN.has(name) ? (source[name] ?? '') : 'set']),
  );

async function describeDatabase(): Promise<object> {
  readEnv(process.env);
  return onDatabase('owner', async (url) => {
    const { db, end } = openPool({ url, max: 1, name: 'hengtai-support', onError: () => undefined });
    try {
      const { now: _now, ...facts } = await findDatabaseFacts(db);
      return {
        ...facts,
        settings: await findSettings(db),
        migrations: await fetchAppliedMigrations(db),
        connections: await countConnections(db),
        work: await countWork(db),
        tables: await findTableSizes(db),
      };
    } finally {
      await end();
    }
  });
}

/** Messages may contain addresses, so only the kind of an error is kept. */
const nameOf = (error: unknown): string =>
  error instanceof Error ? ('code' in error ? String(error.code) : error.name) : 'unknown';
