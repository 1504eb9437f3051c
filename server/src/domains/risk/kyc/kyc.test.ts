import type { KycDetail, KycRevealed, KycRow } from '@hengtai/contract/risk/kyc/schema';
import { KYC_IMAGE_BYTES_MAX, maskIdNumber, maskName } from '@hengtai/contract/risk/kyc/calls';
import { API_BASE, type CallSpec } from '@hengtai/contract/wire/endpoint';
import type { StateConflict } from '@hengtai/contract/wire/envelope';
import { nouns } from '@hengtai/contract/index';
import type { Page } from '@hengtai/contract/wire/list';
import type { BulkResult } from '@hengtai/contract/wire/schema';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { exportFile } from '../../../../test/export.ts';
import { type TestOperator, findUser, makeOperator, makeUser } from '../../../../test/factories.ts';
import { JPEG, PNG, WEBP, bytesOf, fetchLastKyc, kycSubmission, submitKyc } from '../../../../test/identity.ts';
import { fetchAuditRows, countDeadlocks } from '../../../../test/inspect.ts';
import { apply, call, login, provideServer, send, unique } from '../../../../test/server.ts';

const server = provideServer();
let admin: string;
/** Holds the ability to review identities; `viewer`, an agent below it, does not. */
let holder: TestOperator;
let viewer: TestOperator;
let stranger: TestOperator;

const NAME = '欧阳晓明';
const NUMBER = '110105194912310021';

beforeAll(async () => {
  admin = await login(server);
  holder = await makeOperator(server, admin, { abilities: [4, 10] });
  viewer = await makeOperator(server, admin, { parent: holder.account, abilities: [1, 3, 10, 12] });
  stranger = await makeOperator(server, admin, { abilities: [4] });
});

/** Creates a user below the viewer, so that both operators see it. */
const makeCustomer = () => makeUser(server, { agent: viewer.account });
const submitForNewUser = async (fields = {}): Promise<KycRow> => submitKyc(server, admin, await makeCustomer(), fields);
const review = (action: 'pass' | 'reject', id: number, token = holder.token, reason?: string) =>
  call<KycRow & StateConflict>(
    server,
    'POST',
    `auth/review/${action}`,
    { id, ...(reason === undefined ? {} : { reason }) },
    { token },
  );
const kycOf = async (account: string): Promise<number> => (await findUser(server, admin, account)).auth;
const commandsOf = (id: number) =>
  server.query(sql<{ type: string; data: object }>`
    select type, data from command where ref_type = 'auth' and ref_id = ${id} order by id`);

function image(id: number, side: string, token: string | undefined, headers: Record<string, string> = {}) {
  const url = `${API_BASE}auth/image?id=${id}&side=${side}`;
  return server.server.inject({ url, headers: { ...(token === undefined ? {} : { token }), ...headers } });
}

describe('masks', () => {
  test.each([
    ['欧阳晓明', '欧**'],
    ['张三', '张**'],
    ['John Q Smith', 'J** ** S**'],
    ['  ', '**'],
  ])('hide most of the name %s', (name, mask) => expect(maskName(name)).toBe(mask));

  test.each([
    ['110105194912310021', '110***********0021'],
    ['E12345678', 'E******78'],
    ['A1234', '****4'],
    ['7', '*'],
    ['', ''],
  ])('hide most of the number %s', (number, mask) => expect(maskIdNumber(number)).toBe(mask));
});

