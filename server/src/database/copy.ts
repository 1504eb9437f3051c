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
import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { type CopyToStreamQuery, to as copyTo } from 'pg-copy-streams';
import { type Db, applySettings, keepAlive } from './connect.ts';
import { driverTypes } from './types.ts';

/** A single connection that runs statements and copies whole lists with COPY, in one transaction. */
export interface Copier {
  db: Db;
  /**
   * Returns the rows in COPY's text format. They must be read to the end before the next statement, and their
   * `rowCount` is final after that statement.
   */
  copy: (statement: RawBuilder<unknown>, fields: readonly string[]) => CopyToStreamQuery;
  /** Returns the columns of a statement's result, in order. */
  fetchFields: (statement: RawBuilder<unknown>) => Promise<Field[]>;
  /** Closes the connection and aborts a running copy. */
  end: () => Promise<void>;
}

export interface Field {
  name: string;
  /** OID of the PostgreSQL type. */
  type: number;
}

/** No timeouts: a copy lasts as long as its reader needs, and the reader aborts it if necessary. */
const SETTINGS = { statement_timeout: '0', idle_in_transaction_session_timeout: '0', cursor_tuple_fraction: '1' };

export async function openCopier(url: string, onError: (error: Error) => void): Promise<Copier> {
  const client = new Client({
    connectionString: url,
    application_name: 'hengtai-export',
    connectionTimeoutMillis: 10_000,
    ...keepAlive,
    types: driverTypes,
  });
  client.on('error', onError);
  await client.connect();
  await applySettings(client, SETTINGS);
  let last: CopyToStreamQuery | undefined;
  const singleClient = Object.assign(client, { release: () => undefined });
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: { connect: async () => singleClient, end: async () => undefined } }),
  });
  return {
    db,
    copy: (statement, fields) => {
      const names = fields.map((name) => escapeIdentifier(name)).join(', ');
      last = copyTo(`copy (select ${names} from (${inlineParameters(statement)}) whole) to stdout`);
      return client.query(last);
    },
    fetchFields: async (statement) => {
      const { fields } = await client.query(`select * from (${inlineParameters(statement)}) whole limit 0`);
      return fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
    },
    end: async () => {
      // The server does not answer a regular termination while it waits for an unfinished copy to be read.
      if (last?.readableEnded === false) client.connection.stream.destroy();
      await client.end().catch(() => undefined);
    },
  };
}

/**
 * Writes a value as a quoted literal. PostgreSQL derives its type from the context, as for an untyped parameter.
 *
 * @throws Error for a NUL character, for a number that is not finite, and for a type that lists do not use
 */
export function toLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  return escapeLiteral(Array.isArray(value) ? `{${value.map((one) => toArrayElement(one)).join(',')}}` : toText(value));
}

function toArrayElement(value: unknown): string {
  if (value === null) return 'NULL';
  return `"${toText(value).replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

function toText(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error('The number is not finite.');
  if (!['string', 'number', 'bigint', 'boolean'].includes(typeof value))
    throw new Error(`A value of type ${typeof value} cannot be written as a literal.`);
  const written = String(value);
  if (written.includes('\0')) throw new Error('The text contains a NUL character.');
  return written;
}

/** Compiles values as literals instead of placeholders, because COPY takes no parameters. */
class InliningCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    this.append(toLiteral(value));
  }
}

const inliningDb = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new InliningCompiler(),
  },
});

/**
 * Compiles a statement with its values as literals.
 *
 * @throws Error as `toLiteral` does
 */
export function inlineParameters(statement: RawBuilder<unknown>): string {
  const { sql: written, parameters }: CompiledQuery = statement.compile(inliningDb);
  if (parameters.length > 0) throw new Error('The statement has a parameter that was not written as a literal.');
  return written;
}
