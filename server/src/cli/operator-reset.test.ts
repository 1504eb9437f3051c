import { CODE } from '@hengtai/contract/wire/envelope';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { PASSWORD } from '../../test/factories.ts';
import { makeOtpOperator } from '../../test/codes.ts';
import { call, login, provideServer } from '../../test/server.ts';
import { runHengtai } from '../../test/command-line.ts';

const server = provideServer({ jobs: false });
let admin: string;

beforeAll(async () => {
  admin = await login(server);
});

const run = (account: string) => runHengtai(server, ['operator', 'reset', account]);

test('sets a new password, turns codes off and audits the reset', async () => {
  const { account, token, id } = await makeOtpOperator(server, admin);
  const { code, text } = await run(account);
  expect(code).toBe(0);
  const password = /新密码: (\S+)/.exec(text)?.[1] ?? '';
  expect(await call(server, 'GET', 'me', {}, { token })).toMatchObject({ code: CODE.sessionInvalid });
  const enter = (attempt: string) => call(server, 'POST', 'login', { account, password: attempt });
  expect(await enter(PASSWORD)).toMatchObject({ code: CODE.wrongCredentials });
  expect(await enter(password)).toMatchObject({ code: CODE.ok });
  // The separate process hashes with the parameters of the product.
  const [stored] = await server.query(sql<{ hash: string }>`
    select password_hash as hash from agent where id = ${id}`);
  expect(stored?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  const rows = await server.query(sql<{ operator: string | null; agent: string; after: object }>`
    select operator, user_agent as agent, after from audit where action = 'operator.reset' and target_id = ${id}`);
  expect(rows).toEqual([{ operator: null, agent: 'host', after: { otp: 0 } }]);
});

test('fails for an unknown account', async () => {
  expect(await run('nobody.at.all')).toMatchObject({ code: 1, text: expect.stringContaining('nobody.at.all') });
});
