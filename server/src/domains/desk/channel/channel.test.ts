import { ABILITY } from '@hengtai/contract/authority/ability';
import { CHANNELS_MAX } from '@hengtai/contract/desk/channel/calls';
import type { ChannelList, ChannelSave, ChannelSaved } from '@hengtai/contract/desk/channel/schema';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { enableOtp } from '../../../../test/codes.ts';
import { type TestOperator, makeOperator } from '../../../../test/factories.ts';
import { fetchAuditRows } from '../../../../test/inspect.ts';
import { call, login, provideServer } from '../../../../test/server.ts';
import { decryptSecret } from '../../../host/secret-key.ts';
import { runInScope } from '../../../database/connect.ts';

const URL = 'https://hooks.example.com/in/secret-token';
const channels = {
  publicUrl: 'https://desk.example.com',
  hosts: ['hooks.example.com', 'example.com', '10.0.0.1'],
  smtp: { url: 'smtp://127.0.0.1:1', from: 'desk@example.com' },
};
const server = provideServer({ jobs: false, channels });
let admin: string;
let owner: TestOperator;

beforeAll(async () => {
  admin = await login(server);
  owner = await makeOperator(server, admin, { abilities: [ABILITY.withdraw] });
});

const webhook: ChannelSave = { kind: 'webhook', name: '值班群', address: URL, types: ['alarm.raised'], enabled: 1 };
const save = (input: ChannelSave, token = owner.token) =>
  call<ChannelSaved>(server, 'POST', 'channel/save', input, { token });
const list = async (token = owner.token): Promise<ChannelList> =>
  (await call<ChannelList>(server, 'GET', 'channel/list', {}, { token })).data;
const make = async (input: ChannelSave = webhook, token = owner.token) => (await save(input, token)).data;
const post = (path: string, id: number, token = owner.token) => call(server, 'POST', path, { id }, { token });

