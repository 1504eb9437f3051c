import { ABILITY } from '@hengtai/contract/authority/ability';
import type { FourEyesState } from '@hengtai/contract/desk/approval/schema';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { makeOperator } from '../../test/factories.ts';
import { type Approvers, lockFourEyes, makeApprovers } from '../../test/four-eyes.ts';
import { call, provideServer } from '../../test/server.ts';
import { inTransaction } from '../database/connect.ts';
import { appointApprover, unlockFourEyes } from '../domains/desk/approval/four-eyes-host.store.ts';
import { runHengtai } from '../../test/command-line.ts';

const server = provideServer({ jobs: false });
let house: Approvers;

beforeAll(async () => {
  house = await makeApprovers(server);
});

const run = (...args: string[]) => runHengtai(server, ['four-eyes', ...args]);

const state = async (): Promise<FourEyesState> =>
  (await call<FourEyesState>(server, 'GET', 'approval/four_eyes', {}, { token: house.admin.token })).data;
const fetchNotified = (type: string) =>
  server.query(sql<{ id: number }>`select operator_id as id from notice where type = ${type} order by operator_id`);
const fetchAudit = (action: string) =>
  server.query(sql<{ agent: string; operator: string | null }>`
    select user_agent as agent, operator from audit where action = ${action}`);

test('appoints an effective approver only when fewer than two are left, and unlocks only what is locked', async () => {
  expect(await run('unlock')).toMatchObject({ code: 1, text: expect.stringContaining('四眼未锁定') });
  await lockFourEyes(server, house);
  const successor = await makeOperator(server, house.admin.token);
  expect(await run('appoint', successor.account)).toMatchObject({ code: 1, text: expect.stringContaining('仍有足够') });
  await server.query(sql`update agent set state = 0 where id in (${house.second.id}, ${house.third.id})`);
  expect(await run('appoint', 'nobody.at.all')).toMatchObject({ code: 1 });
  expect(await run('appoint', successor.account)).toMatchObject({
    code: 0,
    text: expect.stringContaining(successor.account),
  });
  const { appointedAt, holders } = await state();
  expect(appointedAt).toBeGreaterThan(0);
  expect(holders.find(({ id }) => id === successor.id)).toMatchObject({
    approver: true,
    abilities: expect.arrayContaining([ABILITY.approval, ABILITY.headquarters]),
  });
  expect(await fetchNotified('fourEyes.appointed')).toEqual([{ id: house.admin.id }, { id: successor.id }]);
  expect(await fetchAudit('fourEyes.appoint')).toEqual([{ agent: 'host', operator: null }]);

  expect(await run('unlock')).toMatchObject({ code: 0, text: expect.stringContaining('四眼已解除锁定') });
  expect(await state()).toMatchObject({ locked: false, lockedBy: null, unlockedAt: expect.any(Number) });
  expect((await fetchNotified('fourEyes.unlocked')).map(({ id }) => id)).toContain(house.admin.id);
  expect(await fetchAudit('fourEyes.unlock')).toEqual([{ agent: 'host', operator: null }]);
  const me = await call<object>(server, 'GET', 'me', {}, { token: house.admin.token });
  expect(me.data).toMatchObject({ fourEyes: { locked: false, unlockedAt: expect.any(Number) } });
});

test('appointing enables the operator, unlocking opens four-eyes, both at the given time', async () => {
  const disabled = await makeOperator(server, house.admin.token);
  await server.query(sql`update agent set state = 0 where id = ${disabled.id}`);
  await inTransaction(server.owner, async (db) => {
    await appointApprover(db, disabled.id, [ABILITY.approval], 5);
    await unlockFourEyes(db, 6);
    const { rows } = await sql`
      select a.state, ${ABILITY.approval} = any(a.abilities) as approver, i.approver_appointed_at as appointed,
        i.four_eyes_locked_at as locked, i.four_eyes_unlocked_at as unlocked
      from agent a, installation i where a.id = ${disabled.id}`.execute(db);
    expect(rows).toEqual([{ state: 1, approver: true, appointed: 5, locked: null, unlocked: 6 }]);
    throw new Error('roll back');
  }).catch((error: Error) => expect(error.message).toBe('roll back'));
});
