import { createHmac } from 'node:crypto';
import type { ChannelList, ChannelSave, ChannelSaved } from '@hengtai/contract/desk/channel/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../../../../test/receiver.ts';
import { type TestServer, call, login, testServer } from '../../../../test/server.ts';
import { sendDue } from './channel.jobs.ts';

const BOT_KEY = 'key of the bot';
let server: TestServer;
let token: string;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  server = await testServer({ jobs: false, channels: { hosts: [`127.0.0.1:${receiver.port}`], allowPrivate: true } });
  token = await login(server);
});
afterAll(async () => {
  await server.stop();
  await receiver.close();
});

async function save(change: Partial<ChannelSave>): Promise<ChannelSaved> {
  const input: ChannelSave = { kind: 'feishu', name: 'bot', types: [], enabled: 1, ...change };
  const saved = await call<ChannelSaved>(server, 'POST', 'channel/save', input, { token });
  expect(saved).toMatchObject({ code: 200 });
  return saved.data;
}

const addressOf = (path: string): string => `http://127.0.0.1:${receiver.port}/${path}`;

async function sendDueMessages(): Promise<void> {
  while (await sendDue(server.app, new AbortController().signal));
}

async function readChannel(id: number) {
  const { data } = await call<ChannelList>(server, 'GET', 'channel/list', {}, { token });
  return data.channels.find((channel) => channel.id === id);
}

/** Sends a test message. @returns why it failed, or an empty text */
async function sendTest(id: number): Promise<string | undefined> {
  await call(server, 'POST', 'channel/test', { id }, { token });
  await sendDueMessages();
  return (await readChannel(id))?.error;
}

test('a refusal is a failure, although it is answered by 200', async () => {
  const { channel } = await save({ address: addressOf('refusing') });
  receiver.answer = (response) => void response.end('{"code":19024,"msg":"Key Words Not Found"}');
  expect(await sendTest(channel.id)).toBe('飞书拒绝了消息（缺少机器人要求的关键词，请使用「衡台」）');
  receiver.answer = (response) => void response.end('{"code":9499}');
  expect(await sendTest(channel.id)).toBe('飞书拒绝了消息（9499）');
  expect((await readChannel(channel.id))?.waiting).toBe(2);
  receiver.answer = (response) => void response.end('{"code":0}');
  server.clock.move(60_000);
  await sendDueMessages();
  expect(await readChannel(channel.id)).toMatchObject({ waiting: 0, error: '' });
});

/** Verifies as Feishu documents it: the key of the HMAC is time and key, its message is empty, the time is in seconds. */
function verifySignature(body: string): boolean {
  const { timestamp, sign } = JSON.parse(body) as Record<string, string>;
  const expected = createHmac('sha256', `${timestamp}\n${BOT_KEY}`).update('').digest('base64');
  const isRecent = Math.abs(server.clock.now() / 1_000 - Number(timestamp)) < 3_600;
  return isRecent && sign === expected;
}

test('a bot that verifies signatures accepts those of its key only', async () => {
  receiver.answer = (response) => {
    const isGenuine = verifySignature(receiver.requests.at(-1)?.body ?? '');
    response.end(JSON.stringify({ code: isGenuine ? 0 : 19021 }));
  };
  const { channel, secret } = await save({ address: addressOf('signed'), signingKey: BOT_KEY });
  const { id } = channel;
  expect(secret).toBeUndefined();
  expect(await sendTest(id)).toBe('');
  await save({ id, name: 'renamed' });
  expect(await sendTest(id)).toBe('');
  await save({ id, signingKey: 'another key' });
  expect(await sendTest(id)).toMatch('签名不符');
  await save({ id, signingKey: BOT_KEY });
  expect(await sendTest(id)).toBe('');
  // A new address without a key is that of a bot that does not verify signatures.
  await save({ id, address: addressOf('unsigned') });
  expect(await sendTest(id)).toMatch('签名不符');
  expect(JSON.parse(receiver.requests.at(-1)?.body ?? '')).toEqual({
    msg_type: 'text',
    content: { text: expect.stringContaining('测试消息') as string },
  });
});