describe('auth.submitted', () => {
  test('creates a waiting submission and sets the KYC state of the user', async () => {
    const account = await makeCustomer();
    const row = await submitKyc(server, admin, account, { level: 2, idType: 2, holding: WEBP });
    expect(row).toMatchObject({
      account,
      agent: viewer.account,
      state: 0,
      level: 2,
      idType: 2,
      by: null,
      reviewedAt: null,
    });
    expect(await kycOf(account)).toBe(1);
    const found = await call<Page<object>>(server, 'GET', 'user/list', { account, auth: 1 }, { token: admin });
    const none = await call<Page<object>>(server, 'GET', 'user/list', { account, auth: 2 }, { token: admin });
    expect([found.data.total, none.data.total]).toEqual([1, 0]);
    const { data } = await call<{ authReview: number }>(server, 'GET', 'notify/counts', {}, { token: holder.token });
    const waiting = await call<Page<KycRow>>(server, 'GET', 'auth/list', { state: 0 }, { token: holder.token });
    expect(data.authReview).toBe(waiting.data.total);
    const cards = await call<{ text: string; value: string }[]>(server, 'GET', 'state', {}, { token: holder.token });
    expect(cards.data.find(({ text }) => text === '待审核实名')?.value).toBe(String(waiting.data.total));
  });

  test('is rejected as pending until the first submission is decided', async () => {
    const account = await makeCustomer();
    const first = await submitKyc(server, admin, account);
    const again = { type: 'auth.submitted', data: kycSubmission(account, { level: 2 }), eventId: unique('again-') };
    expect(await send(server, again)).toMatchObject([{ result: 'rejected', reason: 'pending' }]);
    await review('reject', first.id, holder.token, '证件照片模糊');
    expect(await kycOf(account)).toBe(4);
    expect(await send(server, again)).toMatchObject([{ result: 'applied' }]);
    expect(await send(server, again)).toMatchObject([{ result: 'duplicate' }]);
    expect(await kycOf(account)).toBe(1);
  });

  test('creates one submission when ten events race', async () => {
    const account = await makeCustomer();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => send(server, { type: 'auth.submitted', data: kycSubmission(account) })),
    );
    expect(answers.flat().filter(({ result }) => result === 'applied')).toHaveLength(1);
    expect(answers.flat().filter(({ reason }) => reason === 'pending')).toHaveLength(9);
  });

  const pngOfSize = (size: number) =>
    `data:image/png;base64,${Buffer.concat([bytesOf(PNG), Buffer.alloc(size - bytesOf(PNG).length)]).toString('base64')}`;
  test.each([
    ['an unknown account', { account: 'nobody-there' }, 'unknown: account'],
    ['text declared as PNG', { front: 'data:image/png;base64,aGVsbG8gd29ybGQ=' }, 'invalid: front'],
    [
      'SVG declared as PNG',
      { back: `data:image/png;base64,${Buffer.from('<svg onload="x"/>').toString('base64')}` },
      'invalid: back',
    ],
    ['svg', { holding: 'data:image/svg+xml;base64,PHN2Zy8+' }, 'invalid: holding'],
    ['a too large image', { front: pngOfSize(KYC_IMAGE_BYTES_MAX + 100) }, 'invalid: front'],
    ['a javascript URL', { front: 'javascript:alert(1)' }, 'invalid: front'],
    ['a file URL', { front: 'file:///etc/passwd' }, 'invalid: front'],
    ['no image', { front: '' }, 'invalid: front'],
    ['an unknown kind of document', { idType: 4 }, 'invalid: idType'],
    ['an unknown level', { level: 0 }, 'invalid: level'],
    ['no name', { name: ' ' }, 'invalid: name'],
    ['an unknown field', { surplus: 1 }, 'invalid: surplus'],
  ])('is rejected for %s', async (_, fields, reason) => {
    const data = { ...kycSubmission(await makeCustomer()), ...fields };
    expect(await send(server, { type: 'auth.submitted', data })).toMatchObject([{ result: 'rejected', reason }]);
  });

  test('accepts an image of the maximum size and returns it unchanged', async () => {
    const front = pngOfSize(KYC_IMAGE_BYTES_MAX);
    const { id } = await submitForNewUser({ front });
    expect((await image(id, 'front', holder.token)).rawPayload.equals(bytesOf(front))).toBe(true);
  });
});

