import type { AuditRow } from '@hengtai/contract/house/audit/schema';
import type { Page } from '@hengtai/contract/wire/list';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stableJson } from '@hengtai/contract/wire/stable-json';
import { type TestOperator, findWithdraw, makeOperator, makeUser, makeWithdraw } from './factories.ts';
import { type ApiResponse, type TestServer, call, login, testServer, unique } from './server.ts';
import { checkBook } from '../src/books/ledger/check.ts';

let server: TestServer;
let admin: string;
let otherOperator: TestOperator;
let user: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  otherOperator = await makeOperator(server, admin, { abilities: [3, 13] });
  user = await makeUser(server, { amount: '1000000' });
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});

const createWithdrawal = (): Promise<WithdrawRow> => makeWithdraw(server, admin, user, { amount: '10' });
const callWithdraw = (action: string, input: object, key: string, token = admin): Promise<ApiResponse> =>
  call(server, 'POST', `withdraw/${action}`, input, { token, key });
const envelopeOf = ({ code, msg, data }: ApiResponse): unknown => ({ code, msg, data });

/** Number of actions on a withdrawal, from the audit log. */
async function countActions(id: number): Promise<number> {
  const input = { targetType: 'withdraw', targetId: id, result: 200 };
  const { data } = await call<Page<AuditRow>>(server, 'GET', 'audit/list', input, { token: admin });
  return data.total;
}
const countPayouts = async (id: number): Promise<number> =>
  (await server.query(sql`select 1 from command where type = 'withdraw.payout' and ref_id = ${id}`)).length;

