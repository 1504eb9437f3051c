import { type IncomingMessage, request as open } from 'node:http';
import { API_BASE, type CallSpec } from '@hengtai/contract/wire/endpoint';
import { sql } from 'kysely';
import type { TestServer } from './server.ts';

/** A request whose headers the server has accepted while it waits for the body. */
export interface PendingRequest {
  /** Sends the body and resolves with the whole answer. */
  send(): Promise<string>;
}

/** Sends the headers of a call. Resolves once the server has authenticated them and starts to read the body. */
export async function sendHeaders(
  { server }: TestServer,
  url: string,
  call: CallSpec,
  input: object,
  token: string,
): Promise<PendingRequest> {
  const body = JSON.stringify(input);
  const id = `held-${(requestCount += 1)}`;
  const request = open(`${url}${API_BASE}${call.path}`, {
    method: 'POST',
    headers: { token, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), 'x-held': id },
  });
  const response = new Promise<string>((resolve, reject) => {
    request.once('error', reject);
    request.once('response', (response) => void readText(response).then(resolve, reject));
  });
  const bodyAwaited = new Promise<void>((resolve) => {
    const onRequest = (incoming: IncomingMessage): void => {
      if (incoming.headers['x-held'] !== id) return;
      server.server.off('request', onRequest);
      incoming.once('resume', resolve);
    };
    server.server.on('request', onRequest);
  });
  request.flushHeaders();
  const earlyResponse = response.then((text) => {
    throw new Error(`${call.path} was answered before its body: ${text}`);
  });
  await Promise.race([bodyAwaited, earlyResponse]);
  earlyResponse.catch(() => undefined);
  return {
    send: async () => {
      request.end(body);
      return response;
    },
  };
}

let requestCount = 0;

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Tables that a refused call may change: audit rows, session use, login guesses. */
const EXCLUDED_TABLES = [
  'audit',
  'audit_pending',
  'audit_seal',
  'audit_head',
  'session',
  'session_token',
  'login_guard',
];

/** Hashes the rows of each table, by table name. */
export async function hashTables(server: TestServer): Promise<Record<string, string>> {
  const tables = await server.query(sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> all(${EXCLUDED_TABLES}::text[])
    order by tablename`);
  const hashes: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await server.query(
      sql<{ hash: string }>`select concat_ws(' ', count(*), sum(hashtextextended(t::text, 0)::numeric)) as hash
        from ${sql.ref(name)} t`,
    );
    hashes[name] = row?.hash ?? '';
  }
  return hashes;
}