describe('channel/save', () => {
  test('shows the secret of a webhook once and stores address and secret encrypted', async () => {
    const { channel, secret } = await make();
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(channel).toMatchObject({ kind: 'webhook', address: 'https://hooks.example.com/…', enabled: 1, waiting: 0 });
    const [row] = await server.query(
      sql<{ secret: string; keyId: string; text: string }>`
        select secret, key_id as "keyId", c::text as text from channel c where id = ${channel.id}`,
    );
    expect(row?.text).not.toContain('secret-token');
    expect(row?.text).not.toContain(secret);
    const keys = server.app.secretKeys.keys();
    const target = () => JSON.parse(decryptSecret(keys, owner.id, row?.secret ?? '', 'channel')) as unknown;
    expect(target()).toEqual({ address: URL, key: secret });
    expect(row?.keyId).toBe(keys.newest.id);
    expect(() => decryptSecret(keys, owner.id, row?.secret ?? '', 'otp')).toThrow();
    expect(() => decryptSecret(keys, owner.id + 1, row?.secret ?? '', 'channel')).toThrow();
    const { id } = channel;
    const renamed = await make({ ...webhook, id, address: undefined as never, name: '新名称' });
    expect(renamed).toEqual({ channel: expect.objectContaining({ name: '新名称', address: channel.address }) });
    const renewed = await make({ ...webhook, id, renewSecret: 1 });
    expect(renewed.secret).not.toBe(secret);
    expect(JSON.stringify(await list())).not.toContain('secret');
  });

  test('a repeated call with the same key gets no secret', async () => {
    const key = 'channel-save-key-1';
    const first = await call<ChannelSaved>(server, 'POST', 'channel/save', webhook, { token: owner.token, key });
    const again = await call<ChannelSaved>(server, 'POST', 'channel/save', webhook, { token: owner.token, key });
    expect(first.data.secret).toBeDefined();
    expect(again.data).toEqual({ channel: first.data.channel });
  });

  test('audits the masked address and no secret', async () => {
    const done = await save(webhook);
    const [row] = await fetchAuditRows(server, done);
    expect(row).toMatchObject({ action: 'channel.save', targetType: 'channel', after: { name: '值班群' } });
    expect(JSON.stringify(row)).not.toContain('secret-token');
    expect(JSON.stringify(row)).not.toContain(done.data.secret);
    const removed = await post('channel/del', done.data.channel.id);
    expect(await fetchAuditRows(server, removed)).toMatchObject([
      { action: 'channel.del', before: { kind: 'webhook' } },
    ]);
  });

  test.each<[Partial<ChannelSave>, string]>([
    [{ address: 'https://other.example.com/' }, 'address'],
    [{ address: 'http://hooks.example.com/' }, 'address'],
    [{ address: 'https://10.0.0.1/' }, 'address'],
    [{ kind: 'mail', address: 'someone@elsewhere.example' }, 'address'],
    [{ kind: 'mail', address: 'a@example.com, b@example.com' }, 'address'],
    [{ kind: 'telegram', address: 'https://t.me/x' }, 'address'],
    [{ kind: 'mail', address: 'a@example.com', renewSecret: 1 }, 'renewSecret'],
    [{ signingKey: 'key' }, 'signingKey'],
    [{ types: ['channel.failed'] }, 'types'],
    [{ types: ['service.read'] }, 'types'],
    [{ types: ['constructor'] }, 'types'],
  ])('refuses %j', async (change, field) => {
    expect(await save({ ...webhook, ...change })).toMatchObject({ code: 422, data: [{ field }] });
  });

  test('a new channel needs an address, and its kind stays', async () => {
    const { address: _, ...input } = webhook;
    expect(await save(input)).toMatchObject({ code: 422, data: [{ field: 'address' }] });
    const { channel } = await make();
    expect((await save({ ...input, id: channel.id, kind: 'feishu' })).code).toBe(404);
  });

  test('masks mail addresses and chats', async () => {
    const mail = await make({ ...webhook, kind: 'mail', address: 'somebody@example.com' });
    expect(mail).toEqual({ channel: expect.objectContaining({ address: 's***@example.com' }) });
    const chat = await make({ ...webhook, kind: 'telegram', address: '-1001234567' });
    expect(chat.channel.address).toBe('…4567');
  });

  test('needs a fresh code, and limits the number', async () => {
    const other = await makeOperator(server, admin);
    for (let n = 0; n < CHANNELS_MAX; n += 1) expect((await save(webhook, other.token)).code).toBe(200);
    expect(await save(webhook, other.token)).toMatchObject({ code: 422, data: [{ field: 'name' }] });
    expect((await list(other.token)).channels).toHaveLength(CHANNELS_MAX);
    await enableOtp(server, other.token);
    server.clock.move(6 * 60_000);
    expect((await save({ ...webhook, id: 1 }, other.token)).code).toBe(404);
    const [own] = (await list(other.token)).channels;
    expect((await save({ ...webhook, id: own?.id ?? 0 }, other.token)).code).toBe(428);
  });
});

test('lists what the installation can send to', async () => {
  const { kinds, hosts, linked } = await list();
  expect({ kinds, hosts, linked }).toEqual({
    kinds: ['webhook', 'mail', 'telegram', 'feishu'],
    hosts: channels.hosts,
    linked: true,
  });
});

test('row-level security restricts channels, messages and schedules to their operator', async () => {
  await post('channel/test', (await make()).channel.id);
  const below = await makeOperator(server, admin, { parent: owner.account });
  const scope = { kind: 'agents', ids: [owner.id, below.id] } as const;
  for (const table of ['channel', 'delivery']) {
    const visible = (operatorId: number) =>
      runInScope(server.app.requests, scope, operatorId, async (db) =>
        (await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db)).rows.map(({ n }) => n),
      );
    expect(await visible(below.id)).toEqual([0]);
    expect((await visible(owner.id))[0]).toBeGreaterThan(0);
  }
  const foreign = runInScope(server.app.requests, scope, owner.id, (db) =>
    sql`insert into channel (operator_id, kind, name, secret, key_id, hint, types, enabled, created_at, recorded_at, updated_at)
      values (${below.id}, 'mail', 'x', 'x', 'x', 'x', '{}', 1, 1, 1, 1)`.execute(db),
  );
  await expect(foreign).rejects.toMatchObject({ code: '42501' });
});
