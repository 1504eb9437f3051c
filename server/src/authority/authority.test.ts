import { ABILITY } from '@hengtai/contract/authority/ability';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sized } from '../../../testing/level.ts';
import { PASSWORD, type TestOperator, findUser, makeOperator, makeUser, makeWithdraw } from '../../test/factories.ts';
import { fetchAuditRows, countDeadlocks, runWhileLocked, setPolicy, waitUntilBlocked } from '../../test/inspect.ts';
import { type ApiResponse, type TestServer, call, login, testServer } from '../../test/server.ts';
import type { Db } from '../database/connect.ts';
import { checkBook } from '../books/ledger/check.ts';

let server: TestServer;
let admin: string;
beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});

const ABILITY_USERS = 1;
const USER_PATH = 'user/remark';

interface Actor extends TestOperator {
  /** A user of an agent below the actor. */
  userId: number;
  below: TestOperator;
}

async function makeActor(): Promise<Actor> {
  const actor = await makeOperator(server, admin, { abilities: [ABILITY_USERS] });
  const below = await makeOperator(server, admin, { parent: actor.account });
  const account = await makeUser(server, { agent: below.account });
  return { ...actor, below, userId: (await findUser(server, admin, account)).id };
}

const act = ({ token, userId }: Pick<Actor, 'token' | 'userId'>, remark = 'changed') =>
  call(server, 'POST', USER_PATH, { id: userId, remark }, { token });
const sessionOf = async ({ id }: TestOperator): Promise<number> => {
  const [row] = await server.query(sql<{ id: number }>`select max(id) as id from session where operator_id = ${id}`);
  return row?.id ?? 0;
};
const byAdmin = (path: string, input: object, token = admin) => call(server, 'POST', path, input, { token });

/** Each way to revoke what `performAction` needs: as a call of the product, and as its effect in the database. */
const revocations: Record<
  string,
  { product: (actor: Actor) => Promise<ApiResponse>; effect: (tx: Db, actor: Actor) => unknown; code: number }
> = {
  disable: {
    product: ({ id }) => byAdmin('agent/state', { id, type: 0, state: 0 }),
    effect: (tx, { id }) => sql`update agent set state = 0 where id = ${id}`.execute(tx),
    code: 400,
  },
  ability: {
    product: ({ id }) => byAdmin('agent/state', { id, type: ABILITY_USERS, state: 0 }),
    effect: (tx, { id }) => sql`update agent set abilities = '{}' where id = ${id}`.execute(tx),
    code: 403,
  },
  'password reset': {
    product: ({ id }) => byAdmin('agent/pwd_update', { id, password: PASSWORD }),
    effect: (tx, { id }) => sql`update session set ended_at = 1 where operator_id = ${id}`.execute(tx),
    code: 400,
  },
  kick: {
    product: async (actor) => byAdmin('session/kick', { id: await sessionOf(actor) }),
    effect: (tx, { id }) => sql`update session set ended_at = 1 where operator_id = ${id}`.execute(tx),
    code: 400,
  },
  move: {
    product: ({ below }) => byAdmin('agent/parent/change', { id: below.id, parent: 'admin' }),
    effect: async (tx, { id, below }) => {
      await sql`select pg_advisory_xact_lock(5300001)`.execute(tx);
      await sql`delete from closure where ancestor = ${id} and descendant = ${below.id}`.execute(tx);
      await sql`update tree_version set version = 'moved'`.execute(tx);
    },
    code: 404,
  },
};
const names = Object.keys(revocations);
const revocationOf = (name: string) => {
  const found = revocations[name];
  if (!found) throw new Error(name);
  return found;
};

describe('refuses the action when a revocation commits first', () => {
  test.each(names)('%s', async (name) => {
    const actor = await makeActor();
    const { effect, code } = revocationOf(name);
    const [answer] = await runWhileLocked(
      server,
      async (tx) => effect(tx, actor),
      () => act(actor),
    );
    expect(answer?.code).toBe(code);
    const [user] = await server.query(sql<{ remark: string }>`select remark from users where id = ${actor.userId}`);
    expect(user?.remark).not.toBe('changed');
  });

  test('of full scope', async () => {
    const { token, id } = await makeOperator(server, admin, { abilities: [ABILITY_USERS, ABILITY.headquarters] });
    const { userId } = await makeActor();
    const [answer] = await runWhileLocked(
      server,
      (tx) => sql`update agent set abilities = ${[ABILITY_USERS]} where id = ${id}`.execute(tx),
      () => act({ token, userId }),
    );
    expect(answer?.code).toBe(404);
  });
});

