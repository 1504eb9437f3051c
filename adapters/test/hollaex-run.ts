import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPlugin } from '../build.mjs';
import type { HollaexExchange } from './hollaex-exchange.ts';
import type { Gateway } from './peatio-run.ts';

const HOST = fileURLToPath(new URL('kit-host.mjs', import.meta.url));
const COINS = {
  usdt: { market: 'USDT', network: 'trx', withdrawFee: '1' },
  xht: { market: 'HTT', network: 'eth', withdrawFee: '3' },
};

/** Runs the built plugin in processes that can be killed. */
export class HollaexRun {
  readonly logs: string[] = [];
  readonly #gateway: Gateway;
  readonly #exchange: HollaexExchange;
  readonly #exchangeUrl: string;
  #directory = '';
  #process: ChildProcess | undefined;
  #url = '';

  constructor(gateway: Gateway, exchange: HollaexExchange, exchangeUrl: string) {
    this.#gateway = gateway;
    this.#exchange = exchange;
    this.#exchangeUrl = exchangeUrl;
  }

  async start(): Promise<void> {
    if (this.#directory === '') {
      this.#directory = await mkdtemp(join(tmpdir(), 'hengtai-plugin-'));
      const plugin = await buildPlugin();
      const coins = { value: JSON.stringify(COINS) };
      const values = { coins, poll_seconds: { value: 0.1 } };
      await writeFile(this.#plugin, JSON.stringify({ ...plugin, public_meta: values }));
    }
    const { url, key, secret } = this.#gateway;
    const meta = {
      platform_url: url,
      platform_key: key,
      platform_secret: secret,
      exchange_url: this.#exchangeUrl,
      api_key: this.#exchange.key,
      api_secret: this.#exchange.secret,
      journal: join(this.#directory, 'journal'),
    };
    const child = spawn(process.execPath, [HOST, this.#plugin, JSON.stringify(meta)]);
    child.stderr.on('data', (text: Buffer) => this.logs.push(text.toString()));
    this.#process = child;
    const [address] = (await once(child.stdout, 'data')) as [Buffer];
    this.#url = address.toString().trim();
  }

  /** Calls a route of the plugin as a user. */
  async post(userId: number | undefined, body: unknown): Promise<{ status: number; data: { no?: string } }> {
    const response = await fetch(`${this.#url}/plugins/hengtai/withdrawal`, {
      method: 'POST',
      headers: userId === undefined ? {} : { authorization: `Bearer ${userId}` },
      body: JSON.stringify(body),
    });
    return { status: response.status, data: (await response.json()) as { no?: string } };
  }

  async kill(): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async remove(): Promise<void> {
    await this.kill();
    await rm(this.#directory, { recursive: true, force: true });
  }

  get #plugin(): string {
    return join(this.#directory, 'plugin.json');
  }
}
