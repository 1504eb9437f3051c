// @module-tag full
// @module-tag soak
import { randomInt } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventAnswer } from '@hengtai/contract/gateway/schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sized } from '../../testing/level.ts';
import { type BuiltClient, ClientProcess, type Gateway, LANGUAGES, buildClient } from './client-process.ts';
import { World } from './crash-world.ts';
import type { ModelEvent } from './event-model-state.ts';
import { EventSession, type EventSender } from './event-session.ts';

const EVENTS = sized({ full: 250, long: 20_000 });
/** A multiple of four: server, database, server during decisions, platform. */
const KILLS = sized({ full: 3, long: 24 });
/** Families of events that every session of this length applies. */
const FAMILIES = ['order', 'position', 'recharge', 'transfer', 'withdraw'];
const SEED = Number(process.env['TEST_SEED'] || randomInt(2 ** 31));

/** A platform whose events leave through the outbox of a client. Its process can be killed. */
class ClientSender implements EventSender {
  readonly #built: BuiltClient;
  readonly #gateway: Gateway;
  readonly #file: string;
  #process: ClientProcess;
  #isKilled = false;

  constructor(built: BuiltClient, gateway: Gateway, directory: string) {
    this.#built = built;
    this.#gateway = gateway;
    this.#file = join(directory, 'outbox.json');
    this.#process = new ClientProcess(built, gateway);
  }

  async send(events: readonly ModelEvent[], onLost: () => Promise<void>): Promise<EventAnswer[]> {
    await writeFile(this.#file, JSON.stringify({ events, answers: [] }));
    for (;;) {
      try {
        await this.#process.call('drainOutbox', { file: this.#file }, onLost);
        const { answers } = JSON.parse(await readFile(this.#file, 'utf8')) as { answers: EventAnswer[] };
        return answers;
      } catch (error) {
        if (!this.#isKilled) throw error;
        this.#isKilled = false;
        this.#process = new ClientProcess(this.#built, this.#gateway);
        await onLost();
      }
    }
  }

  dryRun(events: readonly ModelEvent[]): Promise<EventAnswer[]> {
    // A row that a job of the server has locked is answered 503.
    return this.#process.call('dryRun', { events }, () => undefined);
  }

  async kill(): Promise<void> {
    this.#isKilled = true;
    await this.#process.kill();
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }
}

describe.each(LANGUAGES)('through the %s client', (language) => {
  let directory: string;
  let built: BuiltClient;
  let world: World;
  let sender: ClientSender;
  let session: EventSession;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'hengtai-session-'));
    built = await buildClient(language);
    world = await World.start();
    const { PLATFORM_URL: url, PLATFORM_KEY: key, PLATFORM_SECRET: secret } = world.platform;
    sender = new ClientSender(built, { url, key, secret }, directory);
    session = await EventSession.start(world, sender, SEED);
  }, 240_000);
  afterAll(async () => {
    await sender?.stop();
    await world?.stop();
    await built?.remove();
    await rm(directory, { recursive: true, force: true });
  }, 120_000);

  test('balances, holds, answers and dry runs match the model while server, database and platform are killed', async () => {
    await session.run(EVENTS, KILLS);
    process.stdout.write(`${language}: ${session.summarize()}`);
    expect(session.counts.interrupted).toBeGreaterThan(0);
    expect(session.counts.dry).toBeGreaterThan(0);
    const families = new Set([...session.appliedTypes].map((type) => type.split('.')[0]));
    for (const family of FAMILIES) expect(families).toContain(family);
  }, 3_600_000);
});
