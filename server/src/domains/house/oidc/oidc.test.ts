import type { AgentDetail, AgentRow } from '@hengtai/contract/people/agent/schema';
import type { ExportMade } from '@hengtai/contract/desk/export/schema';
import type { Page } from '@hengtai/contract/wire/list';
import type { Me } from '@hengtai/contract/house/session/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OidcProvider } from '../../../../../testing/oidc-provider.ts';
import type { OidcGroups } from '../../../host/oidc-settings.ts';
import { PASSWORD, makeOperator, makeUser } from '../../../../test/factories.ts';
import { linkDirectly, logInByOidc, settingsFor, useOidc, visit, finish } from '../../../../test/oidc.ts';
import { makePasskeyOperator } from '../../../../test/passkeys.ts';
import { ADMIN, type TestServer, call, login, testServer, unique } from '../../../../test/server.ts';
import { findMaker } from '../../../books/exports/export-job.store.ts';
import { findViewer } from '../../../realtime/notify.store.ts';
import { allowedByGroups } from './groups.rules.ts';

let server: TestServer;
let provider: OidcProvider;
let admin: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  provider = await useOidc(server);
});
afterAll(async () => {
  await provider.stop();
  await server.stop();
});
beforeEach(async () => {
  server.clock.move(3_600_000);
  server.app.oidc = settingsFor(provider);
  await server.query(sql`update config set state = 0 where key = 'oidc.only'`);
  admin = await login(server);
});

const me = async (token: string | undefined): Promise<Me> => (await call<Me>(server, 'GET', 'me', {}, { token })).data;

/** A linked operator; the provider says that its account is logged in. */
async function makeLinked(abilities: readonly number[] = [], groups?: unknown) {
  const operator = await makeOperator(server, admin, { abilities });
  const subject = unique('subject');
  await linkDirectly(server, provider, operator.id, subject);
  provider.account = { subject, groups };
  return { ...operator, subject };
}

const useGroups = (groups: Record<string, readonly number[] | 'all'>): void => {
  server.app.oidc = settingsFor(provider, { groups: new Map(Object.entries(groups)) });
};

