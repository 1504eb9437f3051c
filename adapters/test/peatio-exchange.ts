import { type KeyObject, generateKeyPairSync } from 'node:crypto';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type SignedToken, signToken, verifyToken } from '../src/peatio/token.ts';

// Messages with the fields and forms of "RabbitMQ Peatio Event API" (openware/peatio, docs/api/event_api.md), and the calls of
// "Management API" that the adapter makes (docs/api/peatio_management_api_v2.md).

export const SIGNER = 'back-office';
const UID = 'ID092B2AF8E87';
const USER = { uid: UID, email: 'john@example.com' };

interface PeatioData {
  tid: string;
  state: string;
  [field: string]: unknown;
}

export const deposit = (
  tid: string,
  state: string,
  amount: string,
  more: Record<string, unknown> = {},
): PeatioData => ({
  tid,
  user: USER,
  uid: UID,
  currency: 'usdt',
  amount,
  state,
  created_at: '2024-04-12T17:16:06+03:00',
  updated_at: '2024-04-12T18:46:57+03:00',
  completed_at: null,
  blockchain_address: 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE',
  blockchain_txid: 'c37ae1677c4c989dbde9ac22be1f3ff3ac67ed24732a9fa8c9258fdff0232d72',
  blockchain_confirmations: 1,
  ...more,
});

export const withdraw = (tid: string, state: string, amount: string): PeatioData => ({
  tid,
  user: USER,
  uid: UID,
  rid: 'TVj7RNVHy6thbM7BWdSe9G6gXwKhjhdNZS',
  currency: 'usdt',
  amount,
  fee: '1.0',
  state,
  created_at: '2024-04-12T18:52:16+03:00',
  updated_at: '2024-04-12T18:56:23+03:00',
  completed_at: null,
  blockchain_txid: ['confirming', 'succeed'].includes(state) ? '0x9c34d1750e225a95938f9884e857ab6f' : null,
});

/** A trade in the documented form: ten coins at three USDT. */
export const trade = (buyer: string, seller: string) => ({
  name: 'market.htxusdt.trade_completed',
  market: 'htxusdt',
  price: '3.0',
  buyer_uid: buyer,
  buyer_income_unit: 'htx',
  buyer_income_amount: '10',
  buyer_income_fee: '0.02',
  buyer_outcome_unit: 'usdt',
  buyer_outcome_amount: '30.0',
  buyer_outcome_fee: '0.0',
  seller_uid: seller,
  seller_income_unit: 'usdt',
  seller_income_amount: '30.0',
  seller_income_fee: '0.06',
  seller_outcome_unit: 'htx',
  seller_outcome_amount: '10.0',
  seller_outcome_fee: '0.0',
  completed_at: '2024-05-07T17:32:09Z',
});

// Making a pair takes longer than a test.
const EVENTS = generateKeyPairSync('rsa', { modulusLength: 2048 });
const MANAGEMENT = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Peatio's side: signs messages, keeps withdrawals, and has the two calls about them. */
export class PeatioExchange {
  readonly events = EVENTS;
  readonly management = MANAGEMENT;
  readonly withdrawals = new Map<string, PeatioData>();
  /** Payments that its wallet has started, by tid. */
  readonly payments: string[] = [];
  /** Number of next calls of `withdraws/action` that take effect and lose their answer. */
  answersToLose = 0;
  /** Receives each message that a change publishes. */
  publish: (message: SignedToken) => void = () => undefined;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { status, data } = this.#answer(request.url ?? '', Buffer.concat(parts).toString());
        if (this.answersToLose > 0 && request.url?.endsWith('/action')) {
          this.answersToLose -= 1;
          request.socket.destroy();
          return;
        }
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(data));
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/api/v2/management`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** A message as Peatio publishes it. */
  sign(event: Record<string, unknown>, key: KeyObject = this.events.privateKey): SignedToken {
    return signToken({ iss: 'peatio', event }, 'peatio', key);
  }

  /** Creates or changes a withdrawal and publishes it. */
  change(tid: string, state: string, amount = '20.5'): void {
    const before = this.withdrawals.get(tid);
    const record = withdraw(tid, state, amount);
    this.withdrawals.set(tid, record);
    const name = `model.withdraw.${before ? 'updated' : 'created'}`;
    this.publish(this.sign({ name, record, ...(before ? { changes: { state: before.state } } : {}) }));
  }

  #answer(path: string, body: string): { status: number; data: unknown } {
    const { data } = verifyToken(body, SIGNER, this.management.publicKey);
    const { tid = '', action } = data as { tid?: string; action?: string };
    const record = this.withdrawals.get(tid);
    if (!record) return { status: 404, data: { error: 'record.not_found' } };
    if (path.endsWith('/withdraws/get')) return { status: 201, data: record };
    const from = action === 'process' ? ['accepted', 'skipped', 'errored'] : ['prepared', 'accepted'];
    if (!from.includes(record.state)) return { status: 422, data: { error: 'management.withdraw.invalid_state' } };
    if (action === 'process') this.payments.push(tid);
    this.change(tid, action === 'process' ? 'processing' : 'canceled', String(record['amount']));
    return { status: 200, data: this.withdrawals.get(tid) };
  }
}
