import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { admin, expect, newOperator } from './desk.ts';
import { callAs, fetchList } from './desk-list.ts';
import { sendEvents } from './desk-platform.ts';

/** Text that would run if it were treated as markup, attribute, template or formula. */
const HOSTILE = `"'><img src=x onerror="window.struck=1"><script>window.struck=1</script>{{1}}\${1}`;
const FORMULA = '=HYPERLINK("javascript:window.struck=1","x")';
const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PASSWORD = 'first-password-1';

/** Posts to the API as the admin; a refusal fails the test. */
export async function callAsAdmin(page: Page, path: string, input: object): Promise<{ id: number; no: string }> {
  const { code, msg, data } = await callAs(page, admin, 'POST', path, input);
  expect([path, code, msg]).toEqual([path, 200, expect.any(String)]);
  return data as { id: number; no: string };
}

/** Creates records with hostile text in every text field; returns the paths that show them. */
export async function createHostileRecords(page: Page): Promise<string[]> {
  const agent = await newOperator(page);
  await callAsAdmin(page, 'agent/remark', { id: agent.id, remark: HOSTILE });
  const account = `walk.${randomUUID().slice(0, 13)}`;
  const user = await callAsAdmin(page, 'user/add', {
    account,
    password: PASSWORD,
    agent: agent.account,
    remark: HOSTILE,
  });
  const [pendingNo, rejectedNo, messageNo] = [randomUUID(), randomUUID(), randomUUID()];
  const chain = { account, market: 'USDT', network: 'TRC20' };
  const submission = { account, name: HOSTILE.slice(0, 100), country: FORMULA.slice(0, 64), idType: 1, level: 1 };
  await sendEvents(
    {
      type: 'recharge.credited',
      data: {
        no: randomUUID(),
        ...chain,
        address: HOSTILE,
        txHash: FORMULA,
        amount: '100',
        confirmations: 20,
        source: 1,
      },
    },
    ...[pendingNo, rejectedNo].map((no) => ({
      type: 'withdraw.requested',
      data: { no, ...chain, address: FORMULA, memo: HOSTILE, amount: '7', fee: '0' },
    })),
    { type: 'auth.submitted', data: { ...submission, idNumber: HOSTILE.slice(0, 64), front: PNG, back: PNG } },
    { type: 'message.received', data: { no: messageNo, account, text: `${HOSTILE}\n${FORMULA}` } },
  );
  const [pending, rejected] = (await fetchList(page, 'withdraw/list', { account, sort: 'id' })).list;
  await callAsAdmin(page, 'withdraw/reject', { id: rejected?.id, reason: HOSTILE });
  const text = { lang: 'zh-CN', title: HOSTILE, content: `<p>${HOSTILE}</p>`, platform: 0, state: 0 };
  const notices = await callAs(page, admin, 'POST', 'announce/add', { announceList: [text] });
  const [notice] = notices.data as { id: number }[];
  const terms = { marketId: 2, side: 1, leverage: 5, price: '100', ratio: '10', minAmount: '1', maxAmount: '500' };
  const times = { startAt: Date.now() - 60_000, endAt: Date.now() + 3_600_000 };
  await callAsAdmin(page, 'signal/add', { title: HOSTILE.slice(0, 64), ...terms, ...times, state: 0 });
  await callAsAdmin(page, 'service/reply/save', { title: '=1+1', text: HOSTILE, shared: 0 });
  const [identity] = (await fetchList(page, 'auth/list', { account })).list;
  const [conversation] = (await fetchList(page, 'service/list', { account })).list;
  return [
    `/user?account=${account}&open=${user.id}`,
    `/agent?account=${agent.account}`,
    `/withdraw?account=${account}&open=${pending?.id}`,
    `/withdraw?account=${account}&open=${rejected?.id}`,
    `/recharge?account=${account}`,
    `/auth?account=${account}&open=${identity?.id}`,
    `/service?open=${conversation?.id}`,
    `/announce?open=${notice?.id}`,
    `/announce/update/${notice?.id}`,
    `/fund/record?account=${account}`,
  ];
}

const LONGEST_ACCOUNT = 64;
const AMOUNT = '1234567.123456789012345678';

const longAccount = (prefix: string): string => `${prefix}.${randomUUID()}${randomUUID()}`.slice(0, LONGEST_ACCOUNT);

export interface Extremes {
  account: string;
  agent: string;
}

/** A user with the longest account, below an agent with the longest account, with amounts of 18 decimals everywhere. */
export async function createExtremes(page: Page): Promise<Extremes> {
  const agent = longAccount('agent');
  const input = { account: agent, password: PASSWORD, parentAccount: '', remark: '备注'.repeat(30) };
  await callAsAdmin(page, 'agent/add', input);
  const account = longAccount('user');
  const sharer = longAccount('sharer');
  const wallet = { market: 'USDT', network: 'TRC20', address: `T${randomUUID()}` };
  const credit = (to: string, amount: string) => ({
    type: 'recharge.credited',
    data: { no: randomUUID(), account: to, ...wallet, amount, confirmations: 20, source: 1 },
  });
  const withdrawal = (from: string, amount: string) => ({
    type: 'withdraw.requested',
    data: { no: randomUUID(), account: from, ...wallet, amount, fee: '0.123456789012345678' },
  });
  const transfer = (toPlatform: number, amount: string) => ({
    type: 'transfer.made',
    data: { no: randomUUID(), account, toAccount: account, market: 'USDT', platform: 1, toPlatform, amount },
  });
  const [orderNo, positionNo] = [randomUUID(), randomUUID()];
  const position = { account, market: 'BTC', demo: 0, side: 1, type: 1, leverage: 10, price: '1000' };
  await sendEvents(
    { type: 'user.registered', data: { account, agent } },
    { type: 'user.registered', data: { account: sharer } },
    credit(account, '99999999.123456789012345678'),
    credit(sharer, '10'),
    transfer(2, '9876543.123456789012345678'),
    transfer(3, '9876543.123456789012345678'),
    withdrawal(sharer, '1'),
    withdrawal(account, AMOUNT),
    {
      type: 'order.placed',
      data: {
        no: orderNo,
        account,
        market: 'BTC',
        side: 1,
        type: 1,
        price: '98765',
        amount: '12.3456',
      },
    },
    {
      type: 'order.filled',
      data: { no: orderNo, tradeNo: randomUUID(), price: '98765', amount: '1.2345', fee: '0.123456789012345678' },
    },
    { type: 'position.placed', data: { ...position, no: positionNo, amount: '0.1', margin: '10' } },
    { type: 'position.opened', data: { no: positionNo, price: '1000', fee: '0.1' } },
    {
      type: 'position.placed',
      data: { ...position, no: randomUUID(), amount: '10.1234567', margin: '1012.34567' },
    },
    {
      type: 'auth.submitted',
      data: {
        account,
        name: 'W'.repeat(100),
        country: '国'.repeat(64),
        idType: 1,
        idNumber: '9'.repeat(64),
        level: 2,
        front: PNG,
        back: PNG,
        holding: PNG,
      },
    },
  );
  return { account, agent };
}
