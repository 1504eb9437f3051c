import { Socket } from 'node:net';
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from 'kysely';
import { Client, type ClientConfig, escapeIdentifier, escapeLiteral } from 'pg';
import { type Db, withSettings } from './connect.ts';
import { CopyOut, DirectSocket } from './copy-out.ts';
import type { Tables } from './tables.ts';
import { driverTypes } from './types.ts';

/** One connection of its own, on which statements run and whole lists are copied out, in one transaction. */
export interface Copier {
  db: Db;
  /** The rows in COPY's text format. Nothing else may be asked until they are read to their end. */
  copy: (statement: RawBuilder<unknown>, fields: readonly string[]) => CopyOut;
  /** The fields that a statement gives, in their order, with PostgreSQL's number of their type. */
  fieldsOf: (statement: RawBuilder<unknown>) => Promise<Field[]>;
  /** Breaks off whatever is under way. */
  end: () => Promise<void>;
}

export interface Field {
  name: string;
  type: number;
}

/** Nothing limits how long a copy takes: it waits for its reader, who gives up by himself. */
const SETTINGS = { statement_timeout: '0', idle_in_transaction_session_timeout: '0', cursor_tuple_fraction: '1' };

export async function openCopier(url: string, onError: (error: Error) => void): Promise<Copier> {
  const client = new Client({
    connectionString: withSettings(url, SETTINGS),
    application_name: 'hengtai-export',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    // Encrypted bytes are read by a stream that the driver lays around the one given.
    stream: ({ ssl }: ClientConfig = {}) => (ssl ? new Socket() : new DirectSocket()),
    types: driverTypes,
  });
  client.on('error', onError);
  await client.connect();
  let last: CopyOut | undefined;
  const only = Object.assign(client, { release: () => undefined });
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: { connect: async () => only, end: async () => undefined } }),
  });
  return {
    db,
    copy: (statement, fields) => {
      const names = fields.map((name) => escapeIdentifier(name)).join(', ');
      last = new CopyOut(`copy (select ${names} from (${inlined(statement)}) whole) to stdout`);
      return client.query(last);
    },
    fieldsOf: async (statement) => {
      const { fields } = await client.query(`select * from (${inlined(statement)}) whole limit 0`);
      return fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
    },
    end: async () => {
      // A copy that nobody reads on would hold up an orderly end for ever.
      if (last?.over === false) client.connection.stream.destroy();
      await client.end().catch(() => undefined);
    },
  };
}

/**
 * A value as a literal, which PostgreSQL reads as it would read the value of an untyped parameter: always quoted, and of
 * whatever type its place asks for.
 *
 * @throws on what no text of PostgreSQL can hold, and on what is no value of a list's statement
 */
export function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  return escapeLiteral(Array.isArray(value) ? `{${value.map((one) => element(one)).join(',')}}` : text(value));
}

function element(value: unknown): string {
  if (value === null) return 'NULL';
  return `"${text(value).replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

function text(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error('The number is not finite.');
  if (!['string', 'number', 'bigint', 'boolean'].includes(typeof value))
    throw new Error(`A value of type ${typeof value} cannot be written as a literal.`);
  const written = String(value);
  if (written.includes('\0')) throw new Error('The text contains a NUL character.');
  return written;
}

/** Writes values where others write a place for them: COPY takes no parameters. */
class InliningCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    this.append(literal(value));
  }
}

const inliner = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new InliningCompiler(),
  },
});

/** The text of a statement with its values in it. */
export function inlined(statement: RawBuilder<unknown>): string {
  const { sql: written, parameters }: CompiledQuery = statement.compile(inliner);
  if (parameters.length > 0) throw new Error('The statement has a parameter that was not written as a literal.');
  return written;
}
