import { ABILITY } from '@hengtai/contract/authority/ability';
import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import { sql } from 'kysely';
import { type ApprovalWorld, approvalCases, makeRecords } from './approval-cases.ts';
import { type OtpOperator, makeOtpOperator } from './codes.ts';
import { type TestOperator, makeOperator } from './factories.ts';
import { callAs, lockFourEyes, makeApprovers } from './four-eyes.ts';
import type { TestServer } from './server.ts';

export interface RequestWorld extends ApprovalWorld {
  /** An approver of a tree without any of the records, and a maker below it who works for the whole house. */
  local: TestOperator;
  houseMaker: OtpOperator;
}

/** Makes the records, and locks four-eyes with every policy on. `onLock` sees the request of the lock while it is open. */
export async function makeRequestWorld(
  server: TestServer,
  onLock: (world: ApprovalWorld, id: number) => Promise<void>,
): Promise<RequestWorld> {
  const house = await makeApprovers(server);
  const world = { server, house, made: await makeRecords(server, house) };
  const local = await makeOperator(server, house.admin.token, { abilities: [ABILITY.approval] });
  const abilities = Object.values(ABILITY).filter((ability) => ability > 0);
  const houseMaker = await makeOtpOperator(server, house.admin.token, { parent: local.account, abilities });
  const { exceptions } = (await approvalCases['approval.lock']?.input(world)) ?? {};
  const asked = await callAs(server, house.admin, 'approval/lock', { exceptions });
  await onLock(world, asked.data.id);
  await callAs(server, house.second, 'approval/reject', { id: asked.data.id, reason: '稍后' });
  await lockFourEyes(server, house);
  await server.query(sql`update config set state = 1 where key like 'policy.%'`);
  return { ...world, local, houseMaker };
}

/** Requests the action of a case other than that of the lock; throws if no checker is needed. */
export async function requestAction(
  { server, house, houseMaker, made }: RequestWorld,
  name: string,
): Promise<{ input: Record<string, unknown>; row: ApprovalRow }> {
  const { path = '', input: toInput } = approvalCases[name] ?? {};
  const input = (await toInput?.({ server, house, made })) ?? {};
  const asked = await callAs(server, houseMaker, path, input);
  // Some settings are left to the top-level admin.
  const byAdmin = asked.code === 403 ? await callAs(server, house.admin, path, input) : asked;
  if (byAdmin.code !== 202) throw new Error(`${path} answered ${byAdmin.code} ${byAdmin.msg}, not 202`);
  return { input, row: byAdmin.data };
}
