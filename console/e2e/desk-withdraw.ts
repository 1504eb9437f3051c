import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { fetchList } from './desk-list.ts';
import { sendEvents } from './desk-platform.ts';

interface Requested {
  account: string;
  /** Ids of the withdrawals, oldest first. */
  ids: number[];
  /** Requests one more, to this address or a new one; returns its id. */
  request: (amount: string, address?: string) => Promise<number>;
}

/** A new user of this agent with 90,000 USDT and pending withdrawals of these amounts. */
export async function requestWithdrawals(page: Page, agent: string, ...amounts: string[]): Promise<Requested> {
  const account = `wd.${randomUUID().slice(0, 13)}`;
  const wallet = { account, market: 'USDT', network: 'TRC20' };
  const deposit = { no: randomUUID(), ...wallet, address: 'T', amount: '90000', confirmations: 20, source: 1 };
  const requested = (amount: string, address = `T${randomUUID()}`) => ({
    type: 'withdraw.requested',
    data: { no: randomUUID(), ...wallet, address, amount, fee: '0' },
  });
  const fetchIds = async () =>
    (await fetchList(page, 'withdraw/list', { account, sort: 'id', size: 200 })).list.map(({ id }) => id);
  await sendEvents(
    { type: 'user.registered', data: { account, agent } },
    { type: 'recharge.credited', data: deposit },
    ...amounts.map((amount) => requested(amount)),
  );
  return {
    account,
    ids: await fetchIds(),
    request: async (amount, address) => {
      await sendEvents(requested(amount, address));
      return (await fetchIds()).at(-1) ?? 0;
    },
  };
}
