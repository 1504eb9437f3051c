import type { WalletItem } from '@hengtai/contract/funds/wallet/item.schema';
import type { Page } from '@hengtai/contract/wire/list';
import { matchOpenMoves } from '../src/domains/funds/wallet/match.jobs.ts';
import { tronAddress } from './address.ts';
import { pull } from './commands.ts';
import { makeUser, makeWithdraw } from './factories.ts';
import { type TestServer, apply, call, fetchData, unique } from './server.ts';

export const MINUTE_MS = 60_000;

/** Saves a wallet of USDT on TRC20, or another one, and returns the platform's id. */
export async function saveWallet(server: TestServer, more: object = {}): Promise<string> {
  const wallet = unique('wallet-');
  const place = { kind: 'hot', market: 'USDT', network: 'TRC20', address: tronAddress(wallet), state: 1 };
  await apply(server, { type: 'wallet.saved', data: { wallet, ...place, ...more } });
  return wallet;
}

/** Reports a move and returns its number. */
export async function reportMove(server: TestServer, wallet: string, more: object, at?: number): Promise<string> {
  const no = unique('move-');
  const data = { no, wallet, txHash: unique('0xmove'), ...more };
  await apply(server, { type: 'chain.moved', data, ...(at !== undefined && { at }) });
  return no;
}

export interface Payout {
  id: number;
  no: string;
  address: string;
}

/** A withdrawal of 9 net that an operator has passed. */
export async function passPayout(server: TestServer, admin: string, more: object = {}): Promise<Payout> {
  const address = tronAddress(unique('payee'));
  const user = await makeUser(server, { amount: '100' });
  const { id, no } = await makeWithdraw(server, admin, user, { amount: '10', fee: '1', address, ...more });
  const { code, msg } = await call(server, 'POST', 'withdraw/pass', { id }, { token: admin });
  if (code !== 200) throw new Error(`withdraw/pass: ${msg}`);
  return { id, no, address };
}

/** A withdrawal of 9 net whose command the platform has. */
export async function orderPayout(server: TestServer, admin: string, more: object = {}): Promise<Payout> {
  const payout = await passPayout(server, admin, more);
  await pull(server);
  return payout;
}

export const payOut = (server: TestServer, { no }: Pick<Payout, 'no'>, txHash: string, more: object = {}) =>
  apply(server, { type: 'withdraw.paid', data: { no, txHash, ...more } });

/** A credited recharge of 5 USDT, by its number. */
export async function creditRecharge(server: TestServer, more: object = {}, at?: number): Promise<string> {
  const no = unique('R');
  const chain = { market: 'USDT', network: 'TRC20', address: tronAddress('own'), confirmations: 9, source: 1 };
  const data = { no, account: await makeUser(server), ...chain, amount: '5', ...more };
  await apply(server, { type: 'recharge.credited', data, ...(at !== undefined && { at }) });
  return no;
}

/** Judges what is due now. */
export async function judgeDue(server: TestServer): Promise<void> {
  while (await matchOpenMoves(server.app));
}

/** Judges what is due now, and again after these minutes, each time as often as records and moves wake each other. */
export async function judgeAfter(server: TestServer, minutes: number): Promise<void> {
  await judgeDue(server);
  server.clock.move(minutes * MINUTE_MS);
  await judgeDue(server);
}

export const fetchItems = (server: TestServer, token: string, filters: object = {}): Promise<WalletItem[]> =>
  fetchData<Page<WalletItem>>(server, token, 'wallet/item/list', { size: 200, ...filters }).then(({ list }) => list);

/** The items of a move or a record by its number. */
export const itemsOf = async (server: TestServer, token: string, no: string): Promise<WalletItem[]> =>
  (await fetchItems(server, token)).filter(({ move, record }) => move?.no === no || record?.no === no);