describe('an idempotency key', () => {
  test('with the same body returns the first answer and acts once', async () => {
    const { id, no } = await createWithdrawal();
    const key = unique('key');
    const first = await callWithdraw('pass', { id, reason: '好的 🙂' }, key);
    expect(first).toMatchObject({ code: 200, data: { state: 2, attempt: 1, reason: '好的 🙂' } });
    const repeated = await callWithdraw('pass', { reason: '好的 🙂', id }, key);
    expect(envelopeOf(repeated)).toEqual(envelopeOf(first));
    expect([await countActions(id), await countPayouts(id)]).toEqual([1, 1]);
    expect(await findWithdraw(server, admin, no)).toMatchObject({ attempt: 1 });
  });

  test('with another body is refused without effect', async () => {
    const [one, two] = [await createWithdrawal(), await createWithdrawal()];
    const key = unique('key');
    expect(await callWithdraw('pass', { id: one.id }, key)).toMatchObject({ code: 200 });
    expect(await callWithdraw('pass', { id: two.id }, key)).toMatchObject({
      code: 409,
      msg: '同一请求编号不能用于不同的内容',
    });
    expect(await callWithdraw('pass', { id: one.id, reason: 'other' }, key)).toMatchObject({ code: 409 });
    expect(await findWithdraw(server, admin, two.no)).toMatchObject({ state: 0 });
    expect([await countActions(one.id), await countActions(two.id)]).toEqual([1, 0]);
  });

  test('in a hundred concurrent calls has one effect and a hundred equal answers', async () => {
    const { id } = await createWithdrawal();
    const key = unique('key');
    const answers = await Promise.all(Array.from({ length: 100 }, () => callWithdraw('pass', { id }, key)));
    expect(answers[0]).toMatchObject({ code: 200, data: { state: 2, attempt: 1 } });
    expect(new Set(answers.map((answer) => stableJson(envelopeOf(answer))))).toHaveProperty('size', 1);
    expect([await countActions(id), await countPayouts(id)]).toEqual([1, 1]);
  });

  test('in a hundred concurrent calls that need a checker opens one approval', async () => {
    const { id, no } = await createWithdrawal();
    await callWithdraw('pass', { id }, unique('key'));
    await server.query(sql`update withdraw set state = 7 where id = ${id}`);
    const key = unique('key');
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => callWithdraw('refund', { id, reason: 'failed' }, key)),
    );
    expect(new Set(answers.map((answer) => stableJson(envelopeOf(answer))))).toHaveProperty('size', 1);
    expect(answers[0]).toMatchObject({ code: 202, data: { type: 'withdraw.refund', targetId: id, state: 0 } });
    expect(await server.query(sql`select 1 from approval where target_id = ${id}`)).toHaveLength(1);
    expect(await findWithdraw(server, admin, no)).toMatchObject({ state: 7 });
  });

  test('is separate for each operator', async () => {
    const [one, two] = [await createWithdrawal(), await createWithdrawal()];
    const key = unique('key');
    expect(await callWithdraw('pass', { id: one.id }, key)).toMatchObject({ code: 200, data: { id: one.id } });
    expect(await callWithdraw('pass', { id: two.id }, key, otherOperator.token)).toMatchObject({
      code: 200,
      data: { id: two.id },
    });
    expect(await callWithdraw('pass', { id: one.id }, key, otherOperator.token)).toMatchObject({ code: 409 });
  });

  test('is separate for each call', async () => {
    const { id } = await createWithdrawal();
    const key = unique('key');
    expect(await callWithdraw('pass', { id }, key)).toMatchObject({ code: 200 });
    expect(await call(server, 'POST', 'approval/pass', { id }, { token: admin, key })).not.toMatchObject({ code: 200 });
    expect(await callWithdraw('reject', { id, reason: 'late' }, key)).toMatchObject({ code: 409, data: { state: 2 } });
  });

  test('can be used again after a refusal', async () => {
    const { id, no } = await createWithdrawal();
    const key = unique('key');
    expect(await callWithdraw('retry', { id: 999_999_999 }, key)).toMatchObject({ code: 404 });
    expect(await callWithdraw('retry', { id }, key)).toMatchObject({ code: 409, data: { state: 0 } });
    expect(await callWithdraw('retry', { id: 'x' }, key)).toMatchObject({ code: 422 });
    await callWithdraw('pass', { id }, unique('key'));
    await server.query(sql`update withdraw set state = 7 where id = ${id}`);
    expect(await callWithdraw('retry', { id }, key)).toMatchObject({ code: 200, data: { state: 2, attempt: 2 } });
    expect(await callWithdraw('retry', { id }, key)).toMatchObject({ code: 200, data: { state: 2, attempt: 2 } });
    expect(await findWithdraw(server, admin, no)).toMatchObject({ attempt: 2 });
  });

  test('of a refused call is free for a corrected input, which has one effect', async () => {
    const key = unique('key');
    const add = (account: string): Promise<ApiResponse> =>
      call(server, 'POST', 'user/add', { account, password: 'new-password-1' }, { token: admin, key });
    expect(await add(user)).toMatchObject({ code: 409 });
    const corrected = unique('corrected');
    const answers = await Promise.all([add(corrected), add(corrected)]);
    expect(answers).toMatchObject([{ code: 200 }, { code: 200 }]);
    expect(answers.map(({ data }) => data)).toEqual([answers[0]?.data, answers[0]?.data]);
    expect(await add(unique('other'))).toMatchObject({ code: 409, msg: '同一请求编号不能用于不同的内容' });
  });

  test('of a bulk call applies to each of its ids', async () => {
    const rows = [await createWithdrawal(), await createWithdrawal()];
    const ids = rows.map(({ id }) => id);
    const key = unique('key');
    const first = await callWithdraw('pass/many', { ids }, key);
    expect(first).toMatchObject({ code: 200, data: { results: ids.map((id) => ({ id, code: 200 })) } });
    expect(envelopeOf(await callWithdraw('pass/many', { ids }, key))).toEqual(envelopeOf(first));
    for (const { id } of rows) expect(await countPayouts(id)).toBe(1);
  });

  test.each(['ä', 'with space', 'x'.repeat(129), 'tab\t'])('%s is rejected', async (key) => {
    const { id, no } = await createWithdrawal();
    const response = await callWithdraw('pass', { id }, key);
    expect(response).toMatchObject({ code: 422, data: [{ field: 'idempotency-key' }] });
    expect(await findWithdraw(server, admin, no)).toMatchObject({ state: 0 });
  });

  test('is ignored if it is empty', async () => {
    const { id } = await createWithdrawal();
    expect(await callWithdraw('pass', { id }, '')).toMatchObject({ code: 200 });
    expect(await callWithdraw('pass', { id }, '')).toMatchObject({ code: 409 });
  });
});

test('stores the answers of keys without secrets', async () => {
  const account = unique('kept');
  const key = unique('key');
  const input = { account, password: 'a-password-to-forget' };
  expect(await call(server, 'POST', 'user/add', input, { token: admin, key })).toMatchObject({ code: 200 });
  const stored = await server.query(
    sql<{ text: string }>`select t::text as text from idempotency t where key = ${key}`,
  );
  expect(stored).toHaveLength(1);
  expect(stored[0]?.text).not.toContain('a-password-to-forget');
});
