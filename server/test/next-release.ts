import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inject } from 'vitest';
import { type Migration, migrationsDirectory, readMigrations } from '../src/database/migration-files.ts';

/** The migrations of this release and of one that follows it. */
export interface NextRelease {
  directory: string;
  add(file: string, sql: string): void;
  read(): Migration[];
  remove(): void;
}

export function makeNextRelease(files: Record<string, string> = {}): NextRelease {
  const directory = mkdtempSync(join(tmpdir(), 'hengtai-next-release-'));
  cpSync(migrationsDirectory(), directory, { recursive: true });
  const add = (file: string, sql: string): void => writeFileSync(join(directory, file), sql);
  for (const [file, sql] of Object.entries(files)) add(file, sql);
  return {
    directory,
    add,
    read: () => readMigrations(directory),
    remove: () => rmSync(directory, { recursive: true }),
  };
}

/**
 * Statement that runs until the table `gate` has a row, so that a test can hold a migration inside it. The commit that opens
 * the gate is visible to it, because each statement of the loop has a snapshot of its own.
 */
export const WAIT_AT_GATE = `
do $$ begin while not exists (select from gate) loop perform pg_sleep(0.02); end loop; end $$;
`;

export interface MigrationRun {
  child: ChildProcess;
  /** What it has printed so far. */
  output(): string;
  exited: Promise<number | null>;
}

/** Applies the migrations in another process. */
export function startMigrations(databaseUrl: string, { directory }: NextRelease): MigrationRun {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const program = fileURLToPath(new URL('run-migrations.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    ['--import', loader, program, databaseUrl, directory, inject('cluster').appRole],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, output: () => output, exited };
}
