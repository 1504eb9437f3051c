import { randomInt, randomUUID } from 'node:crypto';
import { approval } from '@hengtai/contract/desk/approval/calls';
import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import type { Page } from '@playwright/test';
import { admin, expect, logIn, newOperator, quietTest as test } from './desk.ts';
import { type ListData, callAs, dialog, searchParamsOf } from './desk-list.ts';
import { type PlatformEvent, sendEventsTo } from './desk-platform.ts';
import type { Installation } from './server.ts';

const WALLET = { market: 'USDT', network: 'TRC20' };
const CHECKER = [11, 13];
/** Those that a new installation leaves to one person. */
const POLICIES = ['ieo.pass', 'asset.frozen', 'user.second', 'market.save'];

const call = async (page: Page, path: string, input: object, code: number): Promise<unknown> => {
  const response = await callAs(page, admin, 'POST', path, input);
  expect(response, `${path} ${response.msg}`).toMatchObject({ code });
  return response.data;
};
const fetchRows = async <T extends { id: number }>(page: Page, path: string, query: object): Promise<T[]> =>
  ((await callAs(page, admin, 'GET', path, { size: 200, ...query })).data as ListData).list as unknown as T[];

async function setPolicies(page: Page, state: 0 | 1) {
  const settings = (await callAs(page, admin, 'GET', 'config/list', {})).data as { id: number; key: string }[];
  for (const policy of POLICIES) {
    const id = settings.find(({ key }) => key === `policy.${policy}`)?.id;
    await call(page, 'config/save', { id, state }, 200);
  }
}

/** A user with 90,000 USDT, and what else the platform reports about it; returns its id. */
async function createUser(
  page: Page,
  { url }: Installation,
  toEvents: (account: string) => PlatformEvent[] = () => [],
) {
  const account = `keys.${randomUUID().slice(0, 13)}`;
  const deposit = { no: randomUUID(), ...WALLET, address: 'T', amount: '90000', confirmations: 20, source: 1 };
  await sendEventsTo(
    url,
    { type: 'user.registered', data: { account } },
    { type: 'recharge.credited', data: { ...deposit, account } },
    ...toEvents(account),
  );
  const [user] = await fetchRows(page, 'user/list', { account });
  return { account, id: user?.id ?? 0 };
}

/** The admin requests ten actions of six kinds; returns the numbers of the requests. */
async function makeRequests(page: Page, installation: Installation): Promise<number[]> {
  const marketName = `KEYS${randomInt(1_000_000)}`;
  const market = (await call(page, 'market/save', { marketName, ieo: 1, state: 1 }, 200)) as { id: number };
  await setPolicies(page, 1);
  const paid = await createUser(page, installation, (account) => [
    ...['T1', 'T2', 'T3', 'T4'].map((address) => ({
      type: 'withdraw.requested',
      data: { no: randomUUID(), ...WALLET, account, address, amount: '12000', fee: '1' },
    })),
    { type: 'ieo.ordered', data: { no: randomUUID(), account, market: marketName, price: '0.5', amount: '250' } },
  ]);
  const user = await createUser(page, installation);
  const money = { userId: user.id, marketId: 1, platform: 1, amount: '2000', state: 0, reason: '补偿' };
  const pay = { marketId: 1, from: 'custody', to: 'capital', amount: '900', txHash: randomUUID(), reason: '注资' };
  const [subscription] = await fetchRows(page, 'ieo/order/list', { account: paid.account, type: 'review' });
  const requests: [path: string, input: object][] = [
    ...(await fetchRows(page, 'withdraw/list', { account: paid.account })).map(({ id }): [string, object] => [
      'withdraw/pass',
      { id },
    ]),
    ['asset/active/add', money],
    ['asset/frozen/add', money],
    ['ieo/order/pass', { id: subscription?.id }],
    ['user/second/change', { id: user.id, winType: 1, winRate: '85' }],
    ['house/transfer', pay],
    ['market/save', { id: market.id, maxAmount: '3000' }],
  ];
  const asked: number[] = [];
  for (const [path, input] of requests) asked.push(((await call(page, path, input, 202)) as ApprovalRow).id);
  return asked;
}

// A payout to a frozen user also asks for its account, which is typed; such requests are not among the ten.
test('ten requests of mixed kinds are approved with 27 keys at most, from the home page on', async ({
  page,
  quiet,
}) => {
  for (const { id } of await fetchRows(page, 'approval/list', { state: 0 }))
    await call(page, 'approval/cancel', { id }, 200);
  try {
    const asked = await makeRequests(page, quiet);
    expect(asked).toHaveLength(10);
    await logIn(page, await newOperator(page, CHECKER));
    let keys = 0;
    const press = async (key: string) => {
      keys += 1;
      await page.keyboard.press(key);
    };
    await press('Control+k');
    for (const letter of 'fh') await press(letter);
    await expect(dialog(page, '查找').getByRole('option', { name: '复核' })).toHaveAttribute('aria-selected', 'true');
    await press('Enter');
    await expect(page).toHaveURL(/\/approval\?/);
    await press('q');
    const drawer = page.locator('.ht-dialog-drawer');
    for (const id of asked) {
      await expect(drawer.locator('.ant-drawer-title')).toContainText(`复核 #${id}`);
      await expect(drawer.getByRole('button', { name: '通过复核' })).toBeVisible();
      // Decides nothing before A has opened the confirmation. Not counted, because nobody needs it.
      await page.keyboard.press('Control+Enter');
      await press('a');
      const confirmation = dialog(page, `通过复核 #${id}`);
      await expect(confirmation.getByRole('button', { name: '通过复核' })).toBeEnabled();
      await press('Control+Enter');
      await expect(confirmation).toBeHidden();
    }
    await expect(drawer.getByText('复核队列已清空')).toBeVisible();
    expect(searchParamsOf(page).get('queue')).toBe('1');
    expect(keys).toBeLessThanOrEqual(27);
    const states = new Map((await fetchRows<ApprovalRow>(page, approval.list.path, {})).map((row) => [row.id, row]));
    expect(asked.map((id) => states.get(id)?.state)).toEqual(asked.map(() => 1));
  } finally {
    await setPolicies(page, 0);
  }
});
