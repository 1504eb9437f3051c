import { readFile } from 'node:fs/promises';
import { ABILITY } from '@hengtai/contract/authority/ability';
import type { ApprovalDetail, OtherOperators } from '@hengtai/contract/desk/approval/schema';
import type { ConfigRow } from '@hengtai/contract/desk/config/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OtpOperator, makeOtpOperator } from '../../../../test/codes.ts';
import { PASSWORD, makeOperator } from '../../../../test/factories.ts';
import { type Approvers, callAs, callWithChecker, makeApprovers, refreshAllOtp } from '../../../../test/four-eyes.ts';
import { fetchAuditRows } from '../../../../test/inspect.ts';
import { call, fetchData, login, provideServer, unique } from '../../../../test/server.ts';

type Token = { token: string };

const server = provideServer({ jobs: false });
/** One admin made everybody, as in most installations. */
let house: Approvers;
let setting: number;

beforeAll(async () => {
  house = await makeApprovers(server);
  await server.query(
    sql`update agent set abilities = abilities || ${ABILITY.platform}::int where parent_id is not null`,
  );
  await refreshAllOtp(server);
  const { data } = await call<ConfigRow[]>(server, 'GET', 'config/list', {}, { token: house.admin.token });
  setting = data.find(({ key }) => key === 'support.url')?.id ?? 0;
});

async function lock(known?: readonly number[]) {
  const { data } = await callAs(server, house.admin, 'approval/lock');
  return callAs(server, house.second, 'approval/pass', { id: data.id, ...(known && { known }) });
}
const unlock = () => server.query(sql`update installation set four_eyes_locked_at = null`);
/** What the checker is answered who passes a request of the maker. */
async function decide(maker: Token, checker: Token): Promise<number> {
  const input = { id: setting, str: `https://${unique('desk')}.example` };
  const asked = await callAs(server, maker, 'config/save', input);
  expect(asked.code).toBe(202);
  const { code } = await callAs(server, checker, 'approval/pass', { id: asked.data.id });
  if (code !== 200) await server.query(sql`update approval set state = 3 where id = ${asked.data.id}`);
  return code;
}
const controllersOf = async (id: number): Promise<number[]> =>
  (
    await server.query(sql<{ id: number }>`
      select distinct controller_id as id from operator_control where operator_id = ${id} order by 1`)
  ).map((row) => row.id);
const operators = async (input: object, { token }: { token: string }) =>
  (await call<OtherOperators>(server, 'GET', 'approval/operators', input, { token })).data;

/** An approver whom the admin makes, with the abilities granted by two people if four-eyes are locked. */
async function makeApprover(): Promise<OtpOperator> {
  const made = await makeOtpOperator(server, house.admin.token);
  for (const type of [ABILITY.approval, ABILITY.headquarters, ABILITY.platform]) {
    const asked = await callAs(server, house.admin, 'agent/state', { id: made.id, type, state: 1 });
    if (asked.code === 202) await callAs(server, house.second, 'approval/pass', { id: asked.data.id });
  }
  await server.query(sql`update agent_grant set effective_at = null where operator_id = ${made.id}`);
  await server.query(sql`update agent set otp_since = null where id = ${made.id}`);
  const token = await login(server, made.account, PASSWORD);
  await server.query(sql`update agent set otp_since = 1 where id = ${made.id}`);
  return { ...made, token };
}

