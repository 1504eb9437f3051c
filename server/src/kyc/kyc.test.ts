import type { KycDetail, KycRevealed, KycRow } from '@hengtai/contract/kyc.schema';
import { KYC_IMAGE_MAX, maskIdNumber, maskName } from '@hengtai/contract/kyc';
import { API_BASE, type CallSpec } from '@hengtai/contract/endpoint';
import type { Moved } from '@hengtai/contract/envelope';
import { nouns } from '@hengtai/contract/index';
import type { Page } from '@hengtai/contract/list';
import type { BulkResult } from '@hengtai/contract/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportFile } from '../../test/export.ts';
import { type TestOperator, findUser, makeOperator, makeUser } from '../../test/factories.ts';
import { JPEG, PNG, WEBP, bytesOf, lastKycSubmission, submission, submitKyc } from '../../test/identity.ts';
import { auditOf, deadlocksIn } from '../../test/look.ts';
import { type TestServer, apply, call, login, send, testServer, unique } from '../../test/server.ts';

let server: TestServer;
let admin: string;
/** Reviews identities below the admin; has one agent below itself who may not. */
let holder: TestOperator;
let looker: TestOperator;
let stranger: TestOperator;

const NAME = '欧阳晓明';
const NUMBER = '110105194912310021';

beforeAll(async () => {
  server = await testServer();
  admin = await login(server);
  holder = await makeOperator(server, admin, { abilities: [4, 10] });
  looker = await makeOperator(server, admin, { parent: holder.account, abilities: [1, 3, 10, 12] });
  stranger = await makeOperator(server, admin, { abilities: [4] });
});
afterAll(() => server.stop());

/** A customer of the looker's tree, so that both see it. */
const customer = () => makeUser(server, { agent: looker.account });
const submitted = async (what = {}): Promise<KycRow> => submitKyc(server, admin, await customer(), what);
const review = (action: 'pass' | 'reject', id: number, token = holder.token, reason?: string) =>
  call<KycRow & Moved>(
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
  ])('of the name %s', (name, mask) => expect(maskName(name)).toBe(mask));

  test.each([
    ['110105194912310021', '110***********0021'],
    ['E12345678', 'E******78'],
    ['A1234', '****4'],
    ['7', '*'],
    ['', ''],
  ])('of the number %s', (number, mask) => expect(maskIdNumber(number)).toBe(mask));
});

