import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchDatabase } from './database.ts';

const DEBIAN = '/usr/lib/postgresql';

/** The path of pgbench, which Debian installs outside PATH. */
const program = findProgram();

export const hasPgbench = program !== undefined;

function findProgram(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const candidates = ['pgbench', ...versions.map((version) => join(DEBIAN, version, 'bin', 'pgbench'))];
  return candidates.find((candidate) => spawnSync(candidate, ['--version']).status === 0);
}

export interface PgbenchScript {
  text: string;
  weight?: number;
}

export interface PgbenchRun {
  /** Connection URL with the role that the statements need. */
  url: string;
  /** Scripts with their relative weights. */
  scripts: readonly PgbenchScript[];
  clients: number;
  /** Transactions of all clients together; without it the run lasts `seconds`. */
  transactions?: number;
  seconds?: number;
  /** The id of the first transaction, for scripts with an id prelude. */
  first?: number;
}

/** Runs scripts and returns transactions per second without connection time; undefined without pgbench. */
export async function pgbench(database: BenchDatabase, run: PgbenchRun): Promise<number | undefined> {
  if (program === undefined) return undefined;
  const files = run.scripts.flatMap(({ text, weight = 1 }, index) => {
    const file = join(database.directory, `script-${index}.sql`);
    writeFileSync(file, text);
    return ['-f', `${file}@${weight}`];
  });
  const each = run.transactions === undefined ? undefined : Math.ceil(run.transactions / run.clients);
  const length = each === undefined ? `-T${run.seconds ?? 1}` : `-t${each}`;
  const variables = [`first=${run.first ?? 0}`, `clients=${run.clients}`, 'n=0'].map((variable) => `-D${variable}`);
  const threads = Math.min(run.clients, 2);
  const args = ['-n', '-Msimple', `-c${run.clients}`, `-j${threads}`, length, ...variables, ...files];
  const child = spawn(program, args, { env: environmentOf(run.url), stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  child.stdout.on('data', (chunk) => output.push(String(chunk)));
  child.stderr.on('data', (chunk) => output.push(String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  const text = output.join('');
  const tps = /^tps = ([\d.]+)/m.exec(text)?.[1];
  const failed = /number of failed transactions: (\d+)/.exec(text)?.[1] ?? '0';
  if (code !== 0 || tps === undefined || failed !== '0') throw new Error(`pgbench failed:\n${text.slice(-2_000)}`);
  return Number(tps);
}

/** The URL as libpq variables, because a command line would expose the password. */
function environmentOf(url: string): Record<string, string> {
  const parsed = new URL(url);
  const variables = { PGHOST: 'host', PGOPTIONS: 'options', PGSSLMODE: 'sslmode' };
  const connection = Object.entries(variables).flatMap(([name, parameter]) => {
    const value = parsed.searchParams.get(parameter);
    return value === null ? [] : [[name, value]];
  });
  return {
    PATH: process.env['PATH'] ?? '',
    PGHOST: parsed.hostname,
    PGPORT: parsed.port || '5432',
    PGUSER: decodeURIComponent(parsed.username),
    PGPASSWORD: decodeURIComponent(parsed.password),
    PGDATABASE: decodeURIComponent(parsed.pathname.slice(1)),
    ...(Object.fromEntries(connection) as Record<string, string>),
  };
}
