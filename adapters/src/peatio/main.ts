import { createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Journal } from '../shared/journal.ts';
import { runPeatioAdapter } from './adapter.ts';
import { AmqpSource } from './amqp.ts';
import { ManagementApi } from './management.ts';
import type { Names } from './messages.ts';

/** The file that the program reads; README.md describes the fields. */
interface Settings extends Names {
  url: string;
  journal: string;
  queue: string;
  management: { url: string; signer: string };
}

/** Reads a variable that has no default. */
function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set`);
  return value;
}

/** Peatio keeps keys as PEM in URL-safe Base64. */
const pem = (name: string): string => Buffer.from(variable(name), 'base64url').toString();

async function main(file: string): Promise<void> {
  const { url, journal, queue, management, currencies, markets } = JSON.parse(readFileSync(file, 'utf8')) as Settings;
  const names = { currencies, markets };
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
  const key = createPrivateKey(pem('PEATIO_MANAGEMENT_PRIVATE_KEY'));
  await runPeatioAdapter({
    client: { url, key: variable('PLATFORM_KEY'), secret: variable('PLATFORM_SECRET'), signal: stop.signal },
    source: new AmqpSource(variable('PEATIO_AMQP_URL'), queue, names),
    journal: Journal.open(journal),
    management: new ManagementApi({ ...management, key }),
    names,
    eventKey: createPublicKey(pem('PEATIO_EVENT_PUBLIC_KEY')),
    log: (text) => console.error(text),
  });
}

// After a failure the process ends, and what started it starts it again: the queue and the journal have everything.
main(process.argv[2] ?? 'peatio-adapter.json').then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
