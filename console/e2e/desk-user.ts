import { type Page } from '@playwright/test';
import { admin, expect, logIn } from './desk.ts';
import { elsewhere, listed, loaded, row } from './desk-list.ts';

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

/** The list with this user alone. */
export async function listOf(page: Page, { id }: User) {
  await logIn(page, admin, `/user?id=${id}`);
  await loaded(page);
}

/** One of the actions behind the three dots of a row. */
export async function more(page: Page, { id, account }: User, action: string) {
  await row(page, id)
    .getByRole('button', { name: `用户 ${account} 的更多操作` })
    .click();
  await page.getByRole('menuitem', { name: action }).click();
  // While the menu fades, its words are paler than anybody should have to read.
  await expect(page.locator('.ant-dropdown:visible')).toHaveCount(0);
}

export const switchOf = (page: Page, { id, account }: User, name: string) =>
  row(page, id).getByRole('switch', { name: `${name} ${account}`, exact: true });
export const question = (page: Page) => page.locator('.ant-popover:visible');
