import { ABILITY } from '@hengtai/contract/ability';
import type { ApprovalRow } from '@hengtai/contract/approval.schema';
import { sql } from 'kysely';
import { type OtpOperator, makeOtpOperator, enableOtp } from './codes.ts';
import { ADMIN, type Answered, type TestServer, call, login } from './server.ts';

/** Three approvers with full scope and one-time codes, the top-level admin first. */
export interface House {
  admin: OtpOperator;
  second: OtpOperator;
  third: OtpOperator;
}

export async function makeHouse(server: TestServer): Promise<House> {
  const token = await login(server);
  const abilities = [ABILITY.approval, ABILITY.headquarters];
  const second = await makeOtpOperator(server, token, { abilities });
  const third = await makeOtpOperator(server, token, { abilities });
  const admin = { ...(await enableOtp(server, token, ADMIN.password)), account: ADMIN.account, id: 1 };
  return { admin, second, third };
}

/** Marks the one-time code of every session as fresh. */
export const giveCodes = (server: TestServer): Promise<unknown> =>
  server.query(sql`update session set fresh_at = ${server.clock.now()}`);

/** Sends a call as an operator whose one-time code is fresh. */
export async function as<T = ApprovalRow>(
  server: TestServer,
  { token }: { token: string },
  path: string,
  input: object = {},
): Promise<Answered<T>> {
  await giveCodes(server);
  return call<T>(server, 'POST', path, input, { token });
}

/** The maker requests an action that needs a checker, and the checker approves it. */
export async function both<T = ApprovalRow>(
  server: TestServer,
  [maker, checker]: readonly [{ token: string }, { token: string }],
  path: string,
  input: object,
): Promise<Answered<T>> {
  const asked = await as(server, maker, path, input);
  if (asked.code !== 202) throw new Error(`${path} answered ${asked.code} ${asked.msg}, not 202`);
  return as<T>(server, checker, 'approval/pass', { id: asked.data.id });
}

/** Locks four-eyes: the admin requests it, the second approver confirms. */
export async function lockHouse(
  server: TestServer,
  { admin, second }: House,
  exceptions: string[] = [],
): Promise<void> {
  const asked = await as(server, admin, 'approval/lock', { exceptions });
  if (asked.code !== 202) throw new Error(`approval/lock answered ${asked.code} ${asked.msg}`);
  const passed = await as(server, second, 'approval/pass', { id: asked.data.id, exceptions });
  if (passed.code !== 200) throw new Error(`confirming the lock answered ${passed.code} ${passed.msg}`);
}
