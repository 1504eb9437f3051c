import { join } from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import { buildServer } from '../../server/src/app.ts';
import { readOrMakeAuditKey } from '../../server/src/audit/audit-key.ts';
import type { App } from '../../server/src/context.ts';
import { openPool } from '../../server/src/db/connect.ts';
import { otpKeyIn } from '../../server/src/otp/key.ts';
import { PLATFORM } from './child.ts';
import type { BenchDatabase } from './database.ts';

/** One statement as it went to PostgreSQL, with what came back. */
export interface Statement {
  text: string;
  values: readonly unknown[];
  rows: readonly Record<string, unknown>[];
}

/** The product in this process, without its jobs, so that the statements of single actions can be recorded. */
export interface Recorder {
  app: App;
  /** One call through the whole HTTP side; its envelope must say 200. Returns the transaction that it sent. */
  call(method: 'GET' | 'POST', url: string, headers: Record<string, string>, body?: object): Promise<Statement[]>;
  /** The statements of some work, of its one transaction only: from its begin to its commit. */
  transactionOf(work: () => Promise<void>): Promise<Statement[]>;
  end(): Promise<void>;
}

export async function startRecorder(database: BenchDatabase): Promise<Recorder> {
  const onError = (): void => undefined;
  const requests = openPool({ url: database.appUrl, max: 1, name: 'bench-requests', onError });
  const settings = { 'app.scope': 'all' };
  const system = openPool({ url: database.appUrl, max: 1, name: 'bench-system', settings, onError });
  // One moment for all that is recorded: times are constants of the statements.
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
    otpKey: otpKeyIn(database.directory),
    exports: { directory: join(database.directory, 'exports'), url: database.appUrl, jobRows: 1e9, rowsPerSecond: 1e9 },
  };
  const server = await buildServer(app, { trustProxy: false });
  const transactionOf = async (work: () => Promise<void>): Promise<Statement[]> => oneTransaction(await recorded(work));
  return {
    app,
    transactionOf,
    call: (method, url, headers, body) =>
      transactionOf(async () => {
        const payload = body && { payload: JSON.stringify(body) };
        const type = body && { 'content-type': 'application/json' };
        const answer = await server.inject({ method, url, headers: { ...headers, ...type }, ...payload });
        const { code } = answer.json<{ code: number }>();
        if (code !== 200) throw new Error(`${method} ${url}: ${answer.body.slice(0, 300)}`);
      }),
    end: async () => {
      await server.close();
      await Promise.all([requests.end(), system.end()]);
    },
  };
}

/** Every query of every client passes here while something is recorded: what is kept is what the wire carries. */
async function recorded(work: () => Promise<void>): Promise<Statement[]> {
  const found: Statement[] = [];
  const prototype: { query: (...args: never[]) => unknown } = Client.prototype;
  const plain = Object.getOwnPropertyDescriptor(prototype, 'query');
  if (!plain) throw new Error('The driver has no query to record.');
  prototype.query = new Proxy(prototype.query, {
    apply(target, self, args: [string, unknown[] | undefined]) {
      const sent: unknown = Reflect.apply(target, self, args);
      if (!(sent instanceof Promise)) return sent;
      return sent.then((result: { rows?: Record<string, unknown>[] }) => {
        found.push({ text: args[0], values: args[1] ?? [], rows: result.rows ?? [] });
        return result;
      });
    },
  });
  try {
    await work();
  } finally {
    Object.defineProperty(prototype, 'query', plain);
  }
  return found;
}

function oneTransaction(statements: readonly Statement[]): Statement[] {
  const from = statements.findIndex(({ text }) => text.startsWith('begin'));
  const to = statements.findIndex(({ text }) => text === 'commit');
  const again = statements.slice(to + 1).some(({ text }) => text.startsWith('begin'));
  if (from < 0 || to < from || again) throw new Error('The recorded work is not exactly one transaction.');
  return statements.slice(from, to + 1);
}
