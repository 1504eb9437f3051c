import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, inject, test } from 'vitest';
import { waitForDatabase } from './wait-for-database.ts';

const cluster = new URL(inject('cluster').baseUrl);
const servers: Server[] = [];
const sockets = new Set<Socket>();

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

async function listen(port: number, handle: (client: Socket) => void): Promise<number> {
  const server = createServer((client) => {
    sockets.add(client.on('error', () => undefined).on('close', () => sockets.delete(client)));
    handle(client);
  }).listen(port, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const port = await listen(0, () => undefined);
  await new Promise((resolve) => servers.pop()?.close(resolve));
  return port;
}

/** Forwards a connection to the PostgreSQL of the test run, which may listen on a Unix socket only. */
function forwardToCluster(client: Socket): void {
  const folder = cluster.searchParams.get('host');
  const port = Number(cluster.port || 5432);
  const database = folder ? connect(join(folder, `.s.PGSQL.${port}`)) : connect(port, cluster.hostname);
  database.on('error', () => client.destroy()).on('close', () => client.destroy());
  client.on('close', () => database.destroy());
  client.pipe(database);
  database.pipe(client);
}

/** Refuses a connection with an error of PostgreSQL's protocol. */
function answer(client: Socket, code: string, message: string): void {
  const fields = `SFATAL\0VFATAL\0C${code}\0M${message}\0\0`;
  const header = Buffer.alloc(5, 'E');
  header.writeInt32BE(fields.length + 4, 1);
  client.once('data', () => client.end(Buffer.concat([header, Buffer.from(fields)])));
}

const answerStartingUp = (client: Socket): void => answer(client, '57P03', 'the database system is starting up');
/** PgBouncer, whose errors all have the same code. */
const answerNoServer = (client: Socket): void =>
  answer(client, '08P01', 'server login has been failing, try again later (server_login_retry)');
const answerNoPassword = (client: Socket): void => answer(client, '08P01', 'SASL authentication failed');

const urlAt = (port: number, { password = cluster.password, database = cluster.pathname } = {}): string =>
  `postgres://${cluster.username}:${password}@127.0.0.1:${port}${database}`;

test('waits for a database that starts late, and reports the wait once', async () => {
  const port = await freePort();
  const messages: string[] = [];
  const waiting = waitForDatabase('DATABASE_URL', urlAt(port), { report: (message) => messages.push(message) });
  await expect.poll(() => messages).toHaveLength(1);
  // The database refuses connections, then is starting, then accepts them.
  await listen(port, answerStartingUp);
  await once(servers[0] as Server, 'connection');
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => servers.pop()?.close(resolve));
  await listen(port, forwardToCluster);
  await waiting;
  expect(messages).toEqual([`Waiting for the database that DATABASE_URL names (127.0.0.1:${port}) · 正在等待数据库 …`]);
});

test.each([
  ['no listener', undefined, /ECONNREFUSED/],
  ['a database that starts for too long', answerStartingUp, /the database system is starting up/],
  ['a pooler without a database', answerNoServer, /server login has been failing/],
])('%s: the error names the variable and the address, but not the password', async (_, handle, cause) => {
  const port = handle ? await listen(0, handle) : await freePort();
  const url = urlAt(port, { password: 'very-secret' });
  const waiting = waitForDatabase('DATABASE_APP_URL', url, { report: () => undefined, within: 300 });
  const error = await waiting.then(
    () => new Error('it came up'),
    (reason: unknown) => reason as Error,
  );
  expect(error.message).toContain(
    `The database that DATABASE_APP_URL names (127.0.0.1:${port}) did not answer within 0.3 s`,
  );
  expect(error.message).toMatch(cause);
  expect(error.message).not.toContain('very-secret');
});

test('a wrong password and a missing database fail at once, and must be corrected first', async () => {
  const port = await listen(0, forwardToCluster);
  const messages: string[] = [];
  const options = { report: (message: string) => void messages.push(message) };
  const toCorrect = (message: string) => ({
    name: 'ConfigurationError',
    message: expect.stringContaining(message) as string,
  });
  await expect(waitForDatabase('DATABASE_URL', urlAt(port, { password: 'wrong' }), options)).rejects.toMatchObject(
    toCorrect(`DATABASE_URL: the database at 127.0.0.1:${port} refuses the user or the password`),
  );
  await expect(waitForDatabase('DATABASE_URL', urlAt(port, { database: '/nowhere' }), options)).rejects.toMatchObject(
    toCorrect(`DATABASE_URL: there is no database nowhere at 127.0.0.1:${port}.`),
  );
  const withoutFile = `${urlAt(port)}?sslmode=verify-full&sslrootcert=/nowhere.pem`;
  await expect(waitForDatabase('DATABASE_URL', withoutFile, options)).rejects.toMatchObject(
    toCorrect('DATABASE_URL is not accepted: ENOENT'),
  );
  const pooler = await listen(0, answerNoPassword);
  await expect(waitForDatabase('DATABASE_APP_URL', urlAt(pooler), options)).rejects.toThrow(
    'SASL authentication failed',
  );
  expect(messages).toEqual([]);
});
