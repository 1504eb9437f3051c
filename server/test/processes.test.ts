// @module-tag full
import { ABILITY } from '@hengtai/contract/authority/ability';
import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import type { ConfigRow } from '@hengtai/contract/desk/config/schema';
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import type { Envelope } from '@hengtai/contract/wire/envelope';
import { LOGIN_TRIES_PER_HOUR, TOKEN_RENEW_MINUTES } from '@hengtai/contract/house/session/calls';
import type { LoginData, SessionRow } from '@hengtai/contract/house/session/schema';
import type { Page } from '@hengtai/contract/wire/list';
import { COMMAND } from '@hengtai/contract/gateway/gateway';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadAnchors, verifyChain } from '../src/books/audit/verify.ts';
import { checkBook } from '../src/books/ledger/check.ts';
import { PASSWORD, type TestOperator, makeOperator, makeUser, makeWithdraw } from './factories.ts';
import { fetchPayouts, setPolicy } from './inspect.ts';
import { type OtherProcess, startOtherProcess } from './other-process.ts';
import { type RoundRobin, startRoundRobin } from './round-robin.ts';
import { type TestServer, login, testServer, unique } from './server.ts';
import { openStream } from './stream.ts';

/** Sets up the test data. It runs no jobs and answers no tested request. */
let server: TestServer;
let [one, two]: OtherProcess[] = [];
/** URLs of both processes, as the proxy uses them. */
let urls: string[];
let proxy: RoundRobin;
let admin: string;
let maker: TestOperator;
let checker: TestOperator;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  [one, two] = await Promise.all([startOtherProcess(server), startOtherProcess(server)]);
  urls = [urlOf('one'), urlOf('two')];
  proxy = await startRoundRobin(urls);
  admin = await login(server);
  maker = await makeOperator(server, admin, { abilities: [ABILITY.withdraw, ABILITY.approval] });
  checker = await makeOperator(server, admin, { abilities: [ABILITY.approval, ABILITY.headquarters] });
}, 120_000);
afterAll(async () => {
  await proxy?.stop();
  await Promise.all([one?.stop(), two?.stop()]);
  await server?.stop();
});

/** URL of one process, or of the proxy in front of both. */
function urlOf(target: 'one' | 'two' | 'front'): string {
  if (target === 'front') return proxy.url;
  return (target === 'one' ? one : two)?.url ?? '';
}

interface RequestOptions {
  at?: 'one' | 'two' | 'front';
  token?: string | undefined;
  key?: string;
}

