import type { Envelope } from '@hengtai/contract/wire/envelope';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import { type NewCommand, type OutgoingCommand, enqueue } from '../src/gateway/command.store.ts';
import { inTransaction } from '../src/database/connect.ts';
import { onTron, tronAddress } from './address.ts';
import { setUserState } from './book.ts';
import { makeUser, makeWithdraw } from './factories.ts';
import { type TestServer, apply, call, platformCall, unique } from './server.ts';

export type Command = OutgoingCommand & { data: Record<string, unknown> };
export type LeasedCommand = Command & { lease: string; leaseUntil: number };

const dataOf = <T>(path: string, { code, msg, data }: Envelope<T>): T => {
  if (code !== 200) throw new Error(`${path}: ${code} ${msg}`);
  return data;
};

/** Pulls commands as the platform does. */
export async function pull<T extends Command = Command>(server: TestServer, query = 'limit=500'): Promise<T[]> {
  return dataOf('commands', await platformCall<T[]>(server, 'GET', `commands?${query}`));
}

export const lease = (server: TestServer, seconds = 30, more = ''): Promise<LeasedCommand[]> =>
  pull<LeasedCommand>(server, `lease=${seconds}${more}`);

/** Sends a list about commands and returns the results in their order. */
export async function post(server: TestServer, path: string, body: object[]): Promise<string[]> {
  const answer = dataOf(path, await platformCall<{ result: string }[]>(server, 'POST', `commands/${path}`, body));
  return answer.map(({ result }) => result);
}

export const idsOf = (commands: readonly { id: number; lease: string }[]): { id: number; lease: string }[] =>
  commands.map(({ id, lease }) => ({ id, lease }));

/** Acks every open command, so that later tests see only their own. */
export async function finishAll(server: TestServer): Promise<void> {
  await server.query(sql`update command set state = 2 where state in (0, 1)`);
}

/** Causes one command in the cheapest way: a deposit that is withheld for review. Returns its number. */
export async function causeCommand(server: TestServer): Promise<string> {
  const no = unique('withheld-');
  const account = await makeUser(server);
  await setUserState(server, account, 0);
  await apply(server, {
    type: 'recharge.credited',
    data: { no, account, market: 'USDT', ...onTron('any'), amount: '1', confirmations: 1, source: 1 },
  });
  return no;
}

/** Makes a withdrawal that an operator has passed. */
export async function makePassedWithdraw(server: TestServer, token: string): Promise<WithdrawRow> {
  const user = await makeUser(server, { amount: '150' });
  const row = await makeWithdraw(server, token, user, { amount: '100', fee: '1', address: tronAddress('there') });
  const { code, msg } = await call(server, 'POST', 'withdraw/pass', { id: row.id }, { token });
  if (code !== 200) throw new Error(`withdraw/pass: ${msg}`);
  return row;
}

/** Puts commands about these records into the outbox, without the records. */
export async function enqueueFor(server: TestServer, ...refIds: number[]): Promise<void> {
  const commands = refIds.map((refId): NewCommand => ({
    type: 'recharge.reviewed',
    refType: 'recharge',
    refId,
    data: { no: `R-${refId}`, state: 3, reason: '' },
    now: server.clock.now(),
  }));
  await inTransaction(server.app.system, (db) => enqueue(db, ...commands));
}

/** What is stored of a command. */
export async function stored(server: TestServer, id: number) {
  const [row] = await server.query(sql<{ state: number; seq: number | null; attempt: number; reason: string }>`
    select state, seq, attempt, reason from command where id = ${id}`);
  return row;
}