describe('groups', () => {
  const groups: OidcGroups = new Map<string, readonly number[] | 'all'>([
    ['finance', [2, 3]],
    ['risk', [3, 12]],
    ['staff', []],
    ['owners', 'all'],
  ]);
  test.each([
    [['finance'], [2, 3]],
    [
      ['finance', 'risk', 'unknown'],
      [2, 3, 12],
    ],
    ['risk', [3, 12]],
    [['staff'], []],
    [['staff', 'owners'], null],
    [['unknown'], undefined],
    [[], undefined],
    [undefined, undefined],
    [{ finance: true }, undefined],
    [[['finance']], undefined],
  ])('%j allow %j', (claim, allowed) => {
    expect(allowedByGroups({ groups }, claim)).toEqual(allowed);
  });
  test('limit nothing without a mapping', () => expect(allowedByGroups({ groups: undefined }, ['x'])).toBeNull());

  test('take abilities away and never add one', async () => {
    useGroups({ finance: [1, 2, 3], owners: 'all' });
    await makeLinked([3, 10], ['finance']);
    const limited = await logInByOidc(server, provider);
    expect(limited.data.abilities).toEqual([0, 3]);
    expect((await me(limited.token)).abilities).toEqual([0, 3]);
    provider.account.groups = ['owners'];
    expect((await me((await logInByOidc(server, provider)).token)).abilities).toEqual([0, 3, 10]);
  });

  test('narrow what is seen: without ability 13 only the own tree', async () => {
    const user = await makeUser(server);
    useGroups({ staff: [1], whole: [1, 13] });
    await makeLinked([1, 13], ['staff']);
    const count = async (): Promise<number> => {
      const { token } = await logInByOidc(server, provider);
      return (await call<Page<unknown>>(server, 'GET', 'user/list', { account: user }, { token })).data.total;
    };
    expect(await count()).toBe(0);
    provider.account.groups = ['whole'];
    expect(await count()).toBe(1);
  });

  test('take the rank of the top-level admin away', async () => {
    useGroups({ staff: [1, 9, 13], owners: 'all' });
    const { id } = await me(admin);
    await linkDirectly(server, provider, id, 'top');
    provider.account = { subject: 'top', groups: ['staff'] };
    const limited = await logInByOidc(server, provider);
    expect(limited.data).toMatchObject({ abilities: [0, 1, 9, 13] });
    expect(await me(limited.token)).toMatchObject({ top: false, abilities: [0, 1, 9, 13] });
    provider.account.groups = ['owners'];
    expect(await me((await logInByOidc(server, provider)).token)).toMatchObject({ top: true });
    await server.query(sql`delete from oidc_link where operator_id = ${id}`);
  });

  test('are needed for a login, and the refused account is audited', async () => {
    useGroups({ finance: [3] });
    const agent = await makeLinked([3], ['others']);
    const refused = await logInByOidc(server, provider);
    expect(refused).toMatchObject({ code: 403, msg: '此企业账号所在的组不允许登录，请联系管理员' });
    const [row] = await server.query(sql<{ target: number; after: object }>`
      select target_id as target, after from audit where action = 'session.login' order by id desc limit 1`);
    expect(row).toEqual({
      target: agent.id,
      after: { first: 'oidc', issuer: provider.issuer, subject: agent.subject },
    });
  });

  test('are read from the userinfo of the same account if the ID token lacks them', async () => {
    useGroups({ finance: [1, 2, 3], owners: 'all' });
    await makeLinked([3, 10]);
    const asked = (): number => provider.requests.get('/userinfo') ?? 0;
    provider.userInfo = { groups: ['finance'] };
    expect((await logInByOidc(server, provider)).data.abilities).toEqual([0, 3]);
    expect(asked()).toBe(1);
    provider.userInfo = { groups: ['owners'], sub: 'another account' };
    expect(await logInByOidc(server, provider)).toMatchObject({ code: 401, msg: '企业登录凭证未通过校验，未登录' });
    provider.userInfo = {};
    expect(await logInByOidc(server, provider)).toMatchObject({ code: 403 });
    provider.lies = { fails: '/userinfo' };
    expect(await logInByOidc(server, provider)).toMatchObject({ code: 503 });
    provider.lies = {};
    // A claim in the token counts, and without a mapping nothing is asked.
    provider.userInfo = { groups: ['owners'] };
    provider.account.groups = ['finance'];
    const before = asked();
    expect((await logInByOidc(server, provider)).data.abilities).toEqual([0, 3]);
    server.app.oidc = settingsFor(provider);
    provider.account.groups = undefined;
    expect((await logInByOidc(server, provider)).data.abilities).toEqual([0, 3, 10]);
    expect(asked()).toBe(before);
    delete provider.userInfo;
  });

  test('limit what reads for the session: streams and background exports', async () => {
    const agent = await makeLinked([3, 10, 13]);
    expect(await findViewer(server.app.system, agent.id, [3])).toMatchObject({
      operator: { top: false, abilities: [3] },
      scope: { kind: 'agents' },
    });
    expect(await findMaker(server.app.system, agent.id, [3, 13])).toMatchObject({
      operator: { abilities: [3, 13] },
      scope: { kind: 'all' },
    });
    expect(await findViewer(server.app.system, agent.id, null)).toMatchObject({ scope: { kind: 'all' } });
    useGroups({ exporters: [10] });
    provider.account.groups = ['exporters'];
    const { token } = await logInByOidc(server, provider);
    server.app.exports.jobRows = 0;
    await makeUser(server, { agent: agent.account });
    const job = await call<ExportMade>(server, 'POST', 'user/excel', { format: 'csv' }, { token });
    expect(job).toMatchObject({ code: 200 });
    const [stored] = await server.query(sql<{ allowed: number[] }>`
      select allowed_abilities as allowed from export_job where id = ${job.data.job.id}`);
    expect(stored).toEqual({ allowed: [10] });
  });

  test('keep a limited session from setting up what outlives it', async () => {
    useGroups({ finance: [3, 10], owners: 'all' });
    await makeLinked([3, 10], ['finance']);
    const channel = { kind: 'mail', name: 'x', address: 'a@b.example', types: [], enabled: 1 };
    const limited = await logInByOidc(server, provider);
    await server.query(sql`update config set state = 0 where key in ('otp.required', 'otp.fresh')`);
    expect(await call(server, 'POST', 'channel/save', channel, { token: limited.token })).toMatchObject({
      code: 403,
      msg: '本次登录的权限受企业账号的组限制，不能设置在登录结束后继续生效的内容',
    });
    provider.account.groups = ['owners'];
    const whole = await logInByOidc(server, provider);
    expect((await call(server, 'POST', 'channel/save', channel, { token: whole.token })).code).not.toBe(403);
  });
});