describe('the lock', () => {
  test('without a list, every holder counts as known: three whom one admin made approve each other', async () => {
    const [clerk, holder] = [await makeOperator(server, house.admin.token), await makeApprover()];
    expect(await controllersOf(holder.id)).toEqual([1]);
    expect(await lock()).toMatchObject({ code: 200 });
    const people = [house.admin, house.second, holder];
    for (const maker of people)
      for (const checker of people) if (maker !== checker) expect(await decide(maker, checker)).toBe(200);
    // Nobody else: the admin made the clerk before the lock, and it approves later.
    expect(await controllersOf(clerk.id)).toEqual([1]);
    await unlock();
  });

  test('with a list, only those count who are in it, and the asker and the confirmer', async () => {
    const [extra, stranger] = [await makeApprover(), await makeApprover()];
    const others = [
      await makeOperator(server, house.admin.token),
      await makeOperator(server, house.admin.token),
    ] as const;
    expect(await lock([others[0].id, 999_999])).toMatchObject({ code: 422 });
    expect(await controllersOf(others[0].id)).toEqual([1]);
    await server.query(sql`update approval set state = 3 where state = 0`);
    expect(await lock([extra.id, others[0].id])).toMatchObject({ code: 200 });
    expect(await controllersOf(extra.id)).toEqual([]);
    expect(await controllersOf(others[0].id)).toEqual([]);
    expect(await controllersOf(others[1].id)).toEqual([1]);
    const [row] = await server.query(sql<{ known: number[] }>`
      select after -> 'known' as known from audit where action = 'approval.pass' order by id desc limit 1`);
    expect(row?.known).toEqual([1, house.second.id, extra.id, others[0].id].toSorted((a, b) => a - b));

    const { admin, second } = house;
    expect(await decide(admin, extra)).toBe(200);
    // The admin made the stranger before the lock, and is no third person for one whom it made too.
    expect(await decide(admin, stranger)).toBe(403);
    expect(await decide(stranger, admin)).toBe(403);
    expect(await decide(second, stranger)).toBe(200);
    await server.query(sql`insert into operator_control values (${others[1].id}, 1, 'reset', 0)
      on conflict do nothing`);
    await server.query(sql`insert into operator_control values (${extra.id}, ${others[1].id}, 'reset', 0)`);
    // Through the other, the admin reset this one and made that one.
    expect(await decide(stranger, extra)).toBe(403);
    await server.query(sql`delete from operator_control where operator_id = ${extra.id}`);
    await unlock();
  });
});

describe('a later tick', () => {
  let stranger: OtpOperator;
  const ask = (by: Token, id = stranger.id) => callAs(server, by, 'approval/known', { id, reason: '本人当面确认' });
  const pass = (by: Token, id: number) => callAs(server, by, 'approval/pass', { id });

  beforeAll(async () => {
    expect(await ask(house.admin, house.second.id)).toMatchObject({
      code: 409,
      msg: expect.stringContaining('四眼未锁定'),
    });
    stranger = await makeApprover();
    await server.query(
      sql`insert into operator_control values (${house.third.id}, 1, 'made', 0) on conflict do nothing`,
    );
    await lock([]);
  });
  afterAll(unlock);

  test('is refused for oneself and where nothing is on record', async () => {
    expect(await ask(stranger)).toMatchObject({ code: 403 });
    expect(await ask(house.admin, house.second.id)).toMatchObject({ code: 409 });
    expect(await ask(house.admin, 999_999)).toMatchObject({ code: 404 });
  });

  test('is passed by nobody on record, and keeps what happened since the request', async () => {
    expect(await decide(house.admin, stranger)).toBe(403);
    const byOther = await ask(house.second);
    expect(byOther).toMatchObject({ code: 202, data: { targetId: stranger.id } });
    const shown = await fetchData<ApprovalDetail>(server, house.admin.token, 'approval/detail', {
      id: byOther.data.id,
    });
    expect(shown.now).toContainEqual({ label: 'admin 创建', text: expect.stringMatching(/^\d{13}$/), kind: 'time' });
    expect(await pass(house.admin, byOther.data.id)).toMatchObject({ code: 403 });
    // The third one is not known either: the admin made both.
    expect(await pass(house.third, byOther.data.id)).toMatchObject({ code: 403 });
    expect(await pass(stranger, byOther.data.id)).toMatchObject({ code: 403 });
    await callAs(server, house.admin, 'approval/reject', { id: byOther.data.id, reason: 'no' });

    // Who is on record may ask.
    const asked = await ask(house.admin);
    server.clock.move(1_000);
    await server.query(sql`insert into operator_control
      values (${stranger.id}, ${house.third.id}, 'reset', ${server.clock.now()})`);
    expect(await pass(house.second, asked.data.id)).toMatchObject({ code: 200, data: { state: 1 } });
    expect(await controllersOf(stranger.id)).toEqual([house.third.id]);
    await server.query(sql`delete from operator_control where operator_id = ${stranger.id}`);
    expect(await decide(house.admin, stranger)).toBe(200);
    expect(
      (await fetchAuditRows(server, { targetType: 'agent', targetId: stranger.id })).find(
        ({ action, result }) => action === 'approval.known' && result === 200,
      ),
    ).toMatchObject({
      operator: 'admin',
      before: { records: expect.arrayContaining([expect.objectContaining({ by: 'admin', how: 'made' })]) },
    });
  });

  test('is a password set by a link of an independent checker, not of one on record', async () => {
    const owner = await makeApprover();
    const reset = async (maker: Token, checker: Token) => {
      const { data } = await callWithChecker(server, [maker, checker], 'agent/pwd_update', {
        id: owner.id,
        password: 'not-this-one',
      });
      const token = data.link?.path.split('=')[1];
      return call(server, 'POST', 'reset/redeem', { token, password: 'a-brand-new-password' });
    };
    // The maker is above both; the checker reset the owner once.
    await server.query(sql`insert into operator_control values (${owner.id}, ${house.second.id}, 'reset', 0)`);
    expect(await reset(house.admin, house.second)).toMatchObject({ code: 200 });
    expect(await controllersOf(owner.id)).toEqual([1, house.second.id]);
    await server.query(sql`delete from operator_control where controller_id = ${house.second.id}`);
    expect(await reset(house.admin, house.second)).toMatchObject({ code: 200 });
    expect(await controllersOf(owner.id)).toEqual([]);
  });
});

