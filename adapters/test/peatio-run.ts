import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MessageSource, runPeatioAdapter } from '../src/peatio/adapter.ts';
import { ManagementApi } from '../src/peatio/management.ts';
import type { Names } from '../src/peatio/messages.ts';
import { Journal } from '../src/shared/journal.ts';
import { type PeatioExchange, SIGNER } from './peatio-exchange.ts';

export const NAMES: Names = {
  currencies: { usdt: { market: 'USDT', network: 'TRC20' }, htx: { market: 'HTT', network: 'ERC20' } },
  markets: { htxusdt: 'HTT' },
};

export interface Gateway {
  url: string;
  key: string;
  secret: string;
}

/** Runs the adapter as processes one after the other, which share only the journal. */
export class PeatioRun {
  readonly logs: string[] = [];
  readonly #gateway: Gateway;
  readonly #exchange: PeatioExchange;
  readonly #source: MessageSource;
  readonly #management: string;
  #directory = '';
  #stop = new AbortController();
  #ended: Promise<unknown> = Promise.resolve();

  constructor(gateway: Gateway, exchange: PeatioExchange, source: MessageSource, management: string) {
    this.#gateway = gateway;
    this.#exchange = exchange;
    this.#source = source;
    this.#management = management;
  }

  async start(): Promise<void> {
    this.#directory ||= await mkdtemp(join(tmpdir(), 'hengtai-adapter-'));
    const stop = new AbortController();
    this.#stop = stop;
    this.#ended = runPeatioAdapter({
      client: { ...this.#gateway, signal: stop.signal },
      source: this.#source,
      journal: Journal.open(join(this.#directory, 'journal')),
      management: new ManagementApi({
        url: this.#management,
        signer: SIGNER,
        key: this.#exchange.management.privateKey,
      }),
      names: NAMES,
      eventKey: this.#exchange.events.publicKey,
      log: (text) => this.logs.push(text),
      wait: 1,
    }).catch((error: unknown) => error);
  }

  /** Waits until the adapter has failed. @returns its error */
  failure(): Promise<unknown> {
    return this.#ended;
  }

  /** Ends the adapter at once: calls that run are cut off. */
  async kill(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
