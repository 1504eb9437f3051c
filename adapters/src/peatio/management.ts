import type { KeyObject } from 'node:crypto';
import { signToken } from './token.ts';

export interface ManagementOptions {
  /** Address with the path before `/withdraws`, such as `https://peatio.example.com/api/v2/management`. */
  url: string;
  /** Name of the key in Peatio's `config/management_api.yml`; it needs the scopes read_withdraws and write_withdraws. */
  signer: string;
  key: KeyObject;
}

/** The withdrawal as the Management API returns it. */
export interface ManagedWithdraw {
  tid: string;
  state: string;
  /** Without the fee. */
  amount: string;
  rid: string;
}

/** Peatio answered, and did nothing. */
export class ManagementRefused extends Error {
  override readonly name = 'ManagementRefused';
}

const TIMEOUT_MS = 20_000;

/** The calls of Peatio's Management API that the adapter needs. */
export class ManagementApi {
  readonly #options: ManagementOptions;

  constructor(options: ManagementOptions) {
    this.#options = options;
  }

  getWithdraw(tid: string): Promise<ManagedWithdraw> {
    return this.#call('POST', 'withdraws/get', { tid });
  }

  /** `process` starts the payment of an accepted withdrawal; `cancel` unlocks its money. */
  act(tid: string, action: 'process' | 'cancel'): Promise<ManagedWithdraw> {
    return this.#call('PUT', 'withdraws/action', { tid, action });
  }

  /** @throws ManagementRefused, or another error if the outcome is not known */
  async #call(method: string, path: string, data: Record<string, string>): Promise<ManagedWithdraw> {
    const { url, signer, key } = this.#options;
    const response = await fetch(`${url.replace(/\/$/, '')}/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(signToken({ data }, signer, key)),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    if (response.status >= 500) throw new Error(`${path} was answered ${response.status}`);
    if (!response.ok) throw new ManagementRefused(`${path} was answered ${response.status}: ${text.slice(0, 100)}`);
    return JSON.parse(text) as ManagedWithdraw;
  }
}
