import { setTimeout as sleep } from 'node:timers/promises';
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import { Client } from 'pg';
import { callOnce, eventsRequest, fetchToken, type RunningServer } from '../bench/lib/child.ts';
import { ADMIN, type BenchDatabase } from '../bench/lib/database.ts';

/** Removes a cause. */
export type Undo = () => Promise<void>;

/** The server under drill with what its drills need. */
export class Installation {
  readonly server: RunningServer;
  readonly #ownerUrl: string;
  #token = '';

  constructor(server: RunningServer, database: BenchDatabase) {
    this.server = server;
    this.#ownerUrl = database.ownerUrl;
  }

  async logIn(): Promise<void> {
    this.#token = await fetchToken(this.server.port, ADMIN.account, ADMIN.password);
  }

  /** Runs statements as the owner of the database. */
  async run(statement: string): Promise<void> {
    const client = await this.#connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  }

  /** Runs statements in a transaction that stays open, with its locks, until it is undone. */
  async hold(statement: string): Promise<Undo> {
    const client = await this.#connect();
    await client.query(`begin; ${statement}`);
    return () => client.end();
  }

  async send(type: string, data: object): Promise<void> {
    const event = { eventId: `drill-${Math.random()}`, type, at: Date.now(), data };
    await callOnce(this.server.port, eventsRequest([event]));
  }

  /** Reads a list again and again, with this many requests at a time. */
  async load(path: string, concurrency: number): Promise<Undo> {
    const stopping = new AbortController();
    const url = `http://127.0.0.1:${this.server.port}${API_BASE}${path}`;
    const loop = async (): Promise<void> => {
      while (!stopping.signal.aborted) {
        const response = await fetch(url, { headers: { token: this.#token } }).catch(() => undefined);
        await response?.body?.cancel();
        // Refused at once while a table is locked.
        if (response?.status === 503) await sleep(50);
      }
    };
    const loops = Array.from({ length: concurrency }, loop);
    return async () => {
      stopping.abort();
      await Promise.all(loops);
    };
  }

  /** Repeats two steps until it is undone. */
  async pulse(on: () => Promise<void>, onMs: number, off: () => Promise<void>, offMs: number): Promise<Undo> {
    const stopping = new AbortController();
    const loop = async (): Promise<void> => {
      while (!stopping.signal.aborted) {
        await on();
        await sleep(onMs);
        await off();
        await sleep(offMs);
      }
    };
    const running = loop();
    return async () => {
      stopping.abort();
      await running;
    };
  }

  async #connect(): Promise<Client> {
    const client = new Client({ connectionString: this.#ownerUrl });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }
}
