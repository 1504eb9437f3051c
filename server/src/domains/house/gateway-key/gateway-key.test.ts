import type { ApprovalDetail } from '@hengtai/contract/desk/approval/schema';
import type {
  GatewayKeyIssued,
  GatewayKeyList,
  GatewayKeyRow,
  GatewayKeySave,
} from '@hengtai/contract/house/gateway-key/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as fourEyes from '../../../../test/four-eyes.ts';
import { callAs, keyInput } from '../../../../test/gateway-key.ts';
import { fetchAuditRows } from '../../../../test/inspect.ts';
import { ADMIN, type TestServer, call, fetchData, login, testServer } from '../../../../test/server.ts';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await testServer({ jobs: false });
  token = await login(server);
});
afterAll(() => server.stop());

const save = (terms: Partial<GatewayKeySave>) =>
  call<GatewayKeyRow>(server, 'POST', 'gateway_key/save', keyInput(terms), { token });
const issue = (id: number, key?: string) =>
  call<GatewayKeyIssued>(server, 'POST', 'gateway_key/issue', { id }, { token, ...(key !== undefined && { key }) });
const list = async () => (await call<GatewayKeyList>(server, 'GET', 'gateway_key/list', {}, { token })).data;

describe('a key', () => {
  test('is added without a secret, issued once, changed, and revoked', async () => {
    const terms = { name: '撮合引擎', rights: ['tick', 'order'], addresses: ['10.0.0.0/8'], nonce: 1 } as const;
    const { data: row } = await save({ ...terms, rights: [...terms.rights], addresses: [...terms.addresses] });
    expect(row).toMatchObject({ ...terms, issuedAt: null, revokedAt: null, lastUsedAt: null, by: ADMIN.account });
    const { data: issued } = await issue(row.id);
    expect(issued).toEqual({ key: row.key, secret: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
    expect(await issue(row.id)).toMatchObject({ code: 409 });
    expect(await save({ id: row.id, name: '撮合' })).toMatchObject({ code: 200, data: { name: '撮合', key: row.key } });
    expect((await list()).keys.find(({ id }) => id === row.id)).toMatchObject({ name: '撮合' });
    const revoke = () => call<GatewayKeyRow>(server, 'POST', 'gateway_key/revoke', { id: row.id }, { token });
    expect(await revoke()).toMatchObject({ code: 200, data: { revokedAt: expect.any(Number) as number } });
    for (const again of [await revoke(), await issue(row.id), await save({ id: row.id })])
      expect(again).toMatchObject({ code: 409 });
    expect(await server.query(sql`select secret, key_id from gateway_key where id = ${row.id}`)).toEqual([
      { secret: null, key_id: null },
    ]);
  });

  test('a change of a key that somebody changed meanwhile is refused', async () => {
    const { data: row } = await save({});
    expect(await save({ id: row.id, seen: row.updatedAt, name: 'a' })).toMatchObject({ code: 200 });
    expect(await save({ id: row.id, seen: row.updatedAt, name: 'b' })).toMatchObject({ code: 409 });
    expect(await save({ id: 999_999, name: 'b' })).toMatchObject({ code: 404 });
  });

  test.each(['10.0.0.0/33', 'example.com', '::ffff:10.0.0.1'])('the network %s is refused', async (address) => {
    expect(await save({ addresses: [address] })).toMatchObject({
      code: 422,
      msg: `来源地址：${address} 不是 IP 地址或网段`,
    });
  });

  test('there are at most fifty valid ones', async () => {
    const { keys } = await list();
    const valid = keys.filter(({ revokedAt }) => revokedAt === null).length;
    await server.query(sql`
      insert into gateway_key (key, name, rights, addresses, nonce, by_account, created_at, recorded_at, updated_at)
      select 'filler ' || n, 'filler', '{tick}', '{}', 0, 'admin', 1, 1, 1 from generate_series(1, ${50 - valid}::int) n`);
    expect(await save({})).toMatchObject({ code: 422 });
    await server.query(sql`delete from gateway_key where name = 'filler'`);
  });

  test('the list names the keys of the environment and their last use', async () => {
    expect((await list()).environment).toEqual([{ key: 'test-key', lastUsedAt: null }]);
  });
});

test('nobody reads a secret again: not from the list, the audit log, a repeated call or the database', async () => {
  const { data: row } = await save({});
  const { data } = await issue(row.id, 'issue-key-1');
  const secret = data.secret ?? '';
  expect((await issue(row.id, 'issue-key-1')).data).toEqual({ key: row.key });
  const texts = [
    JSON.stringify(await list()),
    JSON.stringify(await fetchAuditRows(server, { targetType: 'gatewayKey', targetId: row.id })),
    ...(await server.query(sql<{ text: string }>`select t::text as text from gateway_key t`)).map(({ text }) => text),
    ...(await server.query(sql<{ text: string }>`select t::text as text from idempotency t`)).map(({ text }) => text),
  ];
  expect(texts.length).toBeGreaterThan(3);
  for (const text of texts) expect(text).not.toContain(secret);
});

describe('while four-eyes are locked', () => {
  let approvers: fourEyes.Approvers;
  const terms = {
    rights: ['tick', 'order'],
    addresses: ['10.0.0.0/8', '2001:db8::/32'],
    expiresAt: 4e12,
    nonce: 1,
  } as const;
  const termsOf = (change: Partial<GatewayKeySave> = {}) =>
    keyInput({ ...terms, rights: [...terms.rights], addresses: [...terms.addresses], name: 'locked', ...change });
  let id: number;

  beforeAll(async () => {
    const open = { server, token };
    server = await testServer({ jobs: false });
    approvers = await fourEyes.makeApprovers(server);
    ({ token } = approvers.admin);
    await fourEyes.lockFourEyes(server, approvers);
    return async () => {
      await server.stop();
      ({ server, token } = open);
    };
  });
  beforeEach(async () => {
    const request = await saveAs(termsOf());
    await fourEyes.callAs(server, approvers.second, 'approval/pass', { id: request.data.id });
    id = Math.max(...(await list()).keys.map((key) => key.id));
  });
  const saveAs = (input: GatewayKeySave) => fourEyes.callAs(server, approvers.admin, 'gateway_key/save', input);

  test.each([
    ['a right', { rights: ['tick', 'order', 'commands'] }],
    ['a later expiry', { expiresAt: 4e12 + 1 }],
    ['no expiry', { expiresAt: null }],
    ['a wider network', { addresses: ['10.0.0.0/7'] }],
    ['no address list', { addresses: [] }],
    ['no nonce', { nonce: 0 }],
    ['another name', { name: 'other' }],
  ] as [string, Partial<GatewayKeySave>][])('%s needs a second person, who sees it', async (_what, change) => {
    const before = (await list()).keys.find((key) => key.id === id);
    const request = await saveAs(termsOf({ id, ...change }));
    expect(request).toMatchObject({ code: 202 });
    expect((await list()).keys.find((key) => key.id === id)).toEqual(before);
    const detail = await fetchData<Pick<ApprovalDetail, 'asked' | 'now'>>(
      server,
      approvers.second.token,
      'approval/detail',
      { id: request.data.id },
    );
    const differences = detail.asked.filter(({ text }, n) => text !== detail.now[n]?.text);
    expect(differences).toHaveLength(1);
    expect(
      await fourEyes.callAs(server, approvers.second, 'approval/reject', { id: request.data.id, reason: '不需要' }),
    ).toMatchObject({ code: 200 });
  });

  test.each([
    ['fewer rights', { rights: ['tick'] }],
    ['an earlier expiry', { expiresAt: 3e12 }],
    ['a narrower network', { addresses: ['10.1.0.0/16'] }],
  ] as [string, Partial<GatewayKeySave>][])('%s need nobody', async (_what, change) => {
    expect(await saveAs(termsOf({ id, ...change }))).toMatchObject({ code: 200, data: change });
  });

  test('a new key needs a second person, works after the approval, and neither has its secret', async () => {
    const request = await saveAs(termsOf({ name: 'approved' }));
    expect(request).toMatchObject({ code: 202 });
    const { id: approvalId } = request.data;
    expect(await fourEyes.callAs(server, approvers.second, 'approval/pass', { id: approvalId })).toMatchObject({
      code: 200,
    });
    const row = (await call<GatewayKeyList>(server, 'GET', 'gateway_key/list', {}, approvers.admin)).data.keys.find(
      ({ name }) => name === 'approved',
    );
    expect(row).toMatchObject({ issuedAt: null, by: ADMIN.account });
    const issued = await fourEyes.callAs<GatewayKeyIssued>(server, approvers.admin, 'gateway_key/issue', {
      id: row?.id,
    });
    server.clock.move(1_000);
    const { key, secret = '' } = issued.data;
    expect(await callAs(server, { key, secret })).toMatchObject({ error: 'address_not_allowed' });
    expect(await fourEyes.callAs(server, approvers.admin, 'gateway_key/revoke', { id: row?.id })).toMatchObject({
      code: 200,
    });
  });
});
