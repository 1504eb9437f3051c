import { refusals } from '@hengtai/contract/refusals';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, type Answered, type TestServer, call, testServer, unique } from '../../test/server.ts';
import { KNOWN_AT_ONCE, STRANGERS_AT_ONCE, inCrowd } from './crowd.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer({ jobs: false });
});
afterAll(() => server.stop());

const enter = (account: string, headers: Record<string, string> = {}, password = 'not-the-password') =>
  call<{ device: string }>(server, 'POST', 'login', { account, password }, { headers });
const many = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

/** While it lasts, a login attempt only has its guess counted. */
async function whileNoneGoesOn(work: () => Promise<void>): Promise<void> {
  await server.owner.transaction().execute(async (db) => {
    await sql`lock table login_guard in exclusive mode`.execute(db);
    await work();
  });
}
const waitingGuesses = () =>
  expect.poll(() =>
    server.query(sql<{ n: number }>`
      select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and query like '%login_guard%'`),
  );

test('beyond so many at once strangers are told to come later, uncounted, and a known browser still comes in', async () => {
  const { device } = (await enter(ADMIN.account, {}, ADMIN.password)).data;
  const ghosts = many(STRANGERS_AT_ONCE, () => unique('ghost'));
  const late = unique('late');
  const inside: Promise<Answered>[] = [];
  let owner: Promise<Answered> | undefined;
  await whileNoneGoesOn(async () => {
    inside.push(...ghosts.map((account) => enter(account)));
    // The others wait for their turn, and take no connection meanwhile.
    await waitingGuesses().toEqual([{ n: 2 }]);
    for (const refused of await Promise.all(many(20, () => enter(late)))) {
      expect(refused).toMatchObject({ status: 429, code: 429, msg: '登录人数较多，请稍后再试' });
    }
    owner = enter(ADMIN.account, { device }, ADMIN.password);
  });
  expect((await Promise.all(inside)).map(({ code }) => code)).toEqual(ghosts.map(() => 401));
  expect(await owner).toMatchObject({ code: 200 });
  // All of its guesses are left, so that it may be tried as often as ever.
  for (let n = 0; n < 20; n += 1) expect(await enter(late)).toMatchObject({ code: 401 });
});

test('known browsers have places of their own, and no more than those', async () => {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const inside = many(KNOWN_AT_ONCE, () => inCrowd(true, () => gate));
  await expect(inCrowd(true, async () => 'in')).rejects.toThrow(refusals.loginCrowd.msg);
  const stranger = inCrowd(false, async () => 'in');
  open();
  expect(await stranger).toBe('in');
  await Promise.all(inside);
  expect(await inCrowd(true, async () => 'in')).toBe('in');
});
