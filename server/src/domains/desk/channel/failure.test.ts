import { execFileSync } from 'node:child_process';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { ChannelList, ChannelSave, ChannelSaved } from '@hengtai/contract/desk/channel/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMailSink } from '../../../../test/receiver.ts';
import { type TestServer, call, login, testServer } from '../../../../test/server.ts';
import { sendDue } from './channel.jobs.ts';
import { describeFailure } from './failure.ts';

// Servers whose certificate is not accepted.

let server: TestServer;
let token: string;
let identity: { key: string; cert: string };

beforeAll(async () => {
  const options = '-x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256 -keyout - -subj /CN=localhost';
  const output = execFileSync('openssl', ['req', ...options.split(' '), '-addext', 'subjectAltName=DNS:localhost'], {
    encoding: 'utf8',
    stdio: 'pipe',
  });
  const [key = '', cert = ''] = output.match(/-----BEGIN[^]+?-----END[^\n]+/g) ?? [];
  identity = { key, cert };
  server = await testServer({ jobs: false, channels: { hosts: ['example.com'], allowPrivate: true } });
  token = await login(server);
});
afterAll(() => server.stop());

/** Sends a test message by a new channel. @returns why it failed */
async function sendTest(kind: ChannelSave['kind'], address: string): Promise<string | undefined> {
  const input: ChannelSave = { kind, address, name: kind, types: [], enabled: 1 };
  const saved = await call<ChannelSaved>(server, 'POST', 'channel/save', input, { token });
  expect(saved).toMatchObject({ code: 200 });
  const { id } = saved.data.channel;
  await call(server, 'POST', 'channel/test', { id }, { token });
  while (await sendDue(server.app, new AbortController().signal));
  const { data } = await call<ChannelList>(server, 'GET', 'channel/list', {}, { token });
  return data.channels.find((channel) => channel.id === id)?.error;
}

test('a mail server with a certificate of the house’s own authority: the failure names the cause and the setting', async () => {
  const mail = await startMailSink(identity);
  server.app.channels.smtp = { url: `smtps://localhost:${mail.port}`, from: 'desk@example.com' };
  const error = await sendTest('mail', 'duty@example.com');
  await mail.close();
  expect(error).toMatch(/^证书错误（DEPTH_ZERO_SELF_SIGNED_CERT）：签发机构不受信任.*NODE_EXTRA_CA_CERTS/);
  expect(mail.mails).toEqual([]);
});

test('a mail server that does not answer: the failure names the code of the connection', async () => {
  server.app.channels.smtp = { url: 'smtp://127.0.0.1:9', from: 'desk@example.com' };
  expect(await sendTest('mail', 'duty@example.com')).toBe('发送失败（ECONNREFUSED）');
});

test('a webhook with such a certificate gets nothing, and the failure says the same', async () => {
  let requests = 0;
  const receiver = createServer(identity, (_request, response) => {
    requests += 1;
    response.end();
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const host = `localhost:${(receiver.address() as AddressInfo).port}`;
  server.app.channels.hosts = ['example.com', host];
  const error = await sendTest('webhook', `https://${host}/in`);
  receiver.close();
  expect(error).toMatch(/^证书错误（DEPTH_ZERO_SELF_SIGNED_CERT）.*NODE_EXTRA_CA_CERTS/);
  expect(requests).toBe(0);
});

test.each([
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'NODE_EXTRA_CA_CERTS'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', '主机名'],
  ['CERT_HAS_EXPIRED', '已过期'],
  ['CERT_NOT_YET_VALID', '时钟'],
])('the certificate error %s says what to do', (code, advice) => {
  expect(describeFailure(Object.assign(new Error('x'), { code }))).toEqual({
    error: expect.stringMatching(`^证书错误（${code}）.*${advice}`) as string,
    final: false,
  });
});
