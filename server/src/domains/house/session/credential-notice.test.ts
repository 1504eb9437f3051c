import { ABILITY } from '@hengtai/contract/authority/ability';
import { channelTypes } from '@hengtai/contract/desk/channel/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { makeSigner } from '../../../../../testing/signer.ts';
import { type OtpOperator, STEP_MS, codeAt, enableOtp, makeOtpOperator } from '../../../../test/codes.ts';
import { PASSWORD, type TestOperator, makeOperator } from '../../../../test/factories.ts';
import { type Approvers, callAs, callWithChecker, lockFourEyes, makeApprovers } from '../../../../test/four-eyes.ts';
import { UNREACHABLE_PROVIDER } from '../../../../test/oidc.ts';
import { addFirstPasskey, confirm, keyed, makePasskeyOperator, send } from '../../../../test/passkeys.ts';
import { type TestServer, call, login, testServer } from '../../../../test/server.ts';
import { resetOperator } from '../../../cli/operator-reset.ts';
import { messageOf } from '../../desk/channel/message.rules.ts';

// A change of what an operator proves its identity with notifies the operator, also if another person made it.

let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  server.app.oidc = UNREACHABLE_PROVIDER;
});
afterAll(() => server.stop());
beforeEach(async () => {
  // Guesses of the previous test must not count.
  server.clock.move(3_600_000);
  admin = await login(server);
});

/** The types of the notifications that an operator gets as its own, while something is done. */
async function noticesOf({ id }: { id: number }, work: () => Promise<unknown>): Promise<string[]> {
  const find = () =>
    server.query(sql<{ type: string; agent: number }>`
      select type, agent_id as agent from notice where operator_id = ${id} order by id`);
  const before = await find();
  await work();
  const after = await find();
  expect(after.every(({ agent }) => agent === id)).toBe(true);
  return after.slice(before.length).map(({ type }) => type);
}

const post = async (path: string, input: object, token: string) => {
  const answer = await call(server, 'POST', path, input, { token });
  expect([path, answer.code, answer.msg]).toEqual([path, 200, expect.any(String)]);
};
const code = (owner: OtpOperator) => codeAt(owner.secret, server.clock.now());

type Change = (owner: TestOperator) => Promise<unknown>;
const ofPlain: [string, Change, string][] = [
  [
    'its own new password',
    ({ token }) => post('pwd_update', { oldPassword: PASSWORD, newPassword: 'a-brand-new-password' }, token),
    'password',
  ],
  [
    'a password that a person above set',
    ({ id }) => post('agent/pwd_update', { id, password: PASSWORD }, admin),
    'password',
  ],
  ['one-time codes that are turned on', ({ token }) => enableOtp(server, token), 'factor'],
  ['its first passkey', ({ token }) => addFirstPasskey(server, token), 'factor'],
  [
    'a link to an account of the company',
    ({ id, account }) => post('agent/oidc/link', { id, subject: account }, admin),
    'link',
  ],
  [
    'a key for signing',
    ({ token }) => {
      const { id, publicKey } = makeSigner('anyone');
      return post('signing/enrol', { key: id, publicKey }, token);
    },
    'signingKey',
  ],
  ['a reset on the host', ({ account }) => resetOperator(server.urls.app, account), 'password'],
];
test.each(ofPlain)('an operator is notified of %s', async (_name, change, credential) => {
  const owner = await makeOperator(server, admin);
  expect(await noticesOf(owner, () => change(owner))).toEqual([`session.${credential}`]);
});

const ofCodes: [string, (owner: OtpOperator) => Promise<unknown>][] = [
  ['turned off', (owner) => post('otp/disable', { password: PASSWORD, code: code(owner) }, owner.token)],
  ['given new recovery codes', (owner) => post('otp/recovery', { code: code(owner) }, owner.token)],
  ['reset by a person above', ({ id }) => post('agent/otp/reset', { id, reason: '手机遗失' }, admin)],
];
test.each(ofCodes)('an operator is notified of its one-time codes being %s', async (_name, change) => {
  const owner = await makeOtpOperator(server, admin);
  expect(await noticesOf(owner, () => change(owner))).toEqual(['session.factor']);
});

