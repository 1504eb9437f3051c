import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** A column's value. Loaded values contain no characters that COPY needs escaped. */
type Value = string | number | null;

const CHUNK = 256 * 1024;

function* chunks(rows: Iterable<readonly Value[]>): Generator<string> {
  let lines = '';
  for (const row of rows) {
    for (let c = 0; c < row.length; c += 1) lines += `${c === 0 ? '' : '\t'}${row[c] ?? String.raw`\N`}`;
    lines += '\n';
    if (lines.length < CHUNK) continue;
    yield lines;
    lines = '';
  }
  if (lines !== '') yield lines;
}

/** Loads rows with COPY, without triggers and foreign keys. Needs the owner of the database. */
export async function copyIn(
  url: string,
  table: string,
  columns: string,
  rows: Iterable<readonly Value[]>,
): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set session_replication_role = replica');
    await client.query('set synchronous_commit = off');
    const into = client.query(copyFrom(`copy ${table} (${columns}) from stdin`));
    await pipeline(Readable.from(chunks(rows), { objectMode: true, highWaterMark: 4 }), into);
  } finally {
    await client.end();
  }
}
