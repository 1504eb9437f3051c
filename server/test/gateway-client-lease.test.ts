import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuiltClient, ClientProcess, type Gateway, LANGUAGES, buildClient } from './client-process.ts';
import { type TestServer, call, login, platformCall, send, testServer, unique } from './server.ts';

let server: TestServer;
let gateway: Gateway;
let admin: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  const { key, secret } = server.app.platform;
  gateway = { url: await server.server.listen({ host: '127.0.0.1', port: 0 }), key, secret };
  admin = await login(server);
});
afterAll(() => server.stop());

interface Leased {
  id: number;
  lease: string;
  leaseUntil: number;
}

async function addUsers(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const user = { account: unique('made'), password: 'a-good-password-1' };
    expect(await call(server, 'POST', 'user/add', user, { token: admin })).toMatchObject({ code: 200 });
  }
}

describe.each(LANGUAGES)('leases of the %s client', (language) => {
  let built: BuiltClient;
  beforeAll(async () => {
    built = await buildClient(language);
  });
  afterAll(() => built.remove());

  test('two processes share the commands and handle each once', async () => {
    await addUsers(6);
    const workers = [new ClientProcess(built, gateway), new ClientProcess(built, gateway)];
    const options = { lease: 60, wait: 5, limit: 3 };
    const handled = await Promise.all(
      workers.map((worker) => worker.call<Leased[]>('handleCommands', { count: 3, options })),
    );
    await Promise.all(workers.map((worker) => worker.stop()));
    expect(new Set(handled.flat().map(({ id }) => id)).size).toBe(6);
    expect((await platformCall(server, 'GET', 'commands?peek=1')).data).toEqual([]);
  });

  test('confirms, renews and loses a lease', async () => {
    await addUsers(1);
    const worker = new ClientProcess(built, gateway);
    const [command] = await worker.call<Leased[]>('poll', { options: { lease: 30 } });
    expect(await worker.call('poll', { options: { lease: 30 } })).toEqual([]);
    expect(await worker.call('renewLeases', { commands: [command] })).toMatchObject([{ result: 'applied' }]);
    server.clock.move(120_000);
    const [again] = await worker.call<Leased[]>('poll', { options: { lease: 30 } });
    expect(again?.id).toBe(command?.id);
    expect(await worker.call('confirmReceipt', { commands: [command] })).toEqual([
      { id: command?.id, result: 'lost', until: null },
    ]);
    expect(await worker.call('confirmReceipt', { commands: [again] })).toMatchObject([{ result: 'applied' }]);
    const acks = [{ id: again?.id, state: 'done', lease: again?.lease }];
    expect(await worker.call('acknowledge', { acks })).toEqual([{ id: again?.id, result: 'applied' }]);
    await worker.stop();
  });

  test('looks up an event', async () => {
    const eventId = unique('e/ü+ ');
    await send(server, { eventId, type: 'user.registered', data: { account: unique('user') } });
    const worker = new ClientProcess(built, gateway);
    expect(await worker.call('findEvent', { eventId })).toMatchObject({ eventId, type: 'user.registered' });
    expect(await worker.call('findEvent', { eventId: 'unknown' })).toBeNull();
    await worker.stop();
  });
});
