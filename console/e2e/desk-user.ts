import { type Page } from '@playwright/test';
import { admin, expect } from './desk.ts';
import { elsewhere, listed } from './desk-list.ts';

export interface User {
  id: number;
  account: string;
}

let made = 0;

/** A user of the test's own, directly under the admin unless an agent is named. */
export async function newUser(page: Page, agent?: string): Promise<User> {
  made += 1;
  const account = `e2e.u${Date.now().toString(36)}.${process.pid}.${made}`;
  const input = { account, password: 'first-password-1', ...(agent && { agent }) };
  const { code, data } = await elsewhere(page, admin, 'POST', 'user/add', input);
  expect(code).toBe(200);
  return { id: (data as User).id, account };
}

/** A user as the server knows it. */
export async function userOf(page: Page, id: number): Promise<User & Record<string, unknown>> {
  const found = (await listed(page, 'user/list', { id })).list[0];
  if (!found) throw new Error(`no user ${id}`);
  return found as unknown as User & Record<string, unknown>;
}