test('an operator is notified of a removed passkey, and not of using or renaming it', async () => {
  const owner = await makePasskeyOperator(server, admin);
  const { id } = owner.passkey;
  const removal = keyed('passkey/del', { id });
  const used = await noticesOf(owner, async () => {
    await post('passkey/rename', { id, name: 'at home' }, owner.token);
    await confirm(server, owner, removal);
  });
  expect(used).toEqual([]);
  const removed = await noticesOf(owner, async () => {
    expect(await send(server, owner.token, removal)).toMatchObject({ code: 200 });
  });
  expect(removed).toEqual(['session.factor']);
});

test('a refused change notifies nobody', async () => {
  const owner = await makeOtpOperator(server, admin);
  const refused = await noticesOf(owner, async () => {
    const wrong = { oldPassword: 'not-the-password', newPassword: 'a-brand-new-password' };
    expect(await call(server, 'POST', 'pwd_update', wrong, { token: owner.token })).toMatchObject({ code: 401 });
    server.clock.move(STEP_MS);
    const disable = { password: 'not-the-password', code: code(owner) };
    expect(await call(server, 'POST', 'otp/disable', disable, { token: owner.token })).toMatchObject({ code: 401 });
  });
  expect(refused).toEqual([]);
});

test('notifications of credentials can leave by channels, and lead to the sessions', () => {
  for (const type of [
    'session.password',
    'session.factor',
    'session.link',
    'session.signingKey',
    'fourEyes.credential',
  ])
    expect(channelTypes).toContain(type);
  const delivery = {
    id: 'd',
    type: 'session.password',
    refType: 'credential',
    refId: 0,
    count: 1,
    firstAt: 1,
    lastAt: 1,
  };
  expect(messageOf(delivery, 'https://desk.example.com')).toMatchObject({
    title: '您的登录密码已变更',
    link: 'https://desk.example.com/session',
  });
});

test('while four-eyes are locked, approvers are notified of changes of accounts with critical abilities only', async () => {
  // The lock would change the answers to the other tests.
  const open = server;
  server = await testServer({ jobs: false });
  onTestFinished(async () => {
    await server.stop();
    server = open;
  });
  const house: Approvers = await makeApprovers(server);
  await lockFourEyes(server, house);
  const holder = await makeOperator(server, house.admin.token);
  const other = await makeOperator(server, house.admin.token);
  const grant = { id: holder.id, type: ABILITY.withdraw, state: 1 };
  await callWithChecker(server, [house.admin, house.second], 'agent/state', grant);
  const token = await login(server, holder.account, PASSWORD);
  const alarmed = () =>
    server.query(sql<{ id: number; detail: string }>`
      select operator_id as id, detail from notice where type = 'fourEyes.credential' order by operator_id`);
  await server.query(sql`delete from notice`);
  await post('pwd_update', { oldPassword: PASSWORD, newPassword: 'a-brand-new-password' }, other.token);
  expect(await alarmed()).toEqual([]);
  await post('pwd_update', { oldPassword: PASSWORD, newPassword: 'a-brand-new-password' }, token);
  const approvers = [house.admin, house.second, house.third].map(({ id }) => ({ id, detail: holder.account }));
  expect(await alarmed()).toEqual(approvers.toSorted((a, b) => a.id - b.id));

  // A link that a checker handed over.
  await server.query(sql`delete from notice`);
  const input = { id: holder.id, password: 'is-not-used-1' };
  const passed = await callWithChecker(server, [house.admin, house.second], 'agent/pwd_update', input);
  expect(await alarmed()).toEqual([]);
  const link = passed.data.link?.path.split('=')[1] ?? '';
  const redeem = { token: link, password: 'another-new-password' };
  expect(await noticesOf(holder, () => call(server, 'POST', 'reset/redeem', redeem))).toEqual(['session.password']);
  expect(await alarmed()).toHaveLength(approvers.length);
  expect(await callAs(server, house.admin, 'agent/remark', { id: other.id, remark: 'x' })).toMatchObject({ code: 200 });
  expect(await alarmed()).toHaveLength(approvers.length);
});
