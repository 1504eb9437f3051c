import { refusals } from '@hengtai/contract/wire/refusals';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, type ApiResponse, type TestServer, call, testServer, unique } from '../../../../test/server.ts';
import { KNOWN_DEVICE_SLOTS, UNKNOWN_DEVICE_SLOTS, withLoginSlot } from './login-slots.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer({ jobs: false });
});
afterAll(() => server.stop());

const enter = (account: string, headers: Record<string, string> = {}, password = 'not-the-password') =>
  call<{ device: string }>(server, 'POST', 'login', { account, password }, { headers });
const repeat = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

/** Blocks every login attempt at the counting of its guess while `work` runs. */
async function whileLoginsBlocked(work: () => Promise<void>): Promise<void> {
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

test('refuses unknown devices without a free slot, counts no guess, and still lets a known device in', async () => {
  const { device } = (await enter(ADMIN.account, {}, ADMIN.password)).data;
  const ghosts = repeat(UNKNOWN_DEVICE_SLOTS, () => unique('ghost'));
  const lateAccount = unique('late');
  const pending: Promise<ApiResponse>[] = [];
  let owner: Promise<ApiResponse> | undefined;
  await whileLoginsBlocked(async () => {
    pending.push(...ghosts.map((account) => enter(account)));
    // The others are queued and use no database connection.
    await waitingGuesses().toEqual([{ n: 2 }]);
    for (const refused of await Promise.all(repeat(20, () => enter(lateAccount)))) {
      expect(refused).toMatchObject({ status: 429, code: 429, msg: '登录人数较多，请稍后再试' });
    }
    owner = enter(ADMIN.account, { device }, ADMIN.password);
  });
  expect((await Promise.all(pending)).map(({ code }) => code)).toEqual(ghosts.map(() => 401));
  expect(await owner).toMatchObject({ code: 200 });
  // The refused attempts were not counted, so all 20 guesses remain.
  for (let n = 0; n < 20; n += 1) expect(await enter(lateAccount)).toMatchObject({ code: 401 });
});

test('limits known devices to slots of their own', async () => {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const pending = repeat(KNOWN_DEVICE_SLOTS, () => withLoginSlot(true, () => gate));
  await expect(withLoginSlot(true, async () => 'in')).rejects.toThrow(refusals.loginCrowd.msg);
  const unknown = withLoginSlot(false, async () => 'in');
  open();
  expect(await unknown).toBe('in');
  await Promise.all(pending);
  expect(await withLoginSlot(true, async () => 'in')).toBe('in');
});
