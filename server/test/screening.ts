import type { EventData } from '@hengtai/contract/gateway/events.schema';
import type { KycDetail } from '@hengtai/contract/risk/kyc/schema';
import type { Screening } from '@hengtai/contract/risk/screening/schema';
import type { WithdrawDetail } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import { type TestServer, apply, call } from './server.ts';

/** Values of settings by the last part of their keys; a switch is 0 or 1. */
export async function setScreening(
  server: TestServer,
  settings: { address?: 0 | 1; name?: 0 | 1; minimum?: string; exempt?: string },
): Promise<void> {
  for (const [name, value] of Object.entries(settings)) {
    const key = `screening.${name}`;
    const column = { number: 'state', string: name === 'exempt' ? 'str' : 'num' }[typeof value as 'number' | 'string'];
    const typed = column === 'num' ? sql`${value}::numeric` : sql`${value}`;
    await server.query(sql`update config set ${sql.ref(column)} = ${typed} where key = ${key}`);
  }
}

type Answer = Partial<EventData['screen.answered']>;

/** A provider answers the last request about a record. */
export async function answer(server: TestServer, screening: Screening, data: Answer = {}): Promise<void> {
  const no = data.no ?? screening.requests[0]?.no;
  await apply(server, { type: 'screen.answered', data: { no, provider: 'chain', result: 'clear', ...data } });
}

export const fetchScreening = async (server: TestServer, token: string, id: number): Promise<Screening> =>
  (await call<WithdrawDetail>(server, 'GET', 'withdraw/detail', { id }, { token })).data.screening;

export const fetchNameScreening = async (server: TestServer, token: string, id: number): Promise<Screening> =>
  (await call<KycDetail>(server, 'GET', 'auth/detail', { id }, { token })).data.screening;
