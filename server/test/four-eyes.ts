import { ABILITY } from '@hengtai/contract/authority/ability';
import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import { sql } from 'kysely';
import { type OtpOperator, makeOtpOperator, enableOtp } from './codes.ts';
import { ADMIN, type ApiResponse, type TestServer, call, login } from './server.ts';

/** Three approvers with full scope and one-time codes, the top-level admin first. */
export interface Approvers {
  admin: OtpOperator;
  second: OtpOperator;
  third: OtpOperator;
}

export async function makeApprovers(server: TestServer): Promise<Approvers> {
  const token = await login(server);
  const abilities = [ABILITY.approval, ABILITY.headquarters];
  const second = await makeOtpOperator(server, token, { abilities });
  const third = await makeOtpOperator(server, token, { abilities });
  const admin = { ...(await enableOtp(server, token, ADMIN.password)), account: ADMIN.account, id: 1 };
  return { admin, second, third };
}

/** Marks the one-time code of every session as fresh. */
export const refreshAllOtp = (server: TestServer): Promise<unknown> =>
  server.query(sql`update session set fresh_at = ${server.clock.now()}`);

/** Sends a call as an operator whose one-time code is fresh. */
export async function callAs<T = ApprovalRow>(
  server: TestServer,
  { token }: { token: string },
  path: string,
  input: object = {},
): Promise<ApiResponse<T>> {
  await refreshAllOtp(server);
  return call<T>(server, 'POST', path, input, { token });
}

/** What a call answers to a checker who sees only the own tree, to which the request is moved for the time of the call. */
export async function asNarrowChecker<T>(
  server: TestServer,
  { account }: { account: string },
  approvalId: number,
  ask: () => Promise<T>,
): Promise<T> {
  const [agent] = await server.query(sql<{ id: number; abilities: number[] }>`
    select id, abilities from agent where account = ${account}`);
  await server.query(sql`
    update agent set abilities = array_remove(abilities, ${ABILITY.headquarters}) where id = ${agent?.id}`);
  await server.query(sql`update approval set agent_id = ${agent?.id} where id = ${approvalId}`);
  try {
    return await ask();
  } finally {
    await server.query(sql`update agent set abilities = ${agent?.abilities} where id = ${agent?.id}`);
  }
}

/** The maker requests an action that needs a checker, and the checker approves it. */
export async function callWithChecker<T = ApprovalRow>(
  server: TestServer,
  [maker, checker]: readonly [{ token: string }, { token: string }],
  path: string,
  input: object,
): Promise<ApiResponse<T>> {
  const request = await callAs(server, maker, path, input);
  if (request.code !== 202) throw new Error(`${path} answered ${request.code} ${request.msg}, not 202`);
  return callAs<T>(server, checker, 'approval/pass', { id: request.data.id });
}

/** Locks four-eyes: the admin requests it, the second approver confirms. */
export async function lockFourEyes(
  server: TestServer,
  { admin, second }: Approvers,
  exceptions: string[] = [],
): Promise<void> {
  const request = await callAs(server, admin, 'approval/lock', { exceptions });
  if (request.code !== 202) throw new Error(`approval/lock answered ${request.code} ${request.msg}`);
  const confirmation = await callAs(server, second, 'approval/pass', { id: request.data.id, exceptions });
  if (confirmation.code !== 200)
    throw new Error(`confirming the lock answered ${confirmation.code} ${confirmation.msg}`);
}
