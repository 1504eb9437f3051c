import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { type Operator, newOperator } from './desk.ts';
import { sendEvents } from './desk-platform.ts';

/** An operator with one user who has USDT in the futures account. */
export async function setUpFuturesUser(page: Page, abilities: readonly number[], amount = '1000') {
  const operator: Operator = await newOperator(page, abilities);
  const account = `fut.${randomUUID().slice(0, 13)}`;
  const credit = { no: randomUUID(), account, market: 'USDT', network: 'TRC20', address: 'T', amount };
  const transfer = { account, toAccount: account, market: 'USDT', platform: 1, toPlatform: 3, amount };
  await sendEvents(
    { type: 'user.registered', data: { account, agent: operator.account } },
    { type: 'recharge.credited', data: { ...credit, confirmations: 20, source: 1 } },
    { type: 'transfer.made', data: { no: randomUUID(), ...transfer } },
  );
  return { operator, account };
}

/** Event data of a futures order: 0.1 BTC long at 1,000 USDT. */
export const positionOrder = (account: string, demo = 0) => ({
  account,
  market: 'BTC',
  demo,
  side: 1,
  type: 1,
  leverage: 10,
  price: '1000',
  amount: '0.1',
  margin: '10',
});

export const drawer = (page: Page) => page.locator('.ht-dialog-drawer');
