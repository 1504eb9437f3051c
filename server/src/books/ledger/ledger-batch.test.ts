import { PLATFORM } from '@hengtai/contract/values/money';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { makeUser } from '../../../test/factories.ts';
import { provideServer } from '../../../test/server.ts';
import { inTransaction } from '../../database/connect.ts';
import { checkLedger } from './check.ts';
import { FlushFailed, LedgerBatch } from './ledger-batch.ts';
import { HoldExceeded, type HoldOwner, activeOf, frozenOf, unfreezeLeg } from './hold.ts';
import { InsufficientBalance } from './post.ts';

const server = provideServer({ jobs: false });
let owner: HoldOwner;
let lastRef = 5_000_000;

beforeEach(async () => {
  const account = await makeUser(server, { amount: '100' });
  const [user] = await server.query(
    sql<HoldOwner['user']>`select id, agent_id as "agentId" from users where account = ${account}`,
  );
  if (!user) throw new Error('no such user');
  owner = { user, marketId: 1, platform: PLATFORM.fund };
});

const newHead = () => ({ refType: 'withdraw', refId: (lastRef += 1), at: Date.now(), now: Date.now() });

class TestBatch extends LedgerBatch {
  balances = () => this.lockBalances([activeOf(owner), frozenOf(owner)]);
}

const inBatch = <T>(work: (batch: TestBatch) => Promise<T>, isDeferred = true): Promise<T> =>
  inTransaction(server.app.system, async (db) => {
    const batch = new TestBatch(db, Date.now(), isDeferred);
    const result = await work(batch);
    await batch.flush();
    return result;
  });

const balances = () => inBatch((batch) => batch.balances());
/** The error of a flush, or the text of what failed instead. */
const causeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'nothing failed',
    (error: unknown) => (error instanceof FlushFailed ? error.cause : String(error)),
  );

test('balances include waiting transfers', async () => {
  const [one, other] = [newHead(), newHead()];
  const seen = await inBatch(async (batch) => {
    await batch.freeze(one, owner, '30');
    const before = await batch.balances();
    await batch.freeze(other, owner, '20');
    await batch.release(one, owner, '30', [unfreezeLeg(owner, '30')]);
    return [before, await batch.balances()];
  });
  expect(seen).toEqual([
    ['70', '30'],
    ['80', '20'],
  ]);
  expect(await balances()).toEqual(['80', '20']);
  await inBatch((batch) => batch.release(other, owner, '20', [unfreezeLeg(owner, '20')]));
  expect(await balances()).toEqual(['100', '0']);
});

test('the waiting sum counts one coin and account type of one user', async () => {
  const sums = await inBatch(async (batch) => {
    const head = newHead();
    await batch.freeze(head, owner, '30');
    const frozen = batch.sumWaiting(owner);
    await batch.release(head, owner, '30', [
      {
        debit: frozenOf(owner),
        credit: { house: 'custody', stripe: 1, marketId: 1 },
        amount: '30',
        debitType: 9,
        creditType: 9,
      },
    ]);
    return [frozen, batch.sumWaiting(owner), batch.sumWaiting({ ...owner, platform: PLATFORM.spot })];
  });
  expect(sums).toEqual(['0', '-30', '0']);
  await inBatch((batch) =>
    batch.post(newHead(), [
      {
        debit: { house: 'custody', stripe: 1, marketId: 1 },
        credit: activeOf(owner),
        amount: '30',
        debitType: 9,
        creditType: 9,
      },
    ]),
  );
});

test('a release without a hold, or of more than the hold in sum, undoes everything', async () => {
  const held = newHead();
  await inBatch((batch) => batch.freeze(held, owner, '10'));
  const free = await balances();
  const withoutHold = inBatch(async (batch) => {
    await batch.freeze(newHead(), owner, '5');
    await batch.release(newHead(), owner, '1', [unfreezeLeg(owner, '1')]);
  });
  expect(await causeOf(withoutHold)).toBeInstanceOf(HoldExceeded);
  const twice = inBatch(async (batch) => {
    await batch.release(held, owner, '6', [unfreezeLeg(owner, '6')]);
    await batch.release(held, owner, '6', [unfreezeLeg(owner, '6')]);
  });
  expect(await causeOf(twice)).toBeInstanceOf(HoldExceeded);
  expect(await balances()).toEqual(free);
  expect(await checkLedger(server.app.system)).toEqual([]);
});

test('an account that is below zero only between two transfers is found', async () => {
  const before = await balances();
  const borrowed = inBatch(async (batch) => {
    await batch.post(newHead(), [
      { debit: activeOf(owner), credit: frozenOf(owner), amount: '1000', debitType: 9, creditType: 9 },
    ]);
    await batch.post(newHead(), [unfreezeLeg(owner, '1000')]);
  });
  expect(await causeOf(borrowed)).toBeInstanceOf(InsufficientBalance);
  expect(await balances()).toEqual(before);
});

test('a batch that is not deferred writes at once and throws the error itself', async () => {
  const before = await balances();
  const tooMuch = inBatch((batch) => batch.freeze(newHead(), owner, '1000'), false);
  await expect(tooMuch).rejects.toThrow(InsufficientBalance);
  expect(await balances()).toEqual(before);
});