describe('auth.imported', () => {
  test('imports a decided review with its reviewer and is rejected once live', async () => {
    const account = await makeCustomer();
    const at = server.clock.now() - 86_400_000;
    const { front: _front, back: _back, ...document } = kycSubmission(account, { level: 2 });
    const decision = { state: 2, reason: '证件已过期', by: 'someone', reviewedAt: at + 5_000 };
    await apply(server, { type: 'auth.imported', at, data: { ...document, ...decision } });
    const row = await fetchLastKyc(server, admin, account);
    expect(row).toMatchObject({
      ...decision,
      level: 2,
      createdAt: at,
      updatedAt: at + 5_000,
      front: '',
      back: '',
      holding: '',
    });
    expect(await kycOf(account)).toBe(4);
    await apply(server, { type: 'auth.imported', at: at + 9_000, data: { ...document, state: 1 } });
    expect(await kycOf(account)).toBe(3);
    expect(await commandsOf(row.id)).toEqual([]);

    await server.query(sql`update installation set live = 1`);
    const afterLive = await send(server, { type: 'auth.imported', at, data: { ...document, state: 1 } });
    expect(afterLive).toMatchObject([{ result: 'rejected', reason: 'live' }]);
    await server.query(sql`update installation set live = 0`);
  });

  test('keeps the highest passed level when imports of one user race', async () => {
    const account = await makeCustomer();
    const { front: _front, back: _back, ...document } = kycSubmission(account);
    const states = [1, 2, 1, 2, 2, 2, 1, 2];
    await Promise.all(
      states.map((state, index) =>
        send(server, { type: 'auth.imported', data: { ...document, level: index === 2 ? 2 : 1, state } }),
      ),
    );
    expect(await kycOf(account)).toBe(3);
  });
});

