import { ABILITY } from '@hengtai/contract/authority/ability';
import type { NotificationsAnswer } from '@hengtai/contract/desk/notify/schema';
import { CLAIM_LEASE_SECONDS } from '@hengtai/contract/desk/queue/calls';
import type {
  QueueClaimed,
  QueueColleague,
  QueueGiven,
  QueueHistory,
  QueueMark,
  QueuePresence,
} from '@hengtai/contract/desk/queue/schema';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { tronAddress } from '../../../../test/address.ts';
import { type TestOperator, makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { submitKyc } from '../../../../test/identity.ts';
import { fetchAuditRows } from '../../../../test/inspect.ts';
import { call, fetchData, login, provideServer, unique } from '../../../../test/server.ts';
import { numberNotifications } from '../notify/notify.jobs.ts';
import { watchTargets } from './queue.jobs.ts';

const MINUTE = 60_000;
const LEASE = CLAIM_LEASE_SECONDS * 1_000;
const server = provideServer({ jobs: false });
let admin: string;
/** New for each test: reviewers, each one below the one before. */
let head: TestOperator;
let ada: TestOperator;
let bob: TestOperator;
let customer: string;

beforeEach(async () => {
  admin = await login(server);
  head = await makeOperator(server, admin, { abilities: [ABILITY.withdraw, ABILITY.identity, ABILITY.approval] });
  ada = await makeOperator(server, admin, { parent: head.account, abilities: [ABILITY.withdraw] });
  bob = await makeOperator(server, admin, { parent: ada.account, abilities: [ABILITY.withdraw] });
  customer = await makeUser(server, { agent: bob.account, amount: '900000' });
});

const tabOf = ({ account }: TestOperator, n = 1) => `tab-${account}-${n}`.padEnd(16, '-');
const post = <T>(path: string, input: object, { token }: { token: string }) =>
  call<T>(server, 'POST', path, input, { token });

async function next(operator: TestOperator, options: { tab?: string; skip?: number[] } = {}): Promise<QueueGiven> {
  const input = { queue: 'withdrawReview', tab: tabOf(operator), ...options };
  const { code, data } = await post<QueueGiven>('queue/next', input, operator);
  expect(code).toBe(200);
  return data;
}
async function claim(operator: TestOperator, targetId: number, tab = tabOf(operator)): Promise<QueueClaimed> {
  const { code, data } = await post<QueueClaimed>('queue/claim', { targetType: 'withdraw', targetId, tab }, operator);
  expect(code).toBe(200);
  return data;
}
const act = (path: string, operator: TestOperator, targetId: number, input: object = {}) =>
  post<QueueHistory>(`queue/${path}`, { targetType: 'withdraw', targetId, ...input }, operator);
const withdrawal = async (options: { amount?: string; address?: string } = {}) =>
  (await makeWithdraw(server, admin, customer, options)).id;

describe('queue/next', () => {
  test('gives each record to one tab only, and one record to a tab', async () => {
    const [first, second] = [await withdrawal(), await withdrawal()];
    expect(await next(ada)).toEqual({ id: first, following: second, waiting: 2 });
    expect(await next(bob)).toEqual({ id: second, following: null, waiting: 2 });
    expect(await next(bob, { tab: tabOf(bob, 2) })).toEqual({ id: null, following: null, waiting: 2 });
    // A tab that asks again gives back what it holds; what it set aside comes last.
    expect((await next(ada, { skip: [first] })).id).toBe(first);
    const third = await withdrawal();
    expect((await next(ada, { skip: [first] })).id).toBe(third);
    expect((await next(bob, { tab: tabOf(bob, 2) })).id).toBe(first);
  });

  test('first the longest over the target, then the riskiest, then the oldest', async () => {
    const late = await withdrawal({ address: tronAddress('late') });
    server.clock.move(35 * MINUTE);
    const old = await withdrawal({ address: tronAddress('old') });
    const other = await makeUser(server, { agent: bob.account, amount: '500' });
    const risky = await makeWithdraw(server, admin, other, { address: tronAddress('old') });
    expect((await next(ada)).id).toBe(late);
    expect((await next(ada, { skip: [late] })).id).toBe(risky.id);
    expect((await next(ada, { skip: [late, risky.id] })).id).toBe(old);
  });

  test('gives nothing from another tree, and needs the ability of the queue', async () => {
    await withdrawal();
    const outsider = await makeOperator(server, admin, { abilities: [ABILITY.withdraw] });
    expect(await next(outsider)).toEqual({ id: null, following: null, waiting: 0 });
    const input = { queue: 'authReview', tab: tabOf(ada) };
    const refused = await post('queue/next', input, ada);
    expect(refused).toMatchObject({ code: 403 });
    expect(await fetchAuditRows(server, refused)).toMatchObject([{ action: 'queue.next', result: 403 }]);
  });

  test('serves every review queue', async () => {
    await submitKyc(server, admin, customer, { level: 1 });
    for (const queue of ['withdrawFailed', 'withdrawUnknown', 'rechargeHeld', 'alarmOpen', 'ieoReview', 'approvalOpen'])
      expect(await post('queue/next', { queue, tab: tabOf(head) }, { token: admin })).toMatchObject({
        code: 200,
        data: { id: null },
      });
    const given = await post<QueueGiven>('queue/next', { queue: 'authReview', tab: tabOf(head) }, head);
    expect(given.data.id).toBeGreaterThan(0);
  });
});

describe('claims', () => {
  test('another operator sees who holds a record, and may still decide', async () => {
    const id = await withdrawal();
    expect(await claim(ada, id)).toMatchObject({ waiting: true, holder: { operator: ada.account, here: true } });
    // In another tab of the same operator, and for another one.
    expect((await claim(ada, id, tabOf(ada, 2))).holder).toMatchObject({ mine: true, here: false });
    const { holder } = await claim(bob, id);
    expect(holder).toMatchObject({ operator: null, mine: false, here: false });
    expect((await claim(head, id)).holder).toMatchObject({ operator: ada.account, mine: false });
    const { data: marks } = await post<QueueMark[]>('queue/marks', { targetType: 'withdraw', ids: [id] }, head);
    expect(marks).toMatchObject([{ targetId: id, holder: { operator: ada.account, mine: false }, parkedUntil: null }]);
    expect(await post('withdraw/reject', { id, reason: 'no' }, bob)).toMatchObject({ code: 200 });
    // A decided record cannot be held.
    expect(await claim(ada, id)).toEqual({ waiting: false, holder: null, viewers: [] });
  });

  test('a lost tab frees its record after the lease, a renewed claim stays', async () => {
    const [lost, kept] = [await withdrawal(), await withdrawal()];
    await claim(ada, lost);
    await claim(bob, kept);
    server.clock.move(LEASE - 1_000);
    await claim(bob, kept);
    // Who only looks at a record does not prolong the claim of another.
    await claim(bob, lost, tabOf(bob, 2));
    expect((await next(head)).id).toBeNull();
    server.clock.move(2_000);
    expect((await next(head)).id).toBe(lost);
    // The tab that comes back learns that the record is no longer its own.
    expect((await claim(ada, lost)).holder).toMatchObject({ here: false, mine: false });
    expect(LEASE).toBeLessThan(30_000);
  });

  test('are given back at once when the tab is closed or moves on', async () => {
    const [first, second] = [await withdrawal(), await withdrawal()];
    await claim(ada, first);
    await claim(ada, second);
    expect((await claim(bob, first)).holder).toMatchObject({ here: true });
    await post('queue/release', { tab: tabOf(bob) }, bob);
    expect((await claim(head, first)).holder).toMatchObject({ here: true });
    const ended = await server.query(
      sql<{ n: number }>`select count(*) as n from claim where target_id = ${first} and ended_at is not null`,
    );
    expect(ended[0]?.n).toBe(2);
  });
});

describe('agreements about a record', () => {
  test('a parked record comes back at its time, and every step stays on the record', async () => {
    const id = await withdrawal();
    const until = server.clock.now() + 10 * MINUTE;
    const parked = await act('park', ada, id, { until, reason: '等用户补资料' });
    expect(parked.data).toMatchObject({ parkedUntil: until, events: [{ kind: 'park', text: '等用户补资料', until }] });
    expect((await next(ada)).id).toBeNull();
    server.clock.move(10 * MINUTE + 1);
    expect((await next(ada)).id).toBe(id);
    await act('park', ada, id, { until: server.clock.now() + MINUTE });
    await act('park', ada, id, { until: 0 });
    expect((await next(ada)).id).toBe(id);
    const history = await fetchData<QueueHistory>(server, head.token, 'queue/history', {
      targetType: 'withdraw',
      targetId: id,
    });
    expect(history.events.map(({ kind, by, until: end }) => [kind, by, end !== null])).toEqual([
      ['park', ada.account, false],
      ['park', ada.account, true],
      ['park', ada.account, true],
    ]);
    const audited = await fetchAuditRows(server, { targetType: 'withdraw', targetId: id });
    expect(audited.map(({ action, reason }) => [action, reason])).toEqual([
      ['queue.park', '等用户补资料'],
      ['queue.park', ''],
      ['queue.park', ''],
    ]);
    for (const wrong of [server.clock.now() - 1, server.clock.now() + 31 * 24 * 60 * MINUTE])
      expect(await act('park', ada, id, { until: wrong })).toMatchObject({ code: 422 });
    await post('withdraw/reject', { id, reason: 'no' }, ada);
    expect(await act('park', ada, id, { until: server.clock.now() + MINUTE })).toMatchObject({ code: 409 });
  });

  test('a record handed over is kept for its operator until the target time, unless that one is absent', async () => {
    const id = await withdrawal();
    const given = await act('hand_over', head, id, { operatorId: bob.id, reason: '你认识这个用户' });
    expect(given.data).toMatchObject({ assigneeId: bob.id, assignee: bob.account });
    expect((await next(ada)).id).toBeNull();
    const other = await withdrawal();
    expect((await next(bob)).id).toBe(id);
    await post('queue/release', { tab: tabOf(bob) }, bob);
    const absent = { absent: 1, backAt: server.clock.now() + 5 * MINUTE };
    expect((await post<QueuePresence>('queue/absent', absent, bob)).data).toEqual({
      absent: true,
      backAt: absent.backAt,
    });
    expect((await next(ada)).id).toBe(id);
    await post('queue/release', { tab: tabOf(ada) }, ada);
    server.clock.move(6 * MINUTE);
    expect((await next(ada)).id).toBe(other);
    server.clock.move(25 * MINUTE);
    expect((await next(ada)).id).toBe(id);
    const outsider = await makeOperator(server, admin, { abilities: [ABILITY.withdraw] });
    for (const operatorId of [outsider.id, 999_999])
      expect(await act('hand_over', head, id, { operatorId })).toMatchObject({ code: 422 });
  });

  test('colleagues are those who can decide, with their load and absence', async () => {
    const [first, second] = [await withdrawal(), await withdrawal()];
    await claim(bob, first);
    await act('hand_over', head, second, { operatorId: bob.id });
    await post('queue/absent', { absent: 1 }, ada);
    const data = await fetchData<QueueColleague[]>(server, head.token, 'queue/colleagues', {
      targetType: 'withdraw',
      targetId: first,
    });
    expect(data.toSorted((a, b) => a.id - b.id)).toEqual([
      { id: head.id, account: head.account, absent: false, backAt: null, load: 0 },
      { id: ada.id, account: ada.account, absent: true, backAt: null, load: 0 },
      { id: bob.id, account: bob.account, absent: false, backAt: null, load: 2 },
    ]);
    expect((await post<QueuePresence>('queue/absent', { absent: 0 }, ada)).data.absent).toBe(false);
  });

  test('an escalated record goes to those above only', async () => {
    const id = await withdrawal();
    expect((await act('escalate', ada, id, { reason: '金额异常' })).data).toMatchObject({ escalated: true });
    expect((await next(ada)).id).toBeNull();
    expect((await next(head)).id).toBe(id);
    expect(await notificationsOf(head)).toContain('queue.escalated');
    expect(await notificationsOf(bob)).not.toContain('queue.escalated');
    // To everybody again.
    await post('queue/release', { tab: tabOf(head) }, head);
    await act('hand_over', head, id, { operatorId: 0 });
    expect((await next(ada)).id).toBe(id);
  });

  test('a mention notifies without the text of the comment', async () => {
    const id = await withdrawal();
    const secret = unique('text');
    const { data } = await act('comment', head, id, { text: secret, mentions: [bob.id] });
    expect(data.events).toMatchObject([{ kind: 'comment', text: secret, by: head.account, to: [bob.account] }]);
    expect(await notificationsOf(bob)).toContain('queue.mentioned');
    expect(await notificationsOf(ada)).not.toContain('queue.mentioned');
    const notices = await server.query(sql<{ text: string }>`select n::text as text from notice n`);
    expect(notices.some(({ text }) => text.includes(secret))).toBe(false);
    await post('withdraw/reject', { id, reason: 'no' }, head);
    expect(await act('comment', head, id, { text: '事后说明' })).toMatchObject({ code: 200 });
    expect(await act('comment', head, id, { text: 'x', mentions: [999_999] })).toMatchObject({ code: 422 });
  });
});

async function notificationsOf({ token }: TestOperator): Promise<string[]> {
  while (await numberNotifications(server.app));
  const { data } = await call<NotificationsAnswer>(server, 'GET', 'notify/facts', {}, { token });
  return data.list.map(({ type }) => type);
}

test('operators are notified once of a record over its target', async () => {
  await withdrawal();
  await watchTargets(server.app);
  expect(await notificationsOf(ada)).not.toContain('withdraw.overdue');
  server.clock.move(31 * MINUTE);
  await watchTargets(server.app);
  await watchTargets(server.app);
  const seen = await notificationsOf(ada);
  expect(seen.filter((type) => type === 'withdraw.overdue')).toHaveLength(1);
  // What was late long ago is not reported, for example when a target was shortened.
  await withdrawal();
  server.clock.move(3 * 60 * MINUTE);
  admin = await login(server);
  await watchTargets(server.app);
  ada.token = await login(server, ada.account, 'operator-password');
  expect((await notificationsOf(ada)).filter((type) => type === 'withdraw.overdue')).toHaveLength(1);
});
