import { Type, type TSchema, type Static } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

/** A payment that the wallet of the platform has sent, or has decided to send. */
const Payment = Type.Object({
  no: Type.String(),
  attempt: Type.Integer(),
  market: Type.String(),
  network: Type.String(),
  address: Type.String(),
  memo: Type.String(),
  amount: Type.String(),
});
export type Payment = Static<typeof Payment>;
const Payments = Type.Array(Payment);
const Numbered = Type.Object({ no: Type.String() });
const Filled = Type.Object({ filled: Type.Boolean() });
const Wallets = Type.Object({ from: Type.String(), to: Type.String() });
const Balance = Type.Object({ active: Type.String() });

const TIMEOUT_MS = 30_000;

/** What a customer withdraws. The amount includes the fee. */
export interface Withdrawal {
  market: string;
  network: string;
  address: string;
  memo: string;
  amount: string;
}

/** The platform could not do what a scenario needs. */
export class ControlFailed extends Error {
  override readonly name = 'ControlFailed';
}

/** Makes the platform act, through the port that it offers for the run (docs/conformance.md). */
export class Control {
  readonly #url: string;
  #holds = false;

  constructor(url: string) {
    this.#url = url;
  }

  register(account: string): Promise<unknown> {
    return this.#act({ do: 'register', account });
  }

  deposit(account: string, market: string, amount: string): Promise<unknown> {
    return this.#act({ do: 'deposit', account, market, amount });
  }

  /** Takes the last deposit of a customer from the chain. */
  reverse(account: string): Promise<unknown> {
    return this.#act({ do: 'reverse', account });
  }

  /** @returns what the customer may use of a coin on the funding account */
  async balance(account: string, market: string): Promise<string> {
    return (await this.#read({ do: 'balance', account, market }, Balance)).active;
  }

  /** @returns the number of the withdrawal */
  async withdraw(account: string, withdrawal: Withdrawal): Promise<string> {
    return (await this.#read({ do: 'withdraw', account, ...withdrawal }, Numbered)).no;
  }

  /** @returns the number of the order */
  async order(account: string, price: string, amount: string): Promise<string> {
    return (await this.#read({ do: 'order', account, market: 'BTC', side: 1, price, amount }, Numbered)).no;
  }

  /** Fills the rest of an order. @returns false if the order does not accept a fill any more */
  async fill(no: string): Promise<boolean> {
    return (await this.#read({ do: 'fill', no }, Filled)).filled;
  }

  /** Opens a long position. @returns its number */
  async position(account: string, amount: string): Promise<string> {
    return (await this.#read({ do: 'position', account, market: 'BTC', amount }, Numbered)).no;
  }

  async payments(no: string): Promise<Payment[]> {
    return (await this.#read({ do: 'payments' }, Payments)).filter((payment) => payment.no === no);
  }

  /** @returns the ids of two wallets of one coin and network, of which the first has coins */
  wallets(): Promise<Static<typeof Wallets>> {
    return this.#read({ do: 'wallets' }, Wallets);
  }

  /** Lets the wallet take payouts without sending them, until they are settled or the platform crashes. */
  async hold(): Promise<void> {
    await this.#act({ do: 'hold', on: true });
    this.#holds = true;
  }

  /** Sends a held payout, or gives it up for good. */
  settle(no: string, attempt: number, paid: boolean): Promise<unknown> {
    return this.#act({ do: 'settle', no, attempt, paid });
  }

  /** Ends a hold, if there is one. */
  async release(): Promise<void> {
    if (!this.#holds) return;
    this.#holds = false;
    await this.#act({ do: 'hold', on: false });
  }

  /** Ends the program of the platform like `kill -9` and starts it again. The answer may be lost. */
  async crash(): Promise<void> {
    this.#holds = false;
    await this.#act({ do: 'crash' }).catch(() => undefined);
  }

  async #read<S extends TSchema>(action: Record<string, unknown>, schema: S): Promise<Static<S>> {
    const answer = await this.#act(action);
    if (!Value.Check(schema, answer)) {
      throw new ControlFailed(`the answer to ${JSON.stringify(action)} has the wrong form: ${JSON.stringify(answer)}`);
    }
    return answer;
  }

  async #act(action: Record<string, unknown>): Promise<unknown> {
    const text = JSON.stringify(action);
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: text,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const answer = await response.text();
      if (!response.ok) throw new ControlFailed(`${text} was answered ${response.status}: ${answer.slice(0, 200)}`);
      return answer === '' ? null : (JSON.parse(answer) as unknown);
    } catch (error) {
      if (error instanceof ControlFailed) throw error;
      throw new ControlFailed(`${text} was not answered: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