describe('decisions', () => {
  test('pass updates the row and the user, sends a command and writes an audit row', async () => {
    const row = await submitForNewUser();
    const { code, data, requestId } = await review('pass', row.id);
    expect(code).toBe(200);
    expect(data).toMatchObject({ id: row.id, state: 1, by: holder.account, reason: '' });
    expect(await kycOf(row.account)).toBe(2);
    expect(await commandsOf(row.id)).toEqual([
      { type: 'auth.reviewed', data: { account: row.account, level: 1, state: 1 } },
    ]);
    expect(await fetchAuditRows(server, { requestId })).toMatchObject([
      {
        action: 'auth.pass',
        targetType: 'auth',
        targetId: row.id,
        result: 200,
        before: { state: 0 },
        after: { state: 1 },
      },
    ]);
  });

  test('reject stores and sends the reason', async () => {
    const row = await submitForNewUser({ level: 2 });
    expect(await review('reject', row.id, holder.token, '证件已过期')).toMatchObject({
      code: 200,
      data: { state: 2, reason: '证件已过期' },
    });
    expect(await kycOf(row.account)).toBe(4);
    expect(await commandsOf(row.id)).toEqual([
      {
        type: 'auth.reviewed',
        data: { account: row.account, level: 2, state: 2, reason: '证件已过期', reasonCode: 'expired_document' },
      },
    ]);
  });

  test('a rejected advanced review keeps the passed level; a passed one raises it', async () => {
    const account = await makeCustomer();
    await review('pass', (await submitKyc(server, admin, account)).id);
    const second = await submitKyc(server, admin, account, { level: 2 });
    expect(await kycOf(account)).toBe(2);
    await review('reject', second.id, holder.token, '证件照片模糊');
    expect(await kycOf(account)).toBe(2);
    await review('pass', (await submitKyc(server, admin, account, { level: 2 })).id);
    expect(await kycOf(account)).toBe(3);
  });

  test.each([
    ['reject with a too long reason', 'auth/review/reject', { reason: 'x'.repeat(201) }],
    ['reveal without a reason', 'auth/reveal', {}],
    ['another action', 'auth/review/maybe', { reason: 'x' }],
  ])('%s is refused', async (_, path, input) => {
    const { id } = await submitForNewUser();
    const { code } = await call(server, 'POST', path, { id, ...input }, { token: holder.token });
    expect(code).toBe(path.endsWith('maybe') ? 404 : 422);
    expect((await lastKycSubmissionOf(id)).state).toBe(0);
  });

  test('answers 403 without the ability, 404 outside the scope, 400 without a session, and changes nothing', async () => {
    const { id } = await submitForNewUser();
    for (const action of ['pass', 'reject'] as const) {
      expect(await review(action, id, viewer.token, 'x')).toMatchObject({ code: 403 });
      expect(await review(action, id, stranger.token, 'x')).toMatchObject({ code: 404 });
      expect(await review(action, id, 'no-token', 'x')).toMatchObject({ code: 400 });
    }
    expect((await lastKycSubmissionOf(id)).state).toBe(0);
    const audits = await fetchAuditRows(server, { targetType: 'auth', targetId: id });
    expect(audits.map(({ action, result }) => [action, result])).toEqual([
      ['auth.pass', 403],
      ['auth.reject', 403],
    ]);
  });

  test('twenty concurrent decisions have one effect; the others get 409 with the reviewer', async () => {
    const { id, account } = await submitForNewUser();
    const before = await countDeadlocks(server);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        review(index % 2 === 0 ? 'pass' : 'reject', id, index % 3 === 0 ? admin : holder.token, '看过了'),
      ),
    );
    const [won, ...otherWinners] = answers.filter(({ code }) => code === 200);
    expect(otherWinners).toEqual([]);
    const lost = answers.filter(({ code }) => code === 409);
    expect(lost).toHaveLength(19);
    for (const { msg, data } of lost) {
      expect(msg).toContain(won?.data.state === 1 ? '已通过' : '已驳回');
      expect(data).toMatchObject({ state: won?.data.state, by: won?.data.by });
    }
    expect(await commandsOf(id)).toHaveLength(1);
    const actions = await fetchAuditRows(server, { targetType: 'auth', targetId: id });
    expect(actions.filter(({ result }) => result === 200)).toHaveLength(1);
    expect(await kycOf(account)).toBe(won?.data.state === 1 ? 2 : 4);
    expect(await countDeadlocks(server)).toBe(before);
  });

  test('bulk decisions have one transaction and one result for each submission', async () => {
    const [one, two, three] = [await submitForNewUser(), await submitForNewUser(), await submitForNewUser()];
    await review('reject', two.id, holder.token, '证件照片模糊');
    const ids = [one.id, two.id, 999_999_999, three.id];
    const answer = await call<BulkResult>(server, 'POST', 'auth/review/pass/many', { ids }, { token: holder.token });
    expect(answer.data.results.map(({ code }) => code)).toEqual([200, 409, 404, 200]);
    expect((await lastKycSubmissionOf(two.id)).state).toBe(2);
    const none = await call<BulkResult>(server, 'POST', 'auth/review/reject/many', { ids }, { token: holder.token });
    expect(none.data.results.map(({ code }) => code)).toEqual([409, 409, 404, 409]);
  });

  test('a user with a waiting submission cannot be deleted', async () => {
    const row = await submitForNewUser();
    const del = () => call(server, 'POST', 'user/del', { id: row.userId }, { token: admin });
    expect(await del()).toMatchObject({ code: 409, data: [{ what: 'auth', text: `待审核实名 #${row.id}（初级）` }] });
    await review('pass', row.id);
    expect(await del()).toMatchObject({ code: 200 });
  });

  test('submissions move with their user to another agent', async () => {
    const { id, userId } = await submitForNewUser();
    const input = { userId, agent: stranger.account };
    expect(await call(server, 'POST', 'user/agent/change', input, { token: admin })).toMatchObject({ code: 200 });
    expect(await review('pass', id)).toMatchObject({ code: 404 });
    expect((await image(id, 'front', holder.token)).json()).toMatchObject({ code: 404 });
    expect(await review('pass', id, stranger.token)).toMatchObject({ code: 200 });
  });
});