test('a session of the provider ends after its time, used or not', async () => {
  server.app.oidc = settingsFor(provider, { sessionMinutes: 90 });
  await makeLinked();
  const { token, data } = await logInByOidc(server, provider);
  expect(data.expire).toBeLessThanOrEqual(server.clock.now() + 90 * 60_000);
  server.clock.move(60 * 60_000);
  const renewed = await call(server, 'GET', 'me', {}, { token });
  expect(renewed).toMatchObject({ code: 200 });
  server.clock.move(30 * 60_000);
  expect(await call(server, 'GET', 'me', {}, { token: renewed.token })).toMatchObject({ code: 400 });
});

test('sensitive actions need a factor enrolled here, and enrolling one needs the password', async () => {
  const below = await makeLinked([1, 11]);
  const target = await makeOperator(server, admin, { parent: below.account });
  const { token } = await logInByOidc(server, provider);
  const add = { id: target.id, type: 0, state: 0 };
  expect(await call(server, 'POST', 'agent/state', add, { token })).toMatchObject({ code: 428, data: { setup: true } });
  expect(await call(server, 'POST', 'passkey/enrol', {}, { token })).toMatchObject({ code: 401 });
  expect(await call(server, 'POST', 'passkey/enrol', { password: 'not-the-password' }, { token })).toMatchObject({
    code: 401,
  });
  expect(await call(server, 'POST', 'passkey/enrol', { password: PASSWORD }, { token })).toMatchObject({ code: 200 });
  // The same operator with its password is asked only as the settings say.
  expect(await call(server, 'POST', 'agent/state', add, { token: below.token })).toMatchObject({ code: 200 });
});

describe('the setting that only the provider opens sessions of linked operators', () => {
  const switchOn = () => server.query(sql`update config set state = 1 where key in ('oidc.only', 'passkey.alone')`);
  const enter = (account: string, password = PASSWORD) => call(server, 'POST', 'login', { account, password });

  test('refuses the right password, and says nothing to a wrong one', async () => {
    const agent = await makeLinked();
    const other = await makeOperator(server, admin);
    await switchOn();
    expect(await enter(agent.account)).toMatchObject({ code: 403, msg: '此账号只能用企业登录' });
    expect(await enter(agent.account, 'not-the-password')).toMatchObject({ code: 401 });
    expect(await enter(other.account)).toMatchObject({ code: 200 });
    expect(await logInByOidc(server, provider)).toMatchObject({ code: 200 });
    // Without a provider nobody could log in.
    server.app.oidc = undefined;
    expect(await enter(agent.account)).toMatchObject({ code: 200 });
  });

  test('refuses a passkey alone', async () => {
    const agent = await makePasskeyOperator(server, admin);
    await linkDirectly(server, provider, agent.id, unique('subject'));
    await switchOn();
    const { data } = await call<Parameters<typeof agent.authenticator.get>[0]>(server, 'POST', 'login/passkey/begin');
    const passkey = agent.authenticator.get(data);
    expect(await call(server, 'POST', 'login/passkey', { passkey })).toMatchObject({ code: 403 });
  });
});