describe('auth.submitted', () => {
  test('waits for review, and the user with it', async () => {
    const account = await customer();
    const row = await submitKyc(server, admin, account, { level: 2, idType: 2, holding: WEBP });
    expect(row).toMatchObject({
      account,
      agent: looker.account,
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

  test('a second one is refused as pending until the first is decided', async () => {
    const account = await customer();
    const first = await submitKyc(server, admin, account);
    const again = { type: 'auth.submitted', data: submission(account, { level: 2 }), eventId: unique('again-') };
    expect(await send(server, again)).toMatchObject([{ result: 'rejected', reason: 'pending' }]);
    await review('reject', first.id, holder.token, '证件照片模糊');
    expect(await kycOf(account)).toBe(4);
    expect(await send(server, again)).toMatchObject([{ result: 'applied' }]);
    expect(await send(server, again)).toMatchObject([{ result: 'duplicate' }]);
    expect(await kycOf(account)).toBe(1);
  });

  test('ten at once leave one', async () => {
    const account = await customer();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => send(server, { type: 'auth.submitted', data: submission(account) })),
    );
    expect(answers.flat().filter(({ result }) => result === 'applied')).toHaveLength(1);
    expect(answers.flat().filter(({ reason }) => reason === 'pending')).toHaveLength(9);
  });

  const bytes = (many: number) =>
    `data:image/png;base64,${Buffer.concat([bytesOf(PNG), Buffer.alloc(many - bytesOf(PNG).length)]).toString('base64')}`;
  test.each([
    ['an unknown account', { account: 'nobody-there' }, 'unknown: account'],
    ['a picture that is none', { front: 'data:image/png;base64,aGVsbG8gd29ybGQ=' }, 'invalid: front'],
    [
      'a script dressed as a picture',
      { back: `data:image/png;base64,${Buffer.from('<svg onload="x"/>').toString('base64')}` },
      'invalid: back',
    ],
    ['svg', { holding: 'data:image/svg+xml;base64,PHN2Zy8+' }, 'invalid: holding'],
    ['a picture too large', { front: bytes(KYC_IMAGE_MAX + 100) }, 'invalid: front'],
    ['an address of another kind', { front: 'javascript:alert(1)' }, 'invalid: front'],
    ['a file of the server', { front: 'file:///etc/passwd' }, 'invalid: front'],
    ['no picture', { front: '' }, 'invalid: front'],
    ['an unknown kind of document', { idType: 4 }, 'invalid: idType'],
    ['an unknown level', { level: 0 }, 'invalid: level'],
    ['no name', { name: ' ' }, 'invalid: name'],
    ['a field that nobody knows', { surplus: 1 }, 'invalid: surplus'],
  ])('%s is refused', async (_, what, reason) => {
    const data = { ...submission(await customer()), ...what };
    expect(await send(server, { type: 'auth.submitted', data })).toMatchObject([{ result: 'rejected', reason }]);
  });

  test('the largest picture is taken and given back as it came', async () => {
    const front = bytes(KYC_IMAGE_MAX);
    const { id } = await submitted({ front });
    expect((await image(id, 'front', holder.token)).rawPayload.equals(bytesOf(front))).toBe(true);
  });
});

describe('auth.imported', () => {
  test('brings a decided review with who decided it; once live it is refused', async () => {
    const account = await customer();
    const at = server.clock.now() - 86_400_000;
    const { front: _front, back: _back, ...document } = submission(account, { level: 2 });
    const decision = { state: 2, reason: '证件已过期', by: 'someone', reviewedAt: at + 5_000 };
    await apply(server, { type: 'auth.imported', at, data: { ...document, ...decision } });
    const row = await lastKycSubmission(server, admin, account);
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
    const late = await send(server, { type: 'auth.imported', at, data: { ...document, state: 1 } });
    expect(late).toMatchObject([{ result: 'rejected', reason: 'live' }]);
    await server.query(sql`update installation set live = 0`);
  });

  test('many for one user at once: the best that was passed stands', async () => {
    const account = await customer();
    const { front: _front, back: _back, ...document } = submission(account);
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
  test('pass: the row, the user, the platform and the log hear of it', async () => {
    const row = await submitted();
    const { code, data, requestId } = await review('pass', row.id);
    expect(code).toBe(200);
    expect(data).toMatchObject({ id: row.id, state: 1, by: holder.account, reason: '' });
    expect(await kycOf(row.account)).toBe(2);
    expect(await commandsOf(row.id)).toEqual([
      { type: 'auth.reviewed', data: { account: row.account, level: 1, state: 1 } },
    ]);
    expect(await auditOf(server, { requestId })).toMatchObject([
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

  test('reject: with its reason', async () => {
    const row = await submitted({ level: 2 });
    expect(await review('reject', row.id, holder.token, '证件已过期')).toMatchObject({
      code: 200,
      data: { state: 2, reason: '证件已过期' },
    });
    expect(await kycOf(row.account)).toBe(4);
    expect(await commandsOf(row.id)).toEqual([
      { type: 'auth.reviewed', data: { account: row.account, level: 2, state: 2, reason: '证件已过期' } },
    ]);
  });

  test('a rejected advanced review leaves what was passed before; a passed one raises it', async () => {
    const account = await customer();
    await review('pass', (await submitKyc(server, admin, account)).id);
    const second = await submitKyc(server, admin, account, { level: 2 });
    expect(await kycOf(account)).toBe(2);
    await review('reject', second.id, holder.token, '证件照片模糊');
    expect(await kycOf(account)).toBe(2);
    await review('pass', (await submitKyc(server, admin, account, { level: 2 })).id);
    expect(await kycOf(account)).toBe(3);
  });

  test.each([
    ['reject with too long a reason', 'auth/review/reject', { reason: 'x'.repeat(201) }],
    ['reveal without a reason', 'auth/reveal', {}],
    ['another action', 'auth/review/maybe', { reason: 'x' }],
  ])('%s is refused', async (_, path, input) => {
    const { id } = await submitted();
    const { code } = await call(server, 'POST', path, { id, ...input }, { token: holder.token });
    expect(code).toBe(path.endsWith('maybe') ? 404 : 422);
    expect((await lastKycSubmissionOf(id)).state).toBe(0);
  });

  test('without the ability 403, outside the tree 404, without a session 400; nothing is done', async () => {
    const { id } = await submitted();
    for (const action of ['pass', 'reject'] as const) {
      expect(await review(action, id, looker.token, 'x')).toMatchObject({ code: 403 });
      expect(await review(action, id, stranger.token, 'x')).toMatchObject({ code: 404 });
      expect(await review(action, id, 'no-token', 'x')).toMatchObject({ code: 400 });
    }
    expect((await lastKycSubmissionOf(id)).state).toBe(0);
    const refused = await auditOf(server, { targetType: 'auth', targetId: id });
    expect(refused.map(({ action, result }) => [action, result])).toEqual([
      ['auth.pass', 403],
      ['auth.reject', 403],
    ]);
  });

  test('twenty at once have one effect; the others hear who decided', async () => {
    const { id, account } = await submitted();
    const before = await deadlocksIn(server);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        review(index % 2 === 0 ? 'pass' : 'reject', id, index % 3 === 0 ? admin : holder.token, '看过了'),
      ),
    );
    const [won, ...more] = answers.filter(({ code }) => code === 200);
    expect(more).toEqual([]);
    const lost = answers.filter(({ code }) => code === 409);
    expect(lost).toHaveLength(19);
    for (const { msg, data } of lost) {
      expect(msg).toContain(won?.data.state === 1 ? '已通过' : '已驳回');
      expect(data).toMatchObject({ state: won?.data.state, by: won?.data.by });
    }
    expect(await commandsOf(id)).toHaveLength(1);
    const actions = await auditOf(server, { targetType: 'auth', targetId: id });
    expect(actions.filter(({ result }) => result === 200)).toHaveLength(1);
    expect(await kycOf(account)).toBe(won?.data.state === 1 ? 2 : 4);
    expect(await deadlocksIn(server)).toBe(before);
  });

  test('many: one transaction each, one outcome each', async () => {
    const [one, two, three] = [await submitted(), await submitted(), await submitted()];
    await review('reject', two.id, holder.token, '证件照片模糊');
    const ids = [one.id, two.id, 999_999_999, three.id];
    const answer = await call<BulkResult>(server, 'POST', 'auth/review/pass/many', { ids }, { token: holder.token });
    expect(answer.data.results.map(({ code }) => code)).toEqual([200, 409, 404, 200]);
    expect((await lastKycSubmissionOf(two.id)).state).toBe(2);
    const none = await call<BulkResult>(server, 'POST', 'auth/review/reject/many', { ids }, { token: holder.token });
    expect(none.data.results.map(({ code }) => code)).toEqual([409, 409, 404, 409]);
  });

  test('a user with a review that waits is not deleted', async () => {
    const row = await submitted();
    const del = () => call(server, 'POST', 'user/del', { id: row.userId }, { token: admin });
    expect(await del()).toMatchObject({ code: 409, data: [{ what: 'auth', text: `待审核实名 #${row.id}（初级）` }] });
    await review('pass', row.id);
    expect(await del()).toMatchObject({ code: 200 });
  });

  test('a user that moves takes its reviews along', async () => {
    const { id, userId } = await submitted();
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

describe('who sees what', () => {
  test('holders see name, number and where the pictures are; others masks and no picture', async () => {
    const row = await submitted({ holding: 'https://platform.example/h.jpg' });
    const seen = async (token: string) =>
      (await call<Page<KycRow>>(server, 'GET', 'auth/list', { id: row.id }, { token })).data.list[0];
    expect(await seen(holder.token)).toMatchObject({
      name: NAME,
      idNumber: NUMBER,
      front: `/api/v1/admin/auth/image?id=${row.id}&side=front`,
      back: `/api/v1/admin/auth/image?id=${row.id}&side=back`,
      holding: 'https://platform.example/h.jpg',
    });
    expect(await seen(looker.token)).toMatchObject({
      name: '欧**',
      idNumber: '110***********0021',
      front: '',
      back: '',
      holding: '',
    });
    expect(await seen(stranger.token)).toBeUndefined();
  });

  test('detail: earlier submissions, logins, and who else has the number, in the own tree only', async () => {
    const idNumber = 'x-12 34y5678';
    const account = await customer();
    await apply(server, { type: 'user.login', data: { account, ip: '10.1.1.1', device: 'phone' } });
    const first = await submitKyc(server, admin, account, { idNumber });
    await review('reject', first.id, holder.token, '证件照片模糊');
    const row = await submitKyc(server, admin, account, { idNumber, level: 2 });
    const twin = await submitted({ idNumber: 'X1234Y5678' });
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
    const masked = await call<KycDetail>(server, 'GET', 'auth/detail', { id: row.id }, { token: looker.token });
    expect(masked.data).toMatchObject({ row: { name: '欧**', front: '' }, earlier: [{ name: '欧**' }] });
    expect(await call(server, 'GET', 'auth/detail', { id: row.id }, { token: stranger.token })).toMatchObject({
      code: 404,
    });
  });

  test('reveal: the clear values, once for each reason, and the log says who, whom and why, without them', async () => {
    const { id, account } = await submitted();
    const ask = (token: string, key?: string) =>
      call<KycRevealed>(server, 'POST', 'auth/reveal', { id, reason: '用户来电核实' }, { token, ...(key && { key }) });
    const answer = await ask(holder.token, 'reveal-key');
    expect(answer).toMatchObject({ code: 200, data: { id, name: NAME, idNumber: NUMBER } });
    // What was revealed is not kept to be read again.
    expect(await ask(holder.token, 'reveal-key')).toMatchObject({ code: 200, data: null });
    expect(await ask(looker.token)).toMatchObject({ code: 403 });
    expect(await ask(stranger.token)).toMatchObject({ code: 404 });
    const kept = await server.query(sql<{ text: string }>`
      select action || coalesce(before::text, '') || coalesce(after::text, '') || reason || account as text
      from audit where request_id = ${answer.requestId}`);
    expect(kept).toHaveLength(1);
    expect(kept[0]?.text).toContain('auth.reveal');
    expect(kept[0]?.text).toContain(`用户来电核实${account}`);
  });

  test('no answer, file, log or stored answer to anybody without the ability holds a name, a number or a picture', async () => {
    const name = '司马光禄大夫';
    const idNumber = '440308199901011234';
    const row = await submitted({ name, idNumber, holding: 'https://secret.example/p.jpg' });
    await call(
      server,
      'POST',
      'auth/reveal',
      { id: row.id, reason: '核对证件信息' },
      { token: holder.token, key: 'k1' },
    );
    await image(row.id, 'front', holder.token);
    await call(server, 'POST', 'auth/review/pass', { id: row.id }, { token: holder.token, key: 'k2' });
    const words = [name, idNumber, 'secret.example', bytesOf(PNG).toString('base64')];
    const reads = Object.values<Record<string, CallSpec>>(nouns)
      .flatMap((noun) => Object.values(noun))
      .filter(({ method, kind }) => method === 'GET' && kind !== 'stream');
    const texts: [string, string][] = [];
    for (const { path, list } of reads) {
      const about = path.startsWith('auth') ? { id: row.id } : { id: row.userId };
      const query = new URLSearchParams(list ? { size: '200' } : { ...about, id: String(about.id) });
      const url = `${API_BASE}${path}?${query.toString()}`;
      texts.push([path, (await server.server.inject({ url, headers: { token: looker.token } })).body]);
    }
    // As a file it leaves the house, so it is masked for holders as well.
    for (const token of [looker.token, holder.token, admin]) {
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
  ])('%s comes as what its bytes are, to a session only, and is kept nowhere', async (side, type, picture) => {
    const { id } = await submitted({ holding: WEBP });
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

  test('what it says it is counts for nothing', async () => {
    const { id } = await submitted({ front: JPEG.replace('image/jpeg', 'image/png') });
    expect((await image(id, 'front', holder.token)).headers['content-type']).toBe('image/jpeg');
  });

  test('a stranger 400, malformed 422, without the ability 403, another tree 404, no such picture 404', async () => {
    const { id } = await submitted({ front: 'https://platform.example/front.jpg' });
    const code = async (side: string, token: string | undefined) =>
      (await image(id, side, token)).json().code as number;
    expect(await code('back', undefined)).toBe(400);
    expect(await code('back', 'forged')).toBe(400);
    expect(await code('inside', holder.token)).toBe(422);
    expect(await code('back', looker.token)).toBe(403);
    expect(await code('back', stranger.token)).toBe(404);
    expect(await code('holding', holder.token)).toBe(404);
    // An address of the platform is never fetched from here.
    expect(await code('front', holder.token)).toBe(404);
    expect((await image(999_999_999, 'back', holder.token)).json()).toMatchObject({ code: 404 });
    const noted = await auditOf(server, { targetType: 'auth', targetId: id });
    expect(noted.map(({ action, result }) => [action, result])).toEqual([['auth.image', 403]]);
  });

  test('a look is audited once for all its pictures, and again after ten minutes', async () => {
    const { id } = await submitted({ holding: WEBP });
    const looks = async () =>
      (await auditOf(server, { targetType: 'auth', targetId: id })).filter(({ action }) => action === 'auth.image');
    await Promise.all(['front', 'back', 'holding', 'front'].map((side) => image(id, side, holder.token)));
    expect(await looks()).toMatchObject([{ operator: holder.account, result: 200 }]);
    await image(id, 'front', admin);
    expect(await looks()).toHaveLength(2);
    server.clock.move(10 * 60_000);
    await image(id, 'front', holder.token);
    expect(await looks()).toHaveLength(3);
    server.clock.move(-10 * 60_000);
  });
});
