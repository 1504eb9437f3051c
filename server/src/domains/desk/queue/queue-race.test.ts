// @module-tag sized
// @module-tag soak
import { ABILITY } from '@hengtai/contract/authority/ability';
import { CLAIM_LEASE_SECONDS } from '@hengtai/contract/desk/queue/calls';
import type { QueueGiven } from '@hengtai/contract/desk/queue/schema';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { sized } from '../../../../../testing/level.ts';
import { onTron } from '../../../../test/address.ts';
import { type TestOperator, makeOperator, makeUser } from '../../../../test/factories.ts';
import { apply, call, login, provideServer, unique } from '../../../../test/server.ts';

const REVIEWERS = 8;
const CASES = sized({ short: 40, full: 120, long: 1_000 });
/** Of this many given cases, one is held by a reviewer that is killed. */
const KILL_EVERY = 10;

const server = provideServer({ jobs: false });
let reviewers: TestOperator[];

beforeAll(async () => {
  const admin = await login(server);
  const head = await makeOperator(server, admin);
  const abilities = [ABILITY.withdraw, ABILITY.headquarters];
  reviewers = [];
  for (let n = 0; n < REVIEWERS; n += 1)
    reviewers.push(await makeOperator(server, admin, { parent: head.account, abilities }));
  const account = await makeUser(server, { agent: head.account, amount: '1000000' });
  const wallet = { account, market: 'USDT', ...onTron('any'), amount: '1', fee: '0' };
  const request = () => ({ no: unique('W'), ...wallet });
  await apply(server, ...Array.from({ length: CASES }, () => ({ type: 'withdraw.requested', data: request() })));
});

test(`${REVIEWERS} reviewers share ${CASES} cases while some are killed: no collision, none lost`, async () => {
  /** The reviewers that are working on a case, by its id. */
  const working = new Map<number, string>();
  const decided: number[] = [];
  const collisions: string[] = [];
  let given = 0;
  let kills = 0;

  /** Works until the queue has nothing to give. A killed reviewer goes on in a new tab and gives nothing back. */
  async function work(reviewer: TestOperator): Promise<void> {
    const { token, account } = reviewer;
    for (let tab = newTab(account); ;) {
      const answer = await call<QueueGiven>(server, 'POST', 'queue/next', { queue: 'withdrawReview', tab }, { token });
      expect(answer.code).toBe(200);
      const { id } = answer.data;
      if (id === null) return;
      const other = working.get(id);
      if (other !== undefined) collisions.push(`${id} was given to ${account} while ${other} had it`);
      working.set(id, account);
      given += 1;
      if (given % KILL_EVERY === 0) {
        kills += 1;
        working.delete(id);
        tab = newTab(account);
      } else {
        const { code } = await call(server, 'POST', 'withdraw/reject', { id, reason: 'no' }, { token });
        if (code === 200) decided.push(id);
        else collisions.push(`${id} was decided by another one: ${code}`);
        working.delete(id);
      }
    }
  }

  for (let round = 0; decided.length < CASES && round < 20; round += 1) {
    await Promise.all(reviewers.map(work));
    // The leases of those that were killed end.
    server.clock.move(CLAIM_LEASE_SECONDS * 1_000 + 1);
  }
  expect(collisions).toEqual([]);
  expect(new Set(decided).size).toBe(CASES);
  expect(decided).toHaveLength(CASES);
  expect(kills).toBeGreaterThan(0);
  const [left] = await server.query(sql<{ n: number }>`select count(*) as n from withdraw where state = 0`);
  expect(left?.n).toBe(0);
});

const newTab = (account: string): string => unique(`tab-of-${account}-`).padEnd(16, '-');