async function lastKycSubmissionOf(id: number): Promise<KycRow> {
  const { data } = await call<Page<KycRow>>(server, 'GET', 'auth/list', { id }, { token: admin });
  return data.list[0] as KycRow;
}

describe('masking', () => {
  test('shows name, number and image URLs to holders and masks without images to others', async () => {
    const row = await submitForNewUser({ holding: 'https://platform.example/h.jpg' });
    const fetchRow = async (token: string) =>
      (await call<Page<KycRow>>(server, 'GET', 'auth/list', { id: row.id }, { token })).data.list[0];
    expect(await fetchRow(holder.token)).toMatchObject({
      name: NAME,
      idNumber: NUMBER,
      front: `/api/v1/admin/auth/image?id=${row.id}&side=front`,
      back: `/api/v1/admin/auth/image?id=${row.id}&side=back`,
      holding: 'https://platform.example/h.jpg',
    });
    expect(await fetchRow(viewer.token)).toMatchObject({
      name: '欧**',
      idNumber: '110***********0021',
      front: '',
      back: '',
      holding: '',
    });
    expect(await fetchRow(stranger.token)).toBeUndefined();
  });

  test('the detail has earlier submissions, logins and users of the scope with the same number', async () => {
    const idNumber = 'x-12 34y5678';
    const account = await makeCustomer();
    await apply(server, { type: 'user.login', data: { account, ip: '10.1.1.1', device: 'phone' } });
    const first = await submitKyc(server, admin, account, { idNumber });
    await review('reject', first.id, holder.token, '证件照片模糊');
    const row = await submitKyc(server, admin, account, { idNumber, level: 2 });
    const twin = await submitForNewUser({ idNumber: 'X1234Y5678' });
    const outside = await makeUser(server, { agent: stranger.account });
    await submitKyc(server, admin, outside, { idNumber });

    const detail = await call<KycDetail>(server, 'GET', 'auth/detail', { id: row.id }, { token: holder.token });
    expect(detail.data).toMatchObject({
      row: { id: row.id, name: NAME },
      user: { account, auth: 1 },
      earlier: [{ id: first.id, state: 2, name: NAME }],
      same: { users: 1, list: [{ account: twin.account, authId: twin.id, authState: 0 }] },
      logins: [{ ip: '10.1.1.1' }],
      devices: [{ device: 'phone' }],
    });
    expect(JSON.stringify(detail.data)).not.toContain(outside);
    const all = await call<KycDetail>(server, 'GET', 'auth/detail', { id: row.id }, { token: admin });
    expect(all.data.same.users).toBe(2);
    const maskedDetail = await call<KycDetail>(server, 'GET', 'auth/detail', { id: row.id }, { token: viewer.token });
    expect(maskedDetail.data).toMatchObject({ row: { name: '欧**', front: '' }, earlier: [{ name: '欧**' }] });
    expect(await call(server, 'GET', 'auth/detail', { id: row.id }, { token: stranger.token })).toMatchObject({
      code: 404,
    });
  });

  test('the detail says what the number says to holders only', async () => {
    const row = await submitForNewUser({ name: 'Ouyang Xiaoming', idNumber: '11010519491231002×', country: '越南' });
    const document = async (token: string) =>
      (await call<KycDetail>(server, 'GET', 'auth/detail', { id: row.id }, { token })).data.document;
    expect(await document(holder.token)).toEqual({
      kind: 'resident',
      valid: true,
      birth: '1949-12-31',
      age: expect.any(Number),
      sex: 2,
      marks: ['name', 'country'],
    });
    expect(await document(viewer.token)).toBeNull();
    // Marks refuse nothing.
    expect(await review('pass', row.id)).toMatchObject({ code: 200 });
  });

  test('users outside the scope with the same number are a yes, and nothing else', async () => {
    const idNumber = 'OUTSIDE-1';
    const row = await submitForNewUser({ idNumber });
    const detail = async (token: string) =>
      (await call<KycDetail>(server, 'GET', 'auth/detail', { id: row.id }, { token })).data;
    const before = await detail(holder.token);
    expect(before.same).toEqual({ users: 0, list: [], outside: false });
    for (const spelling of ['outside 1', 'ＯＵＴＳＩＤＥ１'])
      await submitKyc(server, admin, await makeUser(server, { agent: stranger.account }), { idNumber: spelling });
    expect(await detail(holder.token)).toEqual({ ...before, same: { ...before.same, outside: true } });
    // What is outside one scope is inside another: full scope sees all, and its users are counted there.
    expect((await detail(admin)).same).toMatchObject({ users: 2, outside: false });
    expect((await detail(viewer.token)).same).toEqual({ users: 0, list: [], outside: null });
  });

  test('users inside the scope, other submissions of the user and empty numbers are not outside', async () => {
    const account = await makeUser(server, { agent: viewer.account });
    const first = await submitKyc(server, admin, account, { idNumber: 'INSIDE-1' });
    await review('reject', first.id, holder.token, '证件照片模糊');
    const { id } = await submitKyc(server, admin, account, { idNumber: 'INSIDE-1' });
    await submitForNewUser({ idNumber: 'INSIDE1' });
    const same = async (of: number) =>
      (await call<KycDetail>(server, 'GET', 'auth/detail', { id: of }, { token: holder.token })).data.same;
    expect(await same(id)).toMatchObject({ users: 1, outside: false });
    const empty = await submitForNewUser({ idNumber: '---' });
    await submitKyc(server, admin, await makeUser(server, { agent: stranger.account }), { idNumber: '--' });
    await submitForNewUser({ idNumber: '-' });
    expect(await same(empty.id)).toEqual({ users: 0, list: [], outside: false });
  });

  test('reveal returns the clear values once per call and audits operator, user and reason without them', async () => {
    const { id, account } = await submitForNewUser();
    const reveal = (token: string, key?: string) =>
      call<KycRevealed>(server, 'POST', 'auth/reveal', { id, reason: '用户来电核实' }, { token, ...(key && { key }) });
    const answer = await reveal(holder.token, 'reveal-key');
    expect(answer).toMatchObject({ code: 200, data: { id, name: NAME, idNumber: NUMBER } });
    // The stored response of a reveal has no data.
    expect(await reveal(holder.token, 'reveal-key')).toMatchObject({ code: 200, data: null });
    expect(await reveal(viewer.token)).toMatchObject({ code: 403 });
    expect(await reveal(stranger.token)).toMatchObject({ code: 404 });
    const audits = await server.query(sql<{ text: string }>`
      select action || coalesce(before::text, '') || coalesce(after::text, '') || reason || account as text
      from audit where request_id = ${answer.requestId}`);
    expect(audits).toHaveLength(1);
    expect(audits[0]?.text).toContain('auth.reveal');
    expect(audits[0]?.text).toContain(`用户来电核实${account}`);
  });

  test('no response, export, log or stored response leaks a name, number or image without the ability', async () => {
    const name = '司马光禄大夫';
    const idNumber = '440308199901011234';
    const row = await submitForNewUser({ name, idNumber, holding: 'https://secret.example/p.jpg' });
    await call(
      server,
      'POST',
      'auth/reveal',
      { id: row.id, reason: '核对证件信息' },
      { token: holder.token, key: 'k1' },
    );
    await image(row.id, 'front', holder.token);
    await call(server, 'POST', 'auth/review/pass', { id: row.id }, { token: holder.token, key: 'k2' });
    const words = [name, idNumber, '1999-01-01', 'secret.example', bytesOf(PNG).toString('base64')];
    const reads = Object.values<Record<string, CallSpec>>(nouns)
      .flatMap((noun) => Object.values(noun))
      .filter(({ method, kind }) => method === 'GET' && kind !== 'stream');
    const texts: [string, string][] = [];
    for (const { path, list } of reads) {
      const about = path.startsWith('auth') ? { id: row.id } : { id: row.userId };
      const query = new URLSearchParams(list ? { size: '200' } : { ...about, id: String(about.id) });
      const url = `${API_BASE}${path}?${query.toString()}`;
      texts.push([path, (await server.server.inject({ url, headers: { token: viewer.token } })).body]);
    }
    // Exports are masked for holders as well.
    for (const token of [viewer.token, holder.token, admin]) {
      const file = await exportFile(server, 'auth/excel', { format: 'csv' }, token);
      expect(file.text).toContain('440***********1234');
      texts.push(['auth/excel', file.text]);
    }
    for (const table of ['audit', 'idempotency', 'notice', 'command', 'inbox']) {
      const [stored] = await server.query(sql<{ text: string }>`
        select coalesce(string_agg(t::text, ' '), '') as text from ${sql.table(table)} t`);
      texts.push([table, stored?.text ?? '']);
    }
    expect(texts.find(([path]) => path === 'auth/list')?.[1]).toContain('司**');
    const leaks = texts.flatMap(([path, text]) =>
      words.filter((word) => text.includes(word)).map((word) => [path, word]),
    );
    expect(leaks).toEqual([]);
  });
});

