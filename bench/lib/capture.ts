import { join } from 'node:path';
import { Client, type QueryConfig } from 'pg';
import { pino } from 'pino';
import { buildServer } from '../../server/src/programs/app.ts';
import { readOrMakeAuditKey } from '../../server/src/host/audit-key.ts';
import type { App } from '../../server/src/app/context.ts';
import { openPool } from '../../server/src/database/connect.ts';
import { createProcessState } from '../../server/src/app/process-state.ts';
import { secretKeysIn } from '../../server/src/host/secret-key.ts';
import { PLATFORM } from './child.ts';
import type { BenchDatabase } from './database.ts';

/** One statement sent to PostgreSQL, with the rows of its result. */
export interface Statement {
  text: string;
  values: readonly unknown[];
  rows: readonly Record<string, unknown>[];
}

/** A server in this process without its jobs, which records the statements of single actions. */
export interface Recorder {
  app: App;
  /** Sends one call through the HTTP layer and returns the statements of its transaction. Throws unless the code is 200. */
  call(method: 'GET' | 'POST', url: string, headers: Record<string, string>, body?: object): Promise<Statement[]>;
  /** The statements from begin to commit. Throws unless the work runs exactly one transaction. */
  recordTransaction(work: () => Promise<void>): Promise<Statement[]>;
  end(): Promise<void>;
}

export async function startRecorder(database: BenchDatabase): Promise<Recorder> {
  const onError = (): void => undefined;
  const requests = openPool({ url: database.appUrl, max: 1, name: 'bench-requests', onError });
  const settings = { 'app.scope': 'all' };
  const system = openPool({ url: database.appUrl, max: 1, name: 'bench-system', settings, onError });
  // A fixed clock makes times constant in all recorded statements.
  const now = Date.now();
  const app: App = {
    system: system.db,
    requests: requests.db,
    clock: { now: () => now, offset: () => 0 },
    log: pino({ level: 'silent' }),
    auditDir: database.directory,
    auditKey: readOrMakeAuditKey(database.directory, database.directory),
    printLine: () => undefined,
    platform: PLATFORM,
    secretKeys: secretKeysIn(database.directory),
    relyingParty: undefined,
    signingPage: undefined,
    reloadKeys: () => undefined,
    channels: { publicUrl: undefined, hosts: [], allowPrivate: false, smtp: undefined, telegram: undefined },
    announceHosts: [],
    exports: { directory: join(database.directory, 'exports'), url: database.appUrl, jobRows: 1e9, rowsPerSecond: 1e9 },
    state: createProcessState(),
  };
  const server = await buildServer(app, { trustProxy: false });
  const recordTransaction = async (work: () => Promise<void>): Promise<Statement[]> =>
    extractTransaction(await recordStatements(work));
  return {
    app,
    recordTransaction,
    call: (method, url, headers, body) =>
      recordTransaction(async () => {
        const payload = body && { payload: JSON.stringify(body) };
        const type = body && { 'content-type': 'application/json' };
        const response = await server.inject({ method, url, headers: { ...headers, ...type }, ...payload });
        const { code } = response.json<{ code: number }>();
        if (code !== 200) throw new Error(`${method} ${url}: ${response.body.slice(0, 300)}`);
      }),
    end: async () => {
      await server.close();
      await Promise.all([requests.end(), system.end()]);
    },
  };
}

/** Records the queries of all clients by wrapping the driver's `query` while the work runs. */
async function recordStatements(work: () => Promise<void>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const prototype: { query: (...args: never[]) => unknown } = Client.prototype;
  const original = Object.getOwnPropertyDescriptor(prototype, 'query');
  if (!original) throw new Error('The driver pg has no method Client.prototype.query to record.');
  prototype.query = new Proxy(prototype.query, {
    apply(target, self, args: [string | QueryConfig, unknown[] | undefined]) {
      const sent: unknown = Reflect.apply(target, self, args);
      if (!(sent instanceof Promise)) return sent;
      const [query, values = []] = args;
      const statement = typeof query === 'string' ? { text: query, values } : { values, ...query };
      return sent.then((result: { rows?: Record<string, unknown>[] }) => {
        statements.push({ text: statement.text, values: statement.values ?? [], rows: result.rows ?? [] });
        return result;
      });
    },
  });
  try {
    await work();
  } finally {
    Object.defineProperty(prototype, 'query', original);
  }
  return statements;
}

function extractTransaction(statements: readonly Statement[]): Statement[] {
  const from = statements.findIndex(({ text }) => text.startsWith('begin'));
  const to = statements.findIndex(({ text }) => text === 'commit');
  const hasSecond = statements.slice(to + 1).some(({ text }) => text.startsWith('begin'));
  if (from < 0 || to < from || hasSecond) throw new Error('The recorded work is not exactly one transaction.');
  return statements.slice(from, to + 1);
}