describe('the lists for ticks', () => {
  test('name operators who are no holders, or those with something on record, by a part of the account', async () => {
    const branch = await makeOtpOperator(server, house.admin.token, { abilities: [ABILITY.approval] });
    const below = await makeOperator(server, house.admin.token, { parent: branch.account, account: unique('Below') });
    const search = below.account.toLowerCase();
    const records = [{ by: 'admin', how: 'made', at: expect.any(Number) }];
    expect(await operators({ search }, house.admin)).toMatchObject({
      total: 1,
      list: [{ id: below.id, state: 1, records }],
    });
    expect((await operators({}, house.admin)).list.map(({ id }) => id)).not.toContain(house.second.id);
    expect(await operators({ search: branch.account }, house.admin)).toMatchObject({ total: 0 });
    const recorded = await operators({ recorded: 1, search: branch.account }, house.admin);
    expect(recorded.list[0]?.records.map(({ how }) => how)).toEqual(['made', 'granted']);

    // An approver of one tree sees its own, and all of them while it can confirm the lock. Who is outside has no name.
    const own = await operators({}, branch);
    expect(own.list).toMatchObject([{ id: below.id, records: [{ by: null }] }]);
    await callAs(server, house.admin, 'approval/lock');
    expect((await operators({}, branch)).total).toBeGreaterThan(1);
    await server.query(sql`update approval set state = 3 where state = 0`);
  });
});

test('the migration counts the holders at the lock of a locked installation as known, and nobody else', async () => {
  const file = new URL('../../../../migrations/0048-made-before-lock.sql', import.meta.url);
  const [clerk, holder] = [await makeOperator(server, house.admin.token), await makeApprover()];
  await lock([]);
  const since = server.clock.now() + 1;
  await server.query(sql`insert into operator_control values (${holder.id}, ${house.third.id}, 'reset', ${since})`);
  expect(await controllersOf(holder.id)).toEqual([1, house.third.id]);
  await server.query(sql.raw(await readFile(file, 'utf8')));
  expect(await controllersOf(holder.id)).toEqual([house.third.id]);
  expect(await controllersOf(clerk.id)).toEqual([1]);
  await unlock();
});
