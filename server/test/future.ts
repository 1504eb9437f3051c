import type { Page } from '@hengtai/contract/wire/list';
import type { FutureDetail, FutureRow } from '@hengtai/contract/trading/future/schema';
import { sql } from 'kysely';
import { makeMarket } from './book.ts';
import { makeUser, recharge } from './factories.ts';
import { type TestServer, apply, call, send, unique } from './server.ts';

/** Creates a user with USDT on the futures account. */
export async function makeFuturesUser(
  server: TestServer,
  usdt = '1000',
  options: { agent?: string; account?: string } = {},
): Promise<string> {
  const account = await makeUser(server, options);
  if (usdt === '0') return account;
  await recharge(server, account, usdt, 'USDT');
  const transfer = {
    no: unique('T'),
    account,
    toAccount: account,
    market: 'USDT',
    platform: 1,
    toPlatform: 3,
    amount: usdt,
  };
  await apply(server, { type: 'transfer.made', data: transfer });
  return account;
}

export interface PositionInput {
  no?: string;
  market?: string;
  demo?: 0 | 1;
  side?: 1 | 2;
  type?: 1 | 2;
  leverage?: number;
  price?: string;
  amount?: string;
  margin?: string;
}

/** Builds the event of an order: by default a real long position of ten coins at 10 with a tenth as margin. */
export const positionPlaced = (account: string, { no = unique('P'), ...fields }: PositionInput = {}) => ({
  type: 'position.placed',
  data: {
    no,
    account,
    market: 'BTC',
    demo: 0,
    side: 1,
    type: 1,
    leverage: 10,
    ...(fields.type === 2 ? {} : { price: '10' }),
    amount: '10',
    margin: '10',
    ...fields,
  },
});
export const positionOpened = (no: string, price = '10', fee = '0') => ({
  type: 'position.opened',
  data: { no, price, fee },
});
export const positionClosed = (
  no: string,
  amount: string,
  price = '10',
  fee = '0',
  closeType = 1,
  closeNo = unique('C'),
) => ({
  type: 'position.closed',
  data: { no, closeNo, amount, price, fee, closeType },
});
export const positionLiquidated = (no: string, price: string, fee = '0', closeNo = unique('C')) => ({
  type: 'position.liquidated',
  data: { no, closeNo, price, fee },
});
export const fundingPaid = (position: string, amount: string, no = unique('F')) => ({
  type: 'funding.paid',
  data: { no, position, amount },
});
export const positionCancelled = (no: string) => ({ type: 'position.cancelled', data: { no } });

export async function placePosition(server: TestServer, account: string, input: PositionInput = {}): Promise<string> {
  const event = positionPlaced(account, input);
  await apply(server, event);
  return event.data.no;
}

/** Opens a position at its limit price, or at 10 if it has none. */
export async function openPosition(
  server: TestServer,
  account: string,
  input: PositionInput & { fee?: string; at?: string } = {},
): Promise<string> {
  const { fee = '0', at, ...positionInput } = input;
  const no = await placePosition(server, account, positionInput);
  await apply(server, positionOpened(no, at ?? positionInput.price ?? '10', fee));
  return no;
}

/** Finds a position among the open ones and then in the history. */
export async function findPosition(server: TestServer, token: string, no: string): Promise<FutureRow> {
  for (const path of ['future/order/list', 'future/open/history']) {
    const { data } = await call<Page<FutureRow>>(server, 'GET', path, { no }, { token });
    if (data.list[0]) return data.list[0];
  }
  throw new Error(`no position ${no}`);
}

export async function fetchPositionDetail(server: TestServer, token: string, no: string): Promise<FutureDetail> {
  const { id } = await findPosition(server, token, no);
  return (await call<FutureDetail>(server, 'GET', 'future/order/detail', { id }, { token })).data;
}

/** Balances of a user on the futures account, as `active` and `frozen`. */
export async function fetchFuturesBalances(server: TestServer, account: string): Promise<Record<string, string>> {
  const rows = await server.query(sql<{ name: string; balance: string }>`
    select a.bucket as name, a.balance from account a join users u on u.id = a.user_id join market m on m.id = a.market_id
    where u.account_key = lower(${account}) and a.platform = 3 and m.market_name = 'USDT' and a.balance <> 0`);
  return Object.fromEntries(rows.map((row) => [row.name, row.balance]));
}

export const fetchPositionCommands = (server: TestServer, id: number) =>
  server.query(sql<{ id: number; type: string; state: number; data: { no: string; amount?: string } }>`
    select id, type, state, data from command where ref_type = 'future' and ref_id = ${id} order by id`);

/** Creates a market that trades futures. Sends a first tick if a price is given. */
export async function makeFuturesMarket(
  server: TestServer,
  { price, rate = '0.005', digits = 2 }: { price?: string; rate?: string; digits?: number } = {},
): Promise<{ id: number; market: string }> {
  const market = await makeMarket(server);
  const [row] = await server.query(sql<{ id: number }>`
    update market set future = 1, price_precision = ${digits}, amount_precision = 4, max_leverage = 100,
      maintenance_rate = ${rate}::numeric where market_name = ${market} returning id`);
  if (price !== undefined) await sendTick(server, market, price);
  return { id: row?.id ?? 0, market };
}

export async function sendTick(server: TestServer, market: string, price: string): Promise<void> {
  const [answer] = await send(server, { type: 'tick', data: { market, price, at: server.clock.now() } });
  if (answer?.result !== 'applied') throw new Error(`tick ${answer?.reason}`);
}
