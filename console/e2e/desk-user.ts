import { type Page } from '@playwright/test';
import { admin, expect, logIn } from './desk.ts';
import { callAs, fetchList, waitForRows, row } from './desk-list.ts';

export interface User {
  id: number;
  account: string;
}

let userCount = 0;

/** Creates a user, directly below the admin unless an agent is given. */
export async function newUser(page: Page, agent?: string): Promise<User> {
  userCount += 1;
  const account = `e2e.u${Date.now().toString(36)}.${process.pid}.${userCount}`;
  const input = { account, password: 'first-password-1', ...(agent && { agent }) };
  const { code, data } = await callAs(page, admin, 'POST', 'user/add', input);
  expect(code).toBe(200);
  return { id: (data as User).id, account };
}

/** A user as the server returns it; throws if there is none. */
export async function fetchUser(page: Page, id: number): Promise<User & Record<string, unknown>> {
  const user = (await fetchList(page, 'user/list', { id })).list[0];
  if (!user) throw new Error(`no user ${id}`);
  return user as unknown as User & Record<string, unknown>;
}

/** Opens the user list filtered to this user. */
export async function openUserList(page: Page, { id }: User) {
  await logIn(page, admin, `/user?id=${id}`);
  await waitForRows(page);
}

/** Opens an action from the overflow menu of a row. */
export async function openRowAction(page: Page, { id, account }: User, action: string) {
  await row(page, id)
    .getByRole('button', { name: `用户 ${account} 的更多操作` })
    .click();
  await page.getByRole('menuitem', { name: action }).click();
  // Text of a menu that fades out would fail the contrast check.
  await expect(page.locator('.ant-dropdown:visible')).toHaveCount(0);
}

export const switchOf = (page: Page, { id, account }: User, name: string) =>
  row(page, id).getByRole('switch', { name: `${name} ${account}`, exact: true });
export const confirmPopover = (page: Page) => page.locator('.ant-popover:visible');
