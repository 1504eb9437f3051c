import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { inject } from 'vitest';
import { loginUrlOf } from '../src/database/login.ts';

export interface TestDatabase {
  /** URL for the owner: migrations and test setup. */
  url: string;
  /** URL for the role that the servers log in as. */
  appUrl: string;
  drop(): Promise<void>;
}

/** Clones a migrated, empty database for one test file. The clone is dropped when the file ends. */
export const testDatabase = (): Promise<TestDatabase> => cloneOf(inject('cluster').template);

/** Clones the database of an installation after its first start, with the admin `ADMIN`. */
export const startedDatabase = (): Promise<TestDatabase> => cloneOf(inject('cluster').started);

async function cloneOf(template: string): Promise<TestDatabase> {
  const { baseUrl, login, clonePrefix } = inject('cluster');
  const name = `${clonePrefix}${randomBytes(6).toString('hex')}`;
  await cloneTemplate(baseUrl, template, name);
  const url = new URL(baseUrl);
  url.pathname = `/${name}`;
  return {
    url: url.toString(),
    appUrl: loginUrlOf(url.toString(), login),
    drop: async () => void (await queryAt(baseUrl, `drop database if exists ${name} with (force)`)),
  };
}

/** Creates a database without tables, for a test that runs the migrations itself. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const database = await testDatabase();
  await queryAt(database.url, 'drop schema public cascade; create schema public');
  return database;
}

async function cloneTemplate(baseUrl: string, template: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await queryAt(baseUrl, `create database ${name} template ${template}`);
      return;
    } catch (error) {
      // Cloning fails while autovacuum or another clone is connected to the template (55006), so retry.
      if (attempt === 50 || !(error instanceof DatabaseError) || error.code !== '55006') throw error;
      await sleep(50);
    }
  }
}

/** Runs one statement on its own connection. The error handler lets a test terminate that connection. */
export async function queryAt(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
