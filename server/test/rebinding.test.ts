import nodeDns, { type LookupAddress, type LookupOptions } from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { isIP } from 'node:net';
import type { ChannelSave } from '@hengtai/contract/desk/channel/schema';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type OidcProvider, startOidcProvider } from '../../testing/oidc-provider.ts';
import { publishCommands } from '../src/gateway/publisher.ts';
import { pushCommands } from '../src/gateway/webhook.ts';
import { sendDue } from '../src/domains/desk/channel/channel.jobs.ts';
import { platform } from '../src/modules.ts';
import * as commands from './commands.ts';
import { begin, finish, settingsFor } from './oidc.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { type TestServer, call, login, testServer } from './server.ts';

// A name whose owner answers each lookup with another address: what was checked must be what is connected to.

const NAME = 'rebind.example';
const dns = { answers: [] as string[][], count: 0 };

type Callback = (error: null, addresses: LookupAddress[]) => void;
const realLookup = nodeDns.lookup;

/** Answers each lookup of the name with the next addresses, and then always with the last. */
function lookup(name: string, options: LookupOptions, callback: Callback): void {
  if (name !== NAME) {
    realLookup(name, options, callback as never);
    return;
  }
  const addresses = dns.answers[Math.min(dns.count, dns.answers.length - 1)] ?? [];
  dns.count += 1;
  callback(
    null,
    addresses.map((address) => ({ address, family: isIP(address) })),
  );
}

/** Also for modules that are loaded already: test files share them. */
function replaceLookup(by: unknown): void {
  Object.assign(nodeDns, { lookup: by });
  syncBuiltinESMExports();
}

let server: TestServer;
let receiver: Receiver;
let provider: OidcProvider;
let token: string;
const never = new AbortController().signal;

beforeAll(async () => {
  replaceLookup(lookup);
  [receiver, provider] = await Promise.all([startReceiver(), startOidcProvider()]);
  const host = `${NAME}:${receiver.port}`;
  server = await testServer({ jobs: false, channels: { hosts: [host], allowPrivate: true } });
  token = await login(server);
});
afterEach(() => {
  receiver.requests.length = 0;
  provider.requests.clear();
  provider.lies = {};
});
afterAll(async () => {
  replaceLookup(realLookup);
  await server.stop();
  await Promise.all([receiver.close(), provider.stop()]);
});

function answerLookups(...answers: string[][]): void {
  [dns.answers, dns.count] = [answers, 0];
}

/** The settings for the provider under the name. */
function rename(): void {
  const issuer = `http://${NAME}:${new URL(provider.issuer).port}`;
  server.app.oidc = settingsFor(provider, { issuer });
  const [authorization, token] = [`${provider.issuer}/authorize`, `${issuer}/token`];
  const discovery = { issuer, authorization_endpoint: authorization, token_endpoint: token };
  provider.lies = { discovery, response: { iss: issuer } };
}

/** Each way to make the server connect to the name. They return how many requests have arrived. */
const senders: Record<string, () => Promise<number>> = {
  'a channel': async () => {
    const address = `http://${NAME}:${receiver.port}/in`;
    const input: ChannelSave = { kind: 'webhook', name: 'x', address, types: [], enabled: 1 };
    const saved = await call<{ channel: { id: number } }>(server, 'POST', 'channel/save', input, { token });
    await call(server, 'POST', 'channel/test', { id: saved.data.channel.id }, { token });
    while (await sendDue(server.app, never));
    await server.query(sql`delete from channel`);
    return receiver.requests.length;
  },
  'the webhook of the platform': async () => {
    await commands.finishAll(server);
    await commands.enqueueFor(server, 1);
    await publishCommands(server.app);
    const app = { ...server.app, platformWebhook: `http://${NAME}:${receiver.port}/hook` };
    await pushCommands(app, platform.answers, never);
    return receiver.requests.length;
  },
  'the identity provider': async () => {
    rename();
    await begin(server);
    return provider.requests.size;
  },
};

describe.each(Object.entries(senders))('%s', (_name, send) => {
  test('is connected to at the address that was checked, with one lookup', async () => {
    answerLookups(['127.0.0.1'], ['127.0.0.2']);
    expect(await send()).toBe(1);
    expect(dns.count).toBe(1);
  });

  test.each(['169.254.169.254', 'fd00:ec2::254', '127.0.0.1 100.100.100.200', '127.0.0.1 93.184.216.34'])(
    'is not connected to if it leads to %s',
    async (addresses) => {
      answerLookups(addresses.split(' '));
      expect(await send()).toBe(0);
      expect(dns.count).toBeGreaterThan(0);
    },
  );
});

describe('the identity provider', () => {
  test('is checked again for each request, also at an address that its document names', async () => {
    answerLookups(['127.0.0.1'], ['169.254.169.254']);
    rename();
    const { data } = await begin(server);
    const answer = { flow: data.flow, response: await provider.visit(data.url) };
    provider.requests.clear();
    expect(await finish(server, answer)).toMatchObject({ code: 503 });
    rename();
    provider.lies.discovery = { ...provider.lies.discovery, token_endpoint: 'http://100.100.100.200/token' };
    answerLookups(['127.0.0.1']);
    const second = await begin(server);
    const response = await provider.visit(second.data.url);
    provider.requests.clear();
    expect(await finish(server, { flow: second.data.flow, response })).toMatchObject({ code: 503 });
    expect(provider.requests.size).toBe(0);
  });
});