describe('links', () => {
  const link = (id: number, subject: string | null, token = admin) =>
    call<AgentRow>(server, 'POST', 'agent/oidc/link', { id, subject }, { token });

  test('an unknown account opens nothing and creates nobody; its audit row says what to link', async () => {
    const count = () => server.query(sql`select id from agent`);
    const before = (await count()).length;
    provider.account = { subject: 'stranger' };
    expect(await logInByOidc(server, provider)).toMatchObject({
      code: 403,
      msg: '此企业账号未关联可登录的操作员，请联系管理员',
    });
    expect(await count()).toHaveLength(before);
    const [row] = await server.query(sql<{ after: object }>`
      select after from audit where action = 'session.login' order by id desc limit 1`);
    expect(row?.after).toEqual({ first: 'oidc', issuer: provider.issuer, subject: 'stranger' });
  });

  test('are made by somebody above, once per account, and end sessions', async () => {
    const agent = await makeOperator(server, admin);
    const other = await makeOperator(server, admin);
    const subject = unique('subject');
    expect(await link(agent.id, subject, agent.token)).toMatchObject({ code: 404 });
    expect(await link(agent.id, subject)).toMatchObject({ code: 200 });
    expect(await call(server, 'GET', 'me', {}, { token: agent.token })).toMatchObject({ code: 400 });
    expect(await link(agent.id, subject)).toMatchObject({ code: 200 });
    expect(await link(other.id, subject)).toMatchObject({ code: 409, msg: '该企业账号已关联其他操作员' });
    const detail = await call<AgentDetail>(server, 'GET', 'agent/detail', { id: agent.id }, { token: admin });
    expect(detail.data.oidc).toMatchObject({ issuer: provider.issuer, subject, by: ADMIN.account });
    provider.account = { subject };
    const entered = await logInByOidc(server, provider);
    expect(entered).toMatchObject({ code: 200 });
    // A login that waits for its answer does not survive the removal of the link.
    const open = await visit(server, provider);
    expect(await link(agent.id, null)).toMatchObject({ code: 200 });
    expect(await call(server, 'GET', 'me', {}, { token: entered.token })).toMatchObject({ code: 400 });
    expect(await finish(server, open)).toMatchObject({ code: 403 });
    expect(await link(other.id, subject)).toMatchObject({ code: 200 });
  });

  test('of another provider open nothing', async () => {
    const agent = await makeOperator(server, admin);
    await server.query(sql`insert into oidc_link (operator_id, issuer, subject, created_at)
      values (${agent.id}, 'https://earlier.example', 'account-elsewhere', 1)`);
    provider.account = { subject: 'account-elsewhere' };
    expect(await logInByOidc(server, provider)).toMatchObject({ code: 403 });
    const detail = await call<AgentDetail>(server, 'GET', 'agent/detail', { id: agent.id }, { token: admin });
    expect(detail.data.oidc).toMatchObject({ subject: null });
  });

  test('of a deleted or disabled operator open nothing', async () => {
    const agent = await makeLinked();
    const state = (value: 0 | 1) =>
      call(server, 'POST', 'agent/state', { id: agent.id, type: 0, state: value }, { token: admin });
    await state(0);
    expect(await logInByOidc(server, provider)).toMatchObject({ code: 403 });
    await state(1);
    expect(await logInByOidc(server, provider)).toMatchObject({ code: 200 });
    await server.query(sql`update config set state = 0 where key = 'policy.agent.del'`);
    const other = await makeOperator(server, admin);
    const del = { deleteId: agent.id, replaceAccount: other.account };
    expect(await call(server, 'POST', 'agent/del', del, { token: admin })).toMatchObject({ code: 200 });
    expect(await link(other.id, agent.subject)).toMatchObject({ code: 200 });
  });

  test('of approvers are set by the top-level admin only', async () => {
    const above = await makeOperator(server, admin, { abilities: [3] });
    const approver = await makeOperator(server, admin, { parent: above.account, abilities: [] });
    await server.query(sql`update agent set abilities = '{11}' where id = ${approver.id}`);
    expect(await link(approver.id, unique('subject'), above.token)).toMatchObject({ code: 403 });
    await server.query(sql`update agent set abilities = '{}' where id = ${approver.id}`);
  });
});
