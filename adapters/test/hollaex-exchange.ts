import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Movement, type Trade, signCall } from '../src/hollaex/api.ts';

// The part of "HollaEx Kit API", Admin API (hollaex/hollaex-apidoc), that the plugin calls, with the documented rows.

const at = (second: number): string => new Date(Date.UTC(2024, 1, 27, 4, 43, second)).toISOString();

export const movement = (id: number, userId: number, amount: number, more: Partial<Movement> = {}) => ({
  id,
  amount,
  fee: 0,
  address: `T-address-${userId}`,
  transaction_id: `tx-${id}`,
  status: false,
  dismissed: false,
  rejected: false,
  processing: false,
  waiting: false,
  description: '',
  type: 'deposit',
  currency: 'usdt',
  network: 'trx',
  fee_coin: 'usdt',
  created_at: at(id),
  updated_at: at(id + 1),
  user_id: userId,
  ...more,
});

export const tradeOf = (second: number, more: Partial<Trade> = {}): Trade => ({
  side: 'buy',
  symbol: 'xht-usdt',
  size: 10,
  price: 0.6,
  maker_order_id: `05018676-d8f0-420d-abc0-3c199fb8${second}`,
  taker_order_id: `4d62d466-fbdb-4819-b60a-8aba3ad1${second}`,
  timestamp: at(second),
  maker_fee: 0.003,
  taker_fee: 0.05,
  maker_fee_coin: 'usdt',
  taker_fee_coin: 'xht',
  maker_id: 2,
  taker_id: 1,
  ...more,
});

export class HollaexExchange {
  readonly key = 'admin-key';
  readonly secret = 'admin-secret';
  readonly deposits: Movement[] = [];
  readonly withdrawals: Movement[] = [];
  readonly trades: Trade[] = [];
  readonly frozen = new Set<number>();
  /** Next withdrawals that are created without an answer. */
  answersToLose = 0;
  /** Calls that were not signed as the document says. */
  readonly problems: string[] = [];
  #nextId = 500;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const body = Buffer.concat(parts).toString();
        const signature = signCall(this.secret, method, url, String(headers['api-expires']), body);
        if (headers['api-key'] !== this.key || headers['api-signature'] !== signature) this.problems.push(url);
        const data = this.#answer(method, new URL(url, 'http://localhost'), body);
        if (method === 'POST' && url.endsWith('/withdrawal') && this.answersToLose > 0) {
          this.answersToLose -= 1;
          request.socket.destroy();
          return;
        }
        response.writeHead(data === undefined ? 400 : 200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(data ?? { message: 'Bad request' }));
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v2`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Changes a row, as its next reader sees it. */
  change(rows: Movement[], id: number, change: Partial<Movement>): void {
    const index = rows.findIndex((row) => row.id === id);
    const row = rows[index];
    if (row) rows[index] = { ...row, ...change, updated_at: new Date().toISOString() };
  }

  #answer(method: string, { pathname, searchParams }: URL, body: string): unknown {
    const path = pathname.replace('/v2/admin/', '');
    const data = (body === '' ? {} : JSON.parse(body)) as Record<string, unknown>;
    if (method === 'GET' && (path === 'deposits' || path === 'withdrawals'))
      return this.#page(this[path], searchParams);
    if (method === 'GET' && path === 'trades') return this.#page(this.trades, searchParams);
    if (path === 'user/activate') {
      if (data['activated'] === false) this.frozen.add(Number(data['user_id']));
      return { message: 'Success' };
    }
    if (path !== 'withdrawal' || Number(data['amount']) > 1_000) return undefined;
    const id = (this.#nextId += 1);
    const now = new Date().toISOString();
    const more = { address: String(data['address']), currency: String(data['currency']), created_at: now };
    this.withdrawals.push(movement(id, Number(data['user_id']), Number(data['amount']), more));
    return { message: 'Withdrawal request is in the queue and will be processed.', id, transaction_id: `tx-${id}` };
  }

  #page<T extends object>(rows: readonly T[], search: URLSearchParams): { count: number; data: T[] } {
    const equal = ['user_id', 'currency', 'address', 'transaction_id'] as const;
    const matching = rows.filter((row) => {
      const fields = row as Record<string, unknown>;
      const time = String(fields['created_at'] ?? fields['timestamp']);
      const isWanted = equal.every((name) => !search.has(name) || String(fields[name]) === search.get(name));
      return isWanted && time >= (search.get('start_date') ?? '');
    });
    const [limit, page] = [Number(search.get('limit')), Number(search.get('page'))];
    return { count: matching.length, data: matching.slice((page - 1) * limit, page * limit) };
  }
}
