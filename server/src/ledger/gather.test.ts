import { PLATFORM } from '@hengtai/contract/money';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeUser } from '../../test/factories.ts';
import { type TestServer, testServer } from '../../test/server.ts';
import { type Db, inTransaction } from '../db/connect.ts';
import { checkLedger } from './check.ts';
import { freezeSoon, lockBalancesSoon, postSoon, releaseSoon, startGathering, writeGathered } from './gather.ts';
import { HoldExceeded, type HoldOwner, activeOf, frozenOf, unfreezeLeg } from './hold.ts';

let server: TestServer;
let owner: HoldOwner;
let lastRef = 5_000_000;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  const account = await makeUser(server, { amount: '100' });
  const [user] = await server.query(
    sql<HoldOwner['user']>`select id, agent_id as "agentId" from users where account = ${account}`,
  );
  if (!user) throw new Error('no such user');
  owner = { user, marketId: 1, platform: PLATFORM.fund };
});
afterAll(() => server.stop());

const newHead = () => ({ refType: 'withdraw', refId: (lastRef += 1), at: Date.now(), now: Date.now() });

const together = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
  inTransaction(server.app.system, async (db) => {
    startGathering(db, Date.now());
    const result = await work(db);
    await writeGathered(db);
    return result;
  });

const balances = () =>
  inTransaction(server.app.system, (db) => lockBalancesSoon(db, [activeOf(owner), frozenOf(owner)], Date.now()));

test('what is gathered counts for whoever asks for a balance before it is written', async () => {
  const [one, other] = [newHead(), newHead()];
  const seen = await together(async (db) => {
    await freezeSoon(db, one, owner, '30');
    const before = await lockBalancesSoon(db, [activeOf(owner), frozenOf(owner)], Date.now());
    await freezeSoon(db, other, owner, '20');
    await releaseSoon(db, one, owner, '30', [unfreezeLeg(owner, '30')]);
    return [before, await lockBalancesSoon(db, [activeOf(owner), frozenOf(owner)], Date.now())];
  });
  expect(seen).toEqual([
    ['70', '30'],
    ['80', '20'],
  ]);
  expect(await balances()).toEqual(['80', '20']);
  await together((db) => releaseSoon(db, other, owner, '20', [unfreezeLeg(owner, '20')]));
  expect(await balances()).toEqual(['100', '0']);
});

test('a release of what nobody holds, or of more than is held in sum, undoes all of it', async () => {
  const held = newHead();
  await together((db) => freezeSoon(db, held, owner, '10'));
  const free = await balances();
  const without = together(async (db) => {
    await freezeSoon(db, newHead(), owner, '5');
    await releaseSoon(db, newHead(), owner, '1', [unfreezeLeg(owner, '1')]);
  });
  await expect(without).rejects.toThrow(HoldExceeded);
  const twice = together(async (db) => {
    await releaseSoon(db, held, owner, '6', [unfreezeLeg(owner, '6')]);
    await releaseSoon(db, held, owner, '6', [unfreezeLeg(owner, '6')]);
  });
  await expect(twice).rejects.toThrow();
  expect(await balances()).toEqual(free);
  expect(await checkLedger(server.app.system)).toEqual([]);
});

test('an account that would be below zero in between is found, though it is not at the end', async () => {
  const before = await balances();
  const borrowed = together(async (db) => {
    const head = newHead();
    await postSoon(db, head, [
      { debit: activeOf(owner), credit: frozenOf(owner), amount: '1000', debitType: 9, creditType: 9 },
    ]);
    await postSoon(db, newHead(), [unfreezeLeg(owner, '1000')]);
  });
  await expect(borrowed).rejects.toThrow();
  expect(await balances()).toEqual(before);
});
