import { createHmac } from 'node:crypto';

/** A deposit or a withdrawal, with the fields that the plugin reads; as in "HollaEx Kit API", Admin API. */
export interface Movement {
  id: number;
  user_id: number;
  currency: string;
  network: string | null;
  amount: number;
  address: string;
  transaction_id: string | null;
  status: boolean;
  dismissed: boolean;
  rejected: boolean;
  processing: boolean;
  created_at: string;
  updated_at: string;
}

/** A trade. A side without a user is one of the exchange or of the network. */
export interface Trade {
  side: 'buy' | 'sell';
  symbol: string;
  size: number;
  price: number;
  timestamp: string;
  maker_id: number | null;
  taker_id: number | null;
  maker_order_id: string | null;
  taker_order_id: string | null;
  maker_fee: number | null;
  taker_fee: number | null;
  maker_fee_coin: string | null;
  taker_fee_coin: string | null;
}

export type MovementList = 'deposits' | 'withdrawals';

export interface ApiOptions {
  /** Address with the version, such as `https://api.example.com/v2`. */
  url: string;
  key: string;
  secret: string;
}

/** The exchange answered, and did nothing. */
export class ExchangeRefused extends Error {
  override readonly name = 'ExchangeRefused';
}

const EXPIRES_SECONDS = 60;
const TIMEOUT_MS = 20_000;
/** Rows of a page of the admin lists. */
const PAGE = 50;

/** Value of `api-signature`: over method, path with query, expiry and body. */
export const signCall = (secret: string, method: string, path: string, expires: string, body: string): string =>
  createHmac('sha256', secret).update(`${method}${path}${expires}${body}`).digest('hex');

/** The calls of HollaEx Kit's Admin API that the plugin needs. */
export class ExchangeApi {
  readonly #options: ApiOptions;

  constructor(options: ApiOptions) {
    this.#options = options;
  }

  /** Rows that were created since a time, oldest first. */
  async *listMovements(list: MovementList, query: Record<string, string>): AsyncGenerator<Movement> {
    yield* this.#list<Movement>(list, { ...query, order_by: 'created_at', order: 'asc' });
  }

  async *listTrades(startDate: string): AsyncGenerator<Trade> {
    yield* this.#list<Trade>('trades', { start_date: startDate, order_by: 'timestamp', order: 'asc' });
  }

  /** Creates and starts a withdrawal. The call has no idempotency key. */
  async withdraw(data: WithdrawCall): Promise<{ id: number }> {
    return (await this.#call('POST', '/admin/withdrawal', data)) as { id: number };
  }

  async activateUser(userId: number, activated: boolean): Promise<void> {
    await this.#call('POST', '/admin/user/activate', { user_id: userId, activated });
  }

  async *#list<T>(list: string, query: Record<string, string>): AsyncGenerator<T> {
    for (let page = 1; ; page += 1) {
      const search = new URLSearchParams({ ...query, limit: String(PAGE), page: String(page) });
      const { data } = (await this.#call('GET', `/admin/${list}?${search.toString()}`)) as { data: T[] };
      yield* data;
      if (data.length < PAGE) return;
    }
  }

  /** @throws ExchangeRefused, or another error if the outcome is not known */
  async #call(method: string, path: string, data?: unknown): Promise<unknown> {
    const { url, key, secret } = this.#options;
    const target = new URL(`${url.replace(/\/$/, '')}${path}`);
    const expires = String(Math.floor(Date.now() / 1_000) + EXPIRES_SECONDS);
    const body = data === undefined ? '' : JSON.stringify(data);
    const response = await fetch(target, {
      method,
      headers: {
        'content-type': 'application/json',
        'api-key': key,
        'api-expires': expires,
        'api-signature': signCall(secret, method, `${target.pathname}${target.search}`, expires, body),
      },
      ...(body === '' ? {} : { body }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    if (response.status >= 500) throw new Error(`${path} was answered ${response.status}`);
    if (!response.ok) throw new ExchangeRefused(`${path} was answered ${response.status}: ${text.slice(0, 100)}`);
    return JSON.parse(text) as unknown;
  }
}

export interface WithdrawCall {
  user_id: number;
  currency: string;
  amount: number;
  address: string;
  network: string;
}
