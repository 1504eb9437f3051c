import type { Page } from '@hengtai/contract/wire/list';
import type { SpotRow } from '@hengtai/contract/trading/spot/schema';
import { sql } from 'kysely';
import { makeUser, recharge } from './factories.ts';
import { type TestServer, apply, call, unique } from './server.ts';

/** Creates a user with balances on the spot account. */
export async function makeTrader(
  server: TestServer,
  balances: Readonly<Record<string, string>>,
  options: { agent?: string; account?: string } = {},
): Promise<string> {
  const account = await makeUser(server, options);
  for (const [market, amount] of Object.entries(balances)) {
    await recharge(server, account, amount, market);
    const transfer = { no: unique('T'), account, toAccount: account, market, platform: 1, toPlatform: 2, amount };
    await apply(server, { type: 'transfer.made', data: transfer });
  }
  return account;
}

export interface OrderInput {
  no?: string;
  market?: string;
  side?: 1 | 2;
  type?: 1 | 2;
  price?: string;
  amount?: string;
  funds?: string;
}

/** Builds the event of an order: by default a purchase of one coin for 10 USDT. */
export const orderPlaced = (account: string, { no = unique('O'), ...fields }: OrderInput = {}) => ({
  type: 'order.placed',
  data: {
    no,
    account,
    market: 'BTC',
    side: 1,
    type: 1,
    ...(fields.type === 2 ? {} : { price: '10', amount: '1' }),
    ...fields,
  },
});

export const orderFilled = (
  no: string,
  amount: string,
  price = '10',
  fee = '0',
  tradeNo = unique('F'),
  feeCoin?: string,
) => ({
  type: 'order.filled',
  data: { no, tradeNo, price, amount, fee, ...(feeCoin !== undefined && { feeCoin }) },
});

export async function placeOrder(server: TestServer, account: string, input: OrderInput = {}): Promise<string> {
  const event = orderPlaced(account, input);
  await apply(server, event);
  return event.data.no;
}

export async function findSpotOrder(server: TestServer, token: string, no: string): Promise<SpotRow> {
  const { data } = await call<Page<SpotRow>>(server, 'GET', 'trade/order/list', { no }, { token });
  const row = data.list[0];
  if (!row) throw new Error(`no order ${no}`);
  return row;
}

/** Balances of a user on the spot account, by `coin bucket`. */
export async function fetchSpotBalances(server: TestServer, account: string): Promise<Record<string, string>> {
  const rows = await server.query(sql<{ name: string; balance: string }>`
    select m.market_name || ' ' || a.bucket as name, a.balance
    from account a join users u on u.id = a.user_id join market m on m.id = a.market_id
    where u.account_key = lower(${account}) and a.platform = 2 and a.balance <> 0`);
  return Object.fromEntries(rows.map((row) => [row.name, row.balance]));
}

export const fetchCancelCommands = (server: TestServer, orderId: number) =>
  server.query(sql<{ id: number; state: number; data: { no: string } }>`
    select id, state, data from command where type = 'order.cancel' and ref_type = 'trade' and ref_id = ${orderId}
    order by id`);