describe('makes a later revocation wait for the action', () => {
  test.each(names)('%s', async (name) => {
    const actor = await makeActor();
    let acting: Promise<ApiResponse> | undefined;
    let revoking: Promise<ApiResponse> | undefined;
    let isOver = false;
    await server.owner.transaction().execute(async (tx) => {
      // The action has read its authority and waits for the lock on the user.
      await sql`select 1 from users where id = ${actor.userId} for update`.execute(tx);
      acting = act(actor);
      await waitUntilBlocked(server);
      revoking = revocationOf(name)
        .product(actor)
        .finally(() => (isOver = true));
      await waitUntilBlocked(server, 2);
      expect(isOver).toBe(false);
    });
    const [done, revoked] = await Promise.all([acting, revoking]);
    expect([done?.code, revoked?.code]).toEqual([200, 200]);
    expect(await recordedOf(done)).toBeLessThanOrEqual(await recordedOf(revoked));
    expect((await act(actor)).code).not.toBe(200);
  });
});

async function recordedOf(answer: ApiResponse | undefined): Promise<number> {
  const [row] = await server.query(sql<{ at: number }>`
    select recorded_at as at from audit where request_id = ${answer?.requestId ?? ''} and result = 200`);
  if (!row) throw new Error('no audit row');
  return row.at;
}

describe('under repeated races', () => {
  const rounds = sized({ short: 4, full: 20 });
  test.each(names)('no action commits after the revocation: %s', { tags: ['sized'] }, async (name) => {
    const { product } = revocationOf(name);
    const before = await countDeadlocks(server);
    for (let round = 0; round < rounds; round += 1) {
      const actor = await makeActor();
      const acting = Array.from({ length: 4 }, (_, n) => act(actor, `round ${round} ${n}`));
      const [revoked, ...done] = await Promise.all([product(actor), ...acting]);
      expect(revoked.code).toBe(200);
      const at = await recordedOf(revoked);
      for (const answer of done.filter(({ code }) => code === 200)) {
        expect(await recordedOf(answer)).toBeLessThanOrEqual(at);
      }
      expect(done.filter(({ code }) => code !== 200 && code !== 400 && code !== 403 && code !== 404)).toEqual([]);
      expect((await act(actor)).code).not.toBe(200);
    }
    expect((await countDeadlocks(server)) - before).toBe(0);
  });

  test('moves subtrees while operators act, without a deadlock or an unexpected code', async () => {
    const actors = await Promise.all(Array.from({ length: 4 }, makeActor));
    const homes = actors.map(({ account }) => account);
    const moves = actors.flatMap(({ below }, n) =>
      [1, 2].map((step) =>
        byAdmin('agent/parent/change', { id: below.id, parent: homes[(n + step) % homes.length] ?? 'admin' }),
      ),
    );
    const acting = actors.flatMap((actor) => Array.from({ length: 4 }, () => act(actor)));
    const codes = (await Promise.all([...moves, ...acting])).map(({ code }) => code);
    expect(codes.filter((code) => ![200, 400, 404, 409].includes(code))).toEqual([]);
  });
});

describe('an approval', () => {
  test('fails when its maker loses the ability before the execution commits', async () => {
    const maker = await makeOperator(server, admin, { abilities: [3] });
    const account = await makeUser(server, { agent: maker.account, amount: '1000' });
    await setPolicy(server, 'withdraw.pass', 1);
    const { id } = await makeWithdraw(server, admin, account);
    const asked = await call<{ id: number }>(server, 'POST', 'withdraw/pass', { id }, { token: maker.token });
    expect(asked.code).toBe(202);
    const [passed] = await runWhileLocked(
      server,
      (tx) => sql`update agent set abilities = '{}' where id = ${maker.id}`.execute(tx),
      () => byAdmin('approval/pass', { id: asked.data.id }),
    );
    await setPolicy(server, 'withdraw.pass', 0);
    expect(passed).toMatchObject({ code: 409, data: { answer: '提交人已没有此权限' } });
  });
});

describe('an audit row', () => {
  test('takes its time from the database after the locks, shifted by the clock of the test', async () => {
    const actor = await makeActor();
    server.clock.move(3_600_000);
    let unlockedAt = 0;
    let acting: Promise<ApiResponse> | undefined;
    await server.owner.transaction().execute(async (tx) => {
      await sql`select 1 from agent where id = ${actor.id} for update`.execute(tx);
      acting = act(actor);
      await waitUntilBlocked(server);
      const { rows } = await sql<{ at: number }>`
        select (extract(epoch from clock_timestamp()) * 1000)::bigint as at`.execute(tx);
      unlockedAt = (rows[0]?.at ?? 0) + 3_600_000;
    });
    const done = await acting;
    expect(done?.code).toBe(200);
    const [row] = await fetchAuditRows(server, { requestId: done?.requestId ?? '' });
    const [times] = await server.query(sql<{ recorded: number; created: number }>`
      select recorded_at as recorded, created_at as created from audit where id = ${row?.id ?? 0}`);
    // The offset lies between two readings of the clock, hence the tolerance.
    expect(times?.recorded).toBeGreaterThanOrEqual(unlockedAt - 2);
    expect(times?.created).toBeGreaterThanOrEqual(unlockedAt - 2);
    expect(times?.recorded).toBeLessThan(server.clock.now() + 1_000);
  });
});