async function post<T = unknown>(path: string, input: object, { at: target = 'front', token, key }: RequestOptions) {
  const response = await fetch(`${urlOf(target)}${API_BASE}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { token }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: JSON.stringify(input),
  });
  return (await response.json()) as Envelope<T>;
}

async function get<T = unknown>(
  path: string,
  { at: target = 'front', token = '' }: RequestOptions,
): Promise<Envelope<T>> {
  return (await (await fetch(`${urlOf(target)}${API_BASE}${path}`, { headers: { token } })).json()) as Envelope<T>;
}

const BOTH = ['one', 'two'] as const;
/** Sends the same request to both processes concurrently, several times. */
const sendToBoth = <T>(times: number, send: (where: 'one' | 'two') => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, () => BOTH.map(send)).flat());
const codesOf = (answers: readonly Envelope[]): number[] => answers.map(({ code }) => code).sort((a, b) => a - b);

async function logIn(account: string): Promise<string> {
  const { token } = await post<LoginData>('login', { account, password: PASSWORD }, {});
  if (token === undefined) throw new Error(`${account} cannot log in`);
  return token;
}

async function makePendingWithdraw(amount: string) {
  const user = await makeUser(server, { agent: maker.account, amount });
  return makeWithdraw(server, admin, user, { amount });
}

test('a session is valid at both processes, and a logout at one ends it at both', async () => {
  const token = await logIn(maker.account);
  for (const where of BOTH) expect(await get('me', { at: where, token })).toMatchObject({ code: 200 });
  expect(await post('logout', {}, { at: 'one', token })).toMatchObject({ code: 200 });
  for (const where of BOTH) expect(await get('me', { at: where, token })).toMatchObject({ code: 400 });
});

test('both processes renew a token with the same successor', async () => {
  const token = await logIn(maker.account);
  await server.query(sql`update session_token set issued_at = issued_at - ${(TOKEN_RENEW_MINUTES + 1) * 60_000}`);
  const tokens = (await sendToBoth(3, (where) => get('me', { at: where, token }))).map((answer) => answer.token);
  expect(tokens[0]).toMatch(/^[\w-]{43}$/);
  expect(new Set(tokens).size).toBe(1);
  for (const where of BOTH)
    expect(await get('me', { at: where, token: tokens[0] })).toMatchObject({
      code: 200,
      data: { admin: maker.account },
    });
});

test('a kick at one process ends the session and its stream at both', async () => {
  const token = await logIn(checker.account);
  const stream = await openStream(urlOf('two'), token);
  const { data } = await get<Page<SessionRow>>(`session/list?account=${checker.account}&state=1&size=200`, {
    token: admin,
  });
  const [newest] = data.list;
  expect(await post('session/kick', { id: newest?.id }, { at: 'one', token: admin })).toMatchObject({ code: 200 });
  await stream.ended;
  expect(stream.received.at(-1)).toMatchObject({ event: 'session', data: { reason: 'kick' } });
  for (const where of BOTH) expect(await get('me', { at: where, token })).toMatchObject({ code: 400 });
});

test('after a move at one process, both show the agent only in its new tree', async () => {
  const abilities = [ABILITY.users];
  const [oldParent, newParent] = [
    await makeOperator(server, admin, { abilities }),
    await makeOperator(server, admin, { abilities }),
  ];
  const movedAgent = await makeOperator(server, admin, { parent: oldParent.account });
  await makeUser(server, { agent: movedAgent.account });
  const countUsers = async (operator: TestOperator): Promise<number[]> => {
    const answers = BOTH.map((where) => get<Page<object>>('user/list', { at: where, token: operator.token }));
    return (await Promise.all(answers)).map(({ data }) => data.total);
  };
  expect([await countUsers(oldParent), await countUsers(newParent)]).toEqual([
    [1, 1],
    [0, 0],
  ]);
  const input = { id: movedAgent.id, parent: newParent.account };
  expect(await post('agent/parent/change', input, { at: 'one', token: admin })).toMatchObject({ code: 200 });
  expect([await countUsers(oldParent), await countUsers(newParent)]).toEqual([
    [0, 0],
    [1, 1],
  ]);
});

test('both processes share the hourly limit of login attempts', async () => {
  const { account } = await makeOperator(server, admin);
  const guesses = await sendToBoth(LOGIN_TRIES_PER_HOUR, (where) =>
    post('login', { account, password: 'not-the-password' }, { at: where }),
  );
  expect(guesses.filter(({ code }) => code === 401)).toHaveLength(LOGIN_TRIES_PER_HOUR);
  expect(guesses.filter(({ code }) => code === 429)).toHaveLength(LOGIN_TRIES_PER_HOUR);
});

test('a setting changed at one process applies to the next action at the other', async () => {
  const { data: settings } = await get<ConfigRow[]>('config/list', { token: admin });
  const policy = settings.find(({ key }) => key === 'policy.withdraw.pass');
  for (const [where, other] of [BOTH, BOTH.toReversed()] as ['one' | 'two', 'one' | 'two'][]) {
    for (const { state, code } of [
      { state: 1, code: 202 },
      { state: 0, code: 200 },
    ]) {
      const row = await makePendingWithdraw('100');
      const changed = await post('config/save', { id: policy?.id, state }, { at: where, token: admin });
      expect(changed).toMatchObject({ code: 200 });
      expect(await post('withdraw/pass', { id: row.id }, { at: other, token: maker.token })).toMatchObject({ code });
    }
  }
});

test('one key sent to both processes concurrently acts once, and both return its answer', async () => {
  await setPolicy(server, 'withdraw.pass', 0);
  const row = await makePendingWithdraw('100');
  const key = unique('key');
  const answers = await sendToBoth(5, (where) =>
    post('withdraw/pass', { id: row.id }, { at: where, token: admin, key }),
  );
  expect(new Set(answers.map((answer) => JSON.stringify({ ...answer, token: undefined }))).size).toBe(1);
  expect(answers[0]).toMatchObject({ code: 200, data: { id: row.id, state: 2, attempt: 1 } });
  expect(await fetchPayouts(server, row.id)).toHaveLength(1);
  expect(await post('withdraw/pass', { id: row.id + 1 }, { at: 'two', token: admin, key })).toMatchObject({
    code: 409,
  });
});

test('if a checker decides at each process, only one decision counts', async () => {
  await setPolicy(server, 'withdraw.pass', 1);
  const row = await makePendingWithdraw('100');
  const response = await post<ApprovalRow>('withdraw/pass', { id: row.id }, { token: maker.token });
  expect(response.code).toBe(202);
  const { id } = response.data;
  const answers = await sendToBoth(4, (where) =>
    post('approval/pass', { id }, { at: where, token: where === 'one' ? admin : checker.token }),
  );
  expect(codesOf(answers)).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
  expect(await fetchPayouts(server, row.id)).toHaveLength(1);
});

test('a stream at one process receives the events of the other', async () => {
  const stream = await openStream(urlOf('two'), maker.token);
  await setPolicy(server, 'withdraw.pass', 0);
  const row = await makePendingWithdraw('100');
  await stream.until(() =>
    stream.notifications().some(({ type, refId }) => type === 'withdraw.requested' && refId === row.id),
  );
  await post('withdraw/pass', { id: row.id }, { at: 'one', token: admin });
  await stream.until(() =>
    stream.notifications().some(({ type, refId }) => type === 'withdraw.queued' && refId === row.id),
  );
  stream.abort();
});

/** Waits until the jobs have no work left: audit rows are sealed, commands and notifications are numbered. */
const waitForJobs = () =>
  expect
    .poll(
      async () =>
        server.query(sql`
          select (select count(*) from audit_pending) as unsealed, (select count(*) from notice where seq is null) as untold,
            (select count(*) from command where seq is null and state = ${COMMAND.waiting}) as unnumbered`),
      { timeout: 30_000 },
    )
    .toEqual([{ unsealed: 0, untold: 0, unnumbered: 0 }]);

/** Sequence numbers must have no gaps and no duplicates. */
async function expectNoGaps(): Promise<void> {
  const [row] = await server.query(sql`
    select (select count(*) - max(seq) from audit_seal) as seals, (select count(*) - max(seq) from command) as commands,
      (select count(*) - max(seq) from notice) as facts`);
  expect(row).toEqual({ seals: 0, commands: 0, facts: 0 });
  const anchors = await loadAnchors(server.auditDir, server.app.auditKey);
  expect(await verifyChain(server.owner, anchors)).toMatchObject({ ok: true });
  expect(await checkBook(server.owner)).toEqual([]);
}

test('both processes seal and number concurrently, and one continues after the other is killed', async () => {
  await setPolicy(server, 'withdraw.pass', 0);
  const rows = [];
  for (let n = 0; n < 30; n += 1) rows.push(await makePendingWithdraw('100'));
  const pass = (row: { id: number }, where: 'one' | 'two') =>
    post('withdraw/pass', { id: row.id }, { at: where, token: admin, key: `killed-${row.id}` });
  const first = await Promise.all(rows.slice(0, 10).map((row, n) => pass(row, n % 2 === 0 ? 'one' : 'two')));
  expect(codesOf(first)).toEqual(first.map(() => 200));
  await waitForJobs();
  await expectNoGaps();

  // Kill process two while it handles the rest. Then repeat every call at the other one with the same key.
  const answers = rows.slice(10).map((row) => pass(row, 'two').catch(() => undefined));
  await Promise.any(answers);
  await two?.kill();
  await Promise.all(answers);
  for (const row of rows) expect(await pass(row, 'one')).toMatchObject({ code: 200, data: { id: row.id, attempt: 1 } });
  for (const row of rows) expect(await fetchPayouts(server, row.id)).toHaveLength(1);
  await waitForJobs();
  await expectNoGaps();
  // The other tests need both.
  two = await startOtherProcess(server);
  urls[1] = two.url;
}, 90_000);