describe('auth/image', () => {
  test.each([
    ['front', 'image/png', PNG],
    ['back', 'image/jpeg', JPEG],
    ['holding', 'image/webp', WEBP],
  ])('%s has the type of its bytes, needs a session and is not cached', async (side, type, picture) => {
    const { id } = await submitForNewUser({ holding: WEBP });
    const response = await image(id, side, holder.token);
    expect(response.statusCode).toBe(200);
    expect(response.rawPayload.equals(bytesOf(picture))).toBe(true);
    expect(response.headers).toMatchObject({
      'content-type': type,
      'cache-control': 'no-store, private',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect(response.headers['x-request-id']).toBeDefined();
  });

  test('ignores the type declared in the data URL', async () => {
    const { id } = await submitForNewUser({ front: JPEG.replace('image/jpeg', 'image/png') });
    expect((await image(id, 'front', holder.token)).headers['content-type']).toBe('image/jpeg');
  });

  test('answers 400 without a session, 422 if malformed, 403 without the ability, 404 out of scope or missing', async () => {
    const { id } = await submitForNewUser({ front: 'https://platform.example/front.jpg' });
    const code = async (side: string, token: string | undefined) =>
      (await image(id, side, token)).json().code as number;
    expect(await code('back', undefined)).toBe(400);
    expect(await code('back', 'forged')).toBe(400);
    expect(await code('inside', holder.token)).toBe(422);
    expect(await code('back', viewer.token)).toBe(403);
    expect(await code('back', stranger.token)).toBe(404);
    expect(await code('holding', holder.token)).toBe(404);
    // URLs of the platform are never fetched.
    expect(await code('front', holder.token)).toBe(404);
    expect((await image(999_999_999, 'back', holder.token)).json()).toMatchObject({ code: 404 });
    const audits = await fetchAuditRows(server, { targetType: 'auth', targetId: id });
    expect(audits.map(({ action, result }) => [action, result])).toEqual([['auth.image', 403]]);
  });

  test('audits one view for all images of a submission, and another after ten minutes', async () => {
    const { id } = await submitForNewUser({ holding: WEBP });
    const auditedViews = async () =>
      (await fetchAuditRows(server, { targetType: 'auth', targetId: id })).filter(
        ({ action }) => action === 'auth.image',
      );
    await Promise.all(['front', 'back', 'holding', 'front'].map((side) => image(id, side, holder.token)));
    expect(await auditedViews()).toMatchObject([{ operator: holder.account, result: 200 }]);
    await image(id, 'front', admin);
    expect(await auditedViews()).toHaveLength(2);
    server.clock.move(10 * 60_000);
    await image(id, 'front', holder.token);
    expect(await auditedViews()).toHaveLength(3);
    server.clock.move(-10 * 60_000);
  });
});
