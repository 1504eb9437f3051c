import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { ConfigurationError } from '../host/configuration-error.ts';

const TIMEOUT_MS = 60_000;
const ATTEMPT_MS = 5_000;
const PAUSE_MS = 500;

/** Errors of a database that is not available yet: unreachable, starting, stopping, or out of connections. */
const RETRIED = new Set(
  (
    'ECONNREFUSED ENOTFOUND EAI_AGAIN ETIMEDOUT EHOSTUNREACH ENETUNREACH ECONNRESET EPIPE ENOENT ' +
    '57P01 57P02 57P03 53300'
  ).split(' '),
);
/** Messages of the driver's errors that have no code, and of PgBouncer, which has one code for all of its errors. */
const RETRIED_MESSAGE = /timeout|terminated unexpectedly|server login has been failing|cannot connect to server/i;
const PGBOUNCER = '08P01';

export interface WaitOptions {
  report: (message: string) => void;
  /** Milliseconds; 60 s by default. */
  within?: number;
  signal?: AbortSignal;
}

/**
 * Waits until the database that a variable names accepts a connection. Messages contain only host, port and database of
 * the address, never the password.
 *
 * @throws ConfigurationError at once for a wrong user, password or database; Error after `within` if the database does not answer
 */
export async function waitForDatabase(variable: string, url: string, options: WaitOptions): Promise<void> {
  const { report, within = TIMEOUT_MS, signal } = options;
  const until = Date.now() + within;
  const place = placeOf(url);
  for (let attempt = 1; ; attempt += 1) {
    const error = await tryConnection(variable, url);
    if (error === undefined || signal?.aborted) return;
    if (!isRetried(error)) throw refusalOf(variable, url, error);
    if (Date.now() >= until) {
      throw new Error(
        `The database that ${variable} names (${place}) did not answer within ${within / 1000} s: ` +
          `${messageOf(error)}. Start it, or correct ${variable}. 数据库无法连接。`,
        { cause: error },
      );
    }
    if (attempt === 1) report(`Waiting for the database that ${variable} names (${place}) · 正在等待数据库 …`);
    await sleep(PAUSE_MS, undefined, signal && { signal }).catch(() => undefined);
  }
}

/** @throws ConfigurationError for an address that names a certificate that cannot be read */
function openClient(variable: string, url: string): Client {
  try {
    return new Client({ connectionString: url, connectionTimeoutMillis: ATTEMPT_MS });
  } catch (cause) {
    throw new ConfigurationError(`${variable} is not accepted: ${messageOf(cause)}.`, { cause });
  }
}

async function tryConnection(variable: string, url: string): Promise<unknown> {
  const client = openClient(variable, url);
  // Without a listener an error of the connection would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

const isRetried = (error: unknown): boolean =>
  RETRIED.has(codeOf(error)) || (['', PGBOUNCER].includes(codeOf(error)) && RETRIED_MESSAGE.test(messageOf(error)));

/** The error of a connection refused on several addresses has an empty message, so its code is used. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message || codeOf(error);
}

function placeOf(url: string): string {
  const { hostname, port, searchParams } = new URL(url);
  return `${searchParams.get('host') ?? hostname}:${searchParams.get('port') ?? (port || '5432')}`;
}

/** A wrong user, password or database has to be corrected; another error may end by itself. */
function refusalOf(variable: string, url: string, cause: unknown): Error {
  const code = codeOf(cause);
  const place = placeOf(url);
  if (code === '28P01' || code === '28000') {
    return new ConfigurationError(
      `${variable}: the database at ${place} refuses the user or the password (${messageOf(cause)}). 用户名或密码错误。`,
      { cause },
    );
  }
  if (code === '3D000') {
    const name = decodeURIComponent(new URL(url).pathname.slice(1));
    return new ConfigurationError(
      `${variable}: there is no database ${name} at ${place}. Create it first. 数据库不存在。`,
      { cause },
    );
  }
  return new Error(`${variable}: cannot connect to the database at ${place} (${messageOf(cause)}).`, { cause });
}
