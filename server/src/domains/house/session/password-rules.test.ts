import { ABILITY } from '@hengtai/contract/authority/ability';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { callAs, callWithChecker, lockFourEyes, makeApprovers } from '../../../../test/four-eyes.ts';
import { PASSWORD, clearRateLimits, makeOperator, makeUser, findUser } from '../../../../test/factories.ts';
import { type TestServer, call, login, testServer, unique } from '../../../../test/server.ts';
import { weaknessOf } from '../../../authority/password-rules.ts';

describe('a password', () => {
  test.each([
    ['password', 'among the most common'],
    ['PassWord', 'common in another case'],
    ['1qaz2wsx', 'a common keyboard pattern'],
    ['BHRH0h2oof6xbqjeh', 'rare, but from a breach'],
    ['        ', 'one character'],
    ['aaaaAAAA', 'one letter'],
    ['ada.admin', 'the account'],
    ['Ada.Admin2024', 'the account with digits'],
    ['letmein!', 'common, with punctuation'],
    ['  ¡LetMeIn?! ', 'common, with blanks and punctuation at both ends'],
    ['\u200bletmein\u3000', 'common, with an invisible character and a wide blank'],
    ['ｌｅｔｍｅｉｎ！', 'common, in full width'],
    ['L58jkdjp!', 'rare, but from a breach with its punctuation'],
    ['!!aaaaAA!!', 'one letter between punctuation'],
    ['«ada.admin2024»', 'the account between quotation marks'],
    ['ａｄａ.ａｄｍｉｎ1!', 'the account in full width'],
  ])('refuses %j: %s', (password) => {
    expect(weaknessOf(password, 'ada.admin')).toMatch(/泄露|重复|账号/);
  });

  test.each([
    'first-password-1',
    'ada.admin-2024',
    '2024ada.admin',
    'abababab-x',
    '密码密码密码密码1',
    'let!me!in?so',
    '?;%-#&/(',
  ])('accepts %j', (password) => {
    expect(weaknessOf(password, 'ada.admin')).toBeUndefined();
  });
});

describe('weak passwords', () => {
  let server: TestServer;
  let admin: string;

  beforeAll(async () => {
    server = await testServer({ jobs: false });
    admin = await login(server);
  });
  afterAll(() => server.stop());

  const refused = (field: string) => ({ code: 422, data: [{ field, msg: expect.stringContaining('过于简单') }] });

  test('are refused for new operators', async () => {
    await clearRateLimits(server);
    const account = unique('weak.operator');
    for (const password of ['password1', 'xxxxxxxx', account, `${account}123`])
      expect(await call(server, 'POST', 'agent/add', { account, password }, { token: admin })).toMatchObject(
        refused('password'),
      );
  });

  test('are refused when an operator is reset, and change nothing', async () => {
    const { id, account } = await makeOperator(server, admin, { account: unique('weak.operator') });
    for (const password of ['password1', 'xxxxxxxx', account, `${account}123`])
      expect(await call(server, 'POST', 'agent/pwd_update', { id, password }, { token: admin })).toMatchObject(
        refused('password'),
      );
    await login(server, account, PASSWORD);
  });

  test('are refused when operators change their own password', async () => {
    const { account, token } = await makeOperator(server, admin, { account: unique('weak.operator') });
    for (const newPassword of ['password1', 'xxxxxxxx', account, `${account}123`])
      expect(await call(server, 'POST', 'pwd_update', { oldPassword: PASSWORD, newPassword }, { token })).toMatchObject(
        refused('newPassword'),
      );
    await login(server, account, PASSWORD);
  });

  test('are accepted for users, with a warning', async () => {
    const account = unique('weak');
    const added = await call(server, 'POST', 'user/add', { account, password: 'password1' }, { token: admin });
    expect(added).toMatchObject({ code: 200, msg: expect.stringContaining('过于简单') });
    const { id } = await findUser(server, admin, await makeUser(server));
    const reset = { id, password: '88888888' };
    expect(await call(server, 'POST', 'user/pwd_update', reset, { token: admin })).toMatchObject({
      code: 200,
      msg: expect.stringContaining('过于简单'),
    });
    expect(await call(server, 'POST', 'user/pwd_update', { id, password: PASSWORD }, { token: admin })).toMatchObject({
      code: 200,
      msg: '操作成功',
    });
  });

  test('are refused by a reset link, which stays valid', async () => {
    const server = await testServer({ jobs: false });
    onTestFinished(() => server.stop());
    const house = await makeApprovers(server);
    await lockFourEyes(server, house);
    const { id, account } = await makeOperator(server, house.admin.token, { account: unique('weak.operator') });
    await callWithChecker(server, [house.admin, house.second], 'agent/state', { id, type: ABILITY.assets, state: 1 });
    const request = await callAs(server, house.admin, 'agent/pwd_update', { id, password: 'is-not-used-1' });
    const passed = await callAs(server, house.second, 'approval/pass', { id: request.data.id });
    const token = passed.data.link?.path.split('=')[1] ?? '';
    const redeem = (password: string) => call(server, 'POST', 'reset/redeem', { token, password });
    expect(await redeem(`${account}1`)).toMatchObject(refused('password'));
    expect(await redeem('a-brand-new-password')).toMatchObject({ code: 200 });
  });
});
