import { type Copier, openCopier } from '../src/database/copy.ts';
import { testDatabase } from './database.ts';

/**
 * Opens a COPY connection on a new database and returns its URL. `end` closes the connection and drops the database.
 */
export async function openTestCopier(): Promise<Copier & { url: string }> {
  const database = await testDatabase();
  const copier = await openCopier(database.url, () => undefined);
  return {
    ...copier,
    url: database.url,
    end: async () => {
      await copier.end();
      await database.drop();
    },
  };
}

export async function readText(rows: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of rows) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString();
}
