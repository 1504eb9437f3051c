import { CODE } from '@hengtai/contract/wire/envelope';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { OidcProvider } from '../../../testing/oidc-provider.ts';
import { runHengtai } from '../../test/command-line.ts';
import { PASSWORD, makeOperator } from '../../test/factories.ts';
import { linkDirectly, logInByOidc, useOidc } from '../../test/oidc.ts';
import { ADMIN, type TestServer, call, login, testServer } from '../../test/server.ts';
import { readEnv } from '../programs/env.ts';
import { allowPasswordLogin, linkOperator } from './operator-login.ts';

let server: TestServer;
let provider: OidcProvider;
let admin: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  provider = await useOidc(server);
});
beforeEach(async () => {
  admin = await login(server);
});
afterAll(async () => {
  await provider.stop();
  await server.stop();
});

const variables = () => ({ OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: 'hengtai', OIDC_CLIENT_SECRET: 'secret' });
const enter = (account: string) => call(server, 'POST', 'login', { account, password: PASSWORD });
const allow = (account: string, minutes = 30) =>
  allowPasswordLogin(server.urls.app, readEnv(variables()), account, minutes);
const link = (account: string, subject?: string) =>
  linkOperator(server.urls.app, readEnv(variables()), account, subject);

test('allows a password for a time, with which the session ends', async () => {
  const agent = await makeOperator(server, admin);
  await linkDirectly(server, provider, agent.id, 'account-1');
  await server.query(sql`update config set state = 1 where key = 'oidc.only'`);
  expect(await enter(agent.account)).toMatchObject({ code: CODE.forbidden });
  const { code, text } = await runHengtai(server, ['operator', 'allow-password', agent.account], variables());
  expect([code, text]).toEqual([0, expect.stringContaining('已临时允许')]);
  await allow(agent.account);
  const entered = await enter(agent.account);
  expect(entered).toMatchObject({ code: CODE.ok });
  const rows = await server.query(sql<{ operator: string | null; agent: string; after: { passwordUntil: number } }>`
    select operator, user_agent as agent, after from audit where action = 'operator.allowPassword' order by id`);
  expect(rows).toMatchObject([{ operator: null, agent: 'host' }, { operator: null }]);
  const notified = await server.query(sql`select 1 from notice where type = 'fourEyes.passwordAllowed'`);
  expect(notified).toHaveLength(2);
  server.clock.move(29 * 60_000);
  expect(await call(server, 'GET', 'me', {}, { token: entered.token })).toMatchObject({ code: CODE.ok });
  server.clock.move(60_000);
  expect(await call(server, 'GET', 'me', {}, { token: entered.token })).toMatchObject({ code: CODE.sessionInvalid });
  expect(await enter(agent.account)).toMatchObject({ code: CODE.forbidden });
  await server.query(sql`update config set state = 0 where key = 'oidc.only'`);
});

test('is of no use to an operator who is not linked or does not exist, nor without a provider', async () => {
  const free = await makeOperator(server, admin);
  await expect(allow(free.account)).rejects.toThrow('未关联');
  await expect(allow('nobody.at.all')).rejects.toThrow('nobody.at.all');
  await expect(allowPasswordLogin(server.urls.app, readEnv({}), free.account, 5)).rejects.toThrow('OIDC_ISSUER');
});

test('links the top-level admin, who has nobody above', async () => {
  const agent = await makeOperator(server, admin);
  await linkDirectly(server, provider, agent.id, 'account-2');
  await expect(link(ADMIN.account, 'account-2')).rejects.toThrow('已关联其他操作员');
  await link(ADMIN.account, 'of-the-host');
  expect(await call(server, 'GET', 'me', {}, { token: admin })).toMatchObject({ code: CODE.sessionInvalid });
  provider.account = { subject: 'of-the-host' };
  expect(await logInByOidc(server, provider)).toMatchObject({ code: CODE.ok, data: { admin: ADMIN.account } });
  await link(ADMIN.account);
  expect(await logInByOidc(server, provider)).toMatchObject({ code: CODE.forbidden });
  const rows = await server.query(sql<{ after: object }>`
    select after from audit where action = 'operator.oidc' order by id`);
  expect(rows.map(({ after }) => after)).toMatchObject([{ subject: 'of-the-host' }, { subject: null }]);
});
