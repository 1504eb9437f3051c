import { API_BASE } from '@hengtai/contract/wire/endpoint';
import type { Envelope } from '@hengtai/contract/wire/envelope';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { ABSENT_ID, type Place, type World } from './matrix-world.ts';
import type { TestServer } from './server.ts';

export interface ExportResponse {
  status: number;
  headers: Record<string, string>;
  bytes: Buffer;
  text: string;
  /** The JSON answer if the export is refused. */
  envelope: Envelope | undefined;
}

/** Requests an export file. */
export async function exportFile(
  { server }: TestServer,
  path: string,
  input: object,
  token: string,
): Promise<ExportResponse> {
  const response = await server.inject({
    method: 'POST',
    url: API_BASE + path,
    headers: { token, 'content-type': 'application/json' },
    payload: JSON.stringify(input),
  });
  const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
  const isRefused = headers['content-type']?.startsWith('application/json');
  return {
    status: response.statusCode,
    headers,
    bytes: response.rawPayload,
    text: response.body,
    envelope: isRefused ? response.json() : undefined,
  };
}

export interface RechargeValues {
  no: string;
  userId: number;
  agentId: number;
  id?: number;
  marketId?: number;
  amount?: string;
  address?: string;
  remark?: string;
  state?: number;
  createdAt: number;
}

/** Inserts recharges without the gateway, which would reject some of these values. */
export async function insertRecharges(server: TestServer, rows: readonly RechargeValues[]): Promise<void> {
  const values = rows.map(
    (
      row,
    ): RawBuilder<unknown> => sql`(${row.id ?? sql`default`}, ${row.no}, ${row.userId}, ${row.agentId}, ${row.marketId ?? 1},
      'TRC20', ${row.address ?? 'T-1'}, ${row.amount ?? '1'}::numeric, ${row.remark ?? ''}, ${row.state ?? 0}, 1,
      ${row.createdAt}, ${row.createdAt}, ${row.createdAt})`,
  );
  for (let at = 0; at < values.length; at += 500) {
    await server.query(sql`insert into recharge (id, no, user_id, agent_id, market_id, network, address, amount, remark, state, source,
      created_at, recorded_at, updated_at) overriding system value values ${sql.join(values.slice(at, at + 500))}`);
  }
}

/** Creates an export job in a state for the operator of a place. A finished job has a file. */
export async function makeExportAt({ server, places }: World, place: Place, state: number): Promise<number> {
  if (place === 'absent') return ABSENT_ID;
  const { canary, agent } = places[place];
  const now = server.clock.now();
  const [row] = await server.query(sql<{ id: number; file: string }>`
    insert into export_job (operator_id, list, title, input, filters, format, zone, agents, ip, user_agent, request_id, state,
      total, created_at, recorded_at, updated_at, size, expires_at, file)
    values (${agent.id}, 'recharge/excel', ${canary}, '{"format":"csv"}', ${canary}, 'csv', 'UTC', array[${agent.id}]::bigint[],
      '', '', '', ${state}, 1, ${now}, ${now}, ${now}, 4, ${now + 3_600_000}, ${`${canary}-${now}`}) returning id, file`);
  const { directory } = server.app.exports;
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, row?.file ?? ''), canary);
  return row?.id ?? 0;
}
