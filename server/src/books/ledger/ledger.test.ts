// @module-tag soak
import { ENTRY, PLATFORM, type Platform } from '@hengtai/contract/values/money';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  Book,
  type Move,
  type ModelAccount,
  type Outcome,
  formatUnits,
  nameOf,
  parseUnits,
  withoutZeros,
} from '../../../test/ledger-model.ts';
import { makeUser } from '../../../test/factories.ts';
import { countDeadlocks, hashMoneyState } from '../../../test/inspect.ts';
import { provideServer } from '../../../test/server.ts';
import { type Db, brokenConstraint, inTransaction } from '../../database/connect.ts';
import type { AccountName } from './account.ts';
import { type BalanceLine, fetchBalancesAt, fetchBalances } from './balance.ts';
import { checkLedger } from './check.ts';
import { HoldExceeded, type HoldOwner, freeze, frozenOf, release, unfreezeLeg } from './hold.ts';
import { InsufficientBalance, type Leg, type PostedEntry, assertBalanced, post } from './post.ts';
import { previewLegs } from './preview.ts';
import { sized } from '../../../../testing/level.ts';

const server = provideServer({ jobs: false });

interface Person {
  id: number;
  agentId: number;
}

async function createPerson(): Promise<Person> {
  const account = await makeUser(server);
  const [row] = await server.query(sql<Person>`select id, agent_id as "agentId" from users where account = ${account}`);
  if (!row) throw new Error('no such user');
  return row;
}

/** Pays 5 from outside to a user. */
async function pay(user: Person): Promise<void> {
  const credit: AccountName = { user, marketId: 1, platform: PLATFORM.fund, bucket: 'active' };
  const type = { debitType: ENTRY.recharge, creditType: ENTRY.recharge };
  await inSystem((db) =>
    post(db, { refType: 'test', refId: newRef(), at: 0, now: 0 }, [
      { debit: { house: 'custody', stripe: 1, marketId: 1 }, credit, amount: '5', ...type },
    ]),
  );
}

const inSystem = <T>(work: (db: Db) => Promise<T>): Promise<T> => inTransaction(server.app.system, work);

/** Ids of requests, which need no rows in these tests. */
let lastRef = 1_000_000;
const newRef = (): number => (lastRef += 1);

const verdictOf = (error: unknown): Outcome => {
  if (error instanceof InsufficientBalance) return 'insufficient';
  if (error instanceof HoldExceeded) return 'exceeded';
  throw error;
};

function accountOf(people: readonly Person[], { user, house, market, platform, bucket }: ModelAccount): AccountName {
  if (house) return { house, stripe: people[0]?.id ?? 0, marketId: market };
  return { user: personAt(people, user ?? 0), marketId: market, platform, bucket };
}

function personAt(people: readonly Person[], index: number): Person {
  const person = people[index];
  if (!person) throw new Error(`no user ${index}`);
  return person;
}

const legsOf = (people: readonly Person[], moves: readonly Move[]): Leg[] =>
  moves.map(({ from, to, amount }) => ({
    debit: accountOf(people, from),
    credit: accountOf(people, to),
    amount: formatUnits(amount),
    debitType: ENTRY.transferOut,
    creditType: ENTRY.transferIn,
  }));

const asMap = (index: number, lines: readonly BalanceLine[]): [string, bigint][] =>
  lines.flatMap(({ marketId: market, platform, active, frozen }) => [
    [nameOf({ user: index, market, platform: platform as Platform, bucket: 'active' }), parseUnits(active)],
    [nameOf({ user: index, market, platform: platform as Platform, bucket: 'frozen' }), parseUnits(frozen)],
  ]);

/** Balances of all users of a run, now or at a past time. */
async function balancesOfAll(people: readonly Person[], at?: number): Promise<Map<string, bigint>> {
  const all: [string, bigint][] = [];
  for (const [index, { id }] of people.entries()) {
    all.push(
      ...asMap(
        index,
        at === undefined ? await fetchBalances(server.owner, id) : await fetchBalancesAt(server.owner, id, at),
      ),
    );
  }
  return withoutZeros(new Map(all));
}

const usersOf = (balances: ReadonlyMap<string, bigint>): Map<string, bigint> =>
  new Map([...balances].filter(([name]) => name.startsWith('user')));

const PEOPLE = 3;
const market = fc.constantFrom(1, 2);
const platform = fc.constantFrom<Platform>(PLATFORM.fund, PLATFORM.spot);
/** From one unit of the last decimal to thousands, round and not. */
const amount = fc.oneof(
  fc.bigInt(1n, 9n),
  fc.bigInt(1n, 100n * 10n ** 18n),
  fc.bigInt(1n, 50n).map((whole) => whole * 10n ** 18n),
);
const minutes = fc.integer({ min: 0, max: 600 });

const activePlace = fc.record({ user: fc.nat(PEOPLE - 1), platform });
const anywhere = fc.oneof(
  { weight: 4, arbitrary: activePlace.map((place) => ({ ...place, bucket: 'active' as const })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Omit<ModelAccount, 'market'>>(
      { house: 'custody', platform: 1, bucket: 'active' },
      { house: 'fee', platform: 1, bucket: 'active' },
    ),
  },
);
const leg = fc
  .record({ from: anywhere, to: anywhere, market, amount })
  .map(({ from, to, market: coin, amount: size }): Move => ({
    from: { ...from, market: coin },
    to: { ...to, market: coin },
    amount: size,
  }));

type Operation =
  | { kind: 'move'; ago: number; moves: Move[] }
  | { kind: 'freeze'; ago: number; user: number; platform: Platform; market: number; amount: bigint }
  | { kind: 'release'; ago: number; which: number; amount: bigint | 'rest' | 'more'; back: boolean }
  | { kind: 'releaseUnknown'; ago: number };

const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      ago: minutes,
      moves: fc.array(leg, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('freeze' as const),
      ago: minutes,
      user: fc.nat(PEOPLE - 1),
      platform,
      market,
      amount,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('release' as const),
      ago: minutes,
      which: fc.nat(50),
      amount: fc.oneof(amount, fc.constantFrom('rest' as const, 'more' as const)),
      back: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('releaseUnknown' as const), ago: minutes }) },
);

/** Initial balances on every account, without which nearly every operation would be refused. */
const endowment: Operation[] = [1, 2].map((coin) => ({
  kind: 'move',
  ago: 600,
  moves: Array.from({ length: PEOPLE * 2 }, (_, n) => ({
    from: { house: 'custody', market: coin, platform: 1, bucket: 'active' },
    to: { user: n % PEOPLE, market: coin, platform: n < PEOPLE ? PLATFORM.fund : PLATFORM.spot, bucket: 'active' },
    amount: 40n * 10n ** 18n + BigInt(n),
  })),
}));

/** One run: applies each operation to the ledger and to the model, and compares both. */
class Run {
  readonly people: readonly Person[];
  readonly started = server.clock.now();
  readonly book = new Book();
  readonly refs: number[] = [];

  constructor(people: readonly Person[]) {
    this.people = people;
  }

  async apply(step: Operation): Promise<void> {
    const at = this.started - step.ago * 60_000;
    const before = await hashMoneyState(server);
    const [expected, actual] = await this.applyToBoth(step, at);
    expect(actual).toBe(expected);
    if (expected !== 'done') expect(await hashMoneyState(server)).toBe(before);
    await this.checkInvariants();
  }

  /** Returns the verdicts of the model and of the ledger. */
  private async applyToBoth(step: Operation, at: number): Promise<[Outcome, Outcome]> {
    const head = { refType: 'test', refId: newRef(), at, now: this.started };
    if (step.kind === 'move') {
      const legs = legsOf(this.people, step.moves);
      const real = await this.real(async (db) => {
        const previewed = await previewLegs(db, legs);
        const posted = await post(db, head, legs);
        expect(posted.map(toPreviewed)).toEqual(
          previewed.map(({ platform: on, bucket, type, amount: size, balance }) => [on, bucket, type, size, balance]),
        );
      });
      return [this.book.move(at, step.moves), real];
    }
    if (step.kind === 'freeze') {
      const { user, market: coin, platform: on, amount: size } = step;
      const owner: HoldOwner = { user: personAt(this.people, user), marketId: coin, platform: on };
      const real = await this.real((db) => freeze(db, head, owner, formatUnits(size)));
      const expected = this.book.freeze(at, { user, market: coin, platform: on, amount: size });
      if (expected === 'done') this.refs.push(head.refId);
      return [expected, real];
    }
    const hold =
      step.kind === 'release' ? this.book.holds[step.which % Math.max(1, this.book.holds.length)] : undefined;
    if (step.kind === 'releaseUnknown' || !hold) {
      const owner: HoldOwner = { user: personAt(this.people, 0), marketId: 1, platform: 1 };
      return ['exceeded', await this.real((db) => release(db, head, owner, '1', [unfreezeLeg(owner, '1')]))];
    }
    const rest = hold.amount - hold.released;
    const size = step.amount === 'rest' ? rest : step.amount === 'more' ? rest + 1n : step.amount;
    // Nothing is left to release: a leg must move something.
    if (size === 0n) return ['done', 'done'];
    const owner: HoldOwner = { user: personAt(this.people, hold.user), marketId: hold.market, platform: hold.platform };
    const to: ModelAccount = step.back
      ? { user: hold.user, market: hold.market, platform: hold.platform, bucket: 'active' }
      : { house: 'custody', market: hold.market, platform: 1, bucket: 'active' };
    const out: Leg = {
      debit: frozenOf(owner),
      credit: accountOf(this.people, to),
      amount: formatUnits(size),
      debitType: ENTRY.withdraw,
      creditType: ENTRY.withdraw,
    };
    const refId = this.refs[this.book.holds.indexOf(hold)] ?? 0;
    const real = await this.real((db) => release(db, { ...head, refId }, owner, formatUnits(size), [out]));
    return [this.book.release(at, hold, size, to), real];
  }

  private real(work: (db: Db) => Promise<unknown>): Promise<Outcome> {
    return inSystem(work).then(() => 'done' as const, verdictOf);
  }

  /** Conservation, no negative balance, balances = entries = replay, frozen = holds, and all equal to the model. */
  private async checkInvariants(): Promise<void> {
    expect(await checkLedger(server.owner)).toEqual([]);
    expect(await balancesOfAll(this.people)).toEqual(usersOf(this.book.now()));
    for (const coin of [1, 2]) {
      const sum = [...this.book.balances].filter(
        ([name]) => name.split(' ')[name.startsWith('user') ? 2 : 1] === `${coin}`,
      );
      expect(sum.reduce((total, [, balance]) => total + balance, 0n)).toBe(0n);
    }
    const holds = await server.query(sql<{ amount: string; released: string }>`
      select amount, released from hold where ref_type = 'test' and ref_id = any(${this.refs}::bigint[]) order by ref_id`);
    expect(holds.map((hold) => [parseUnits(hold.amount), parseUnits(hold.released)])).toEqual(
      this.book.holds.map(({ amount: size, released }) => [size, released]),
    );
  }

  async checkPastBalances(): Promise<void> {
    for (const ago of [700, 600, 450, 300, 299, 150, 1, 0]) {
      const at = this.started - ago * 60_000;
      expect(await balancesOfAll(this.people, at)).toEqual(usersOf(this.book.balancesAt(at)));
    }
  }
}

/** A posted entry as the preview shows it, without balances of the house. */
const toPreviewed = ({ platform: on, bucket, type, amount: size, balance, userId }: PostedEntry) => [
  on,
  bucket,
  type,
  size,
  userId === null ? null : balance,
];

describe('random operations against the model', () => {
  test('keep conservation, no negative balance, hold limits and replay, and refusals change nothing', async () => {
    const verdicts = { done: 0, refused: 0 };
    // fast-check prints the seed and the shortest failing sequence.
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 12, maxLength: 40, size: 'max' }), async (steps) => {
        const people: Person[] = [];
        for (let n = 0; n < PEOPLE; n += 1) people.push(await createPerson());
        const run = new Run(people);
        for (const step of endowment) await run.apply(step);
        const entries = () => run.book.history.length;
        for (const step of steps) {
          const before = entries();
          await run.apply(step);
          verdicts[entries() > before ? 'done' : 'refused'] += 1;
        }
        await run.checkPastBalances();
      }),
      {
        numRuns: sized({ full: 15, long: 300 }),
        interruptAfterTimeLimit: sized({ full: 100_000, long: 1_500_000 }),
        markInterruptAsFailure: true,
      },
    );
    // Both outcomes must be frequent, or the run covers too little.
    expect(verdicts.done).toBeGreaterThan(50);
    expect(verdicts.refused).toBeGreaterThan(50);
  }, 180_000);
});

describe('amounts', () => {
  test('are exact to the 18th decimal', async () => {
    const [one, other] = [await createPerson(), await createPerson()];
    const account = (user: Person): AccountName => ({ user, marketId: 1, platform: PLATFORM.fund, bucket: 'active' });
    const custody: AccountName = { house: 'custody', stripe: one.id, marketId: 1 };
    let has = 0n;
    let gave = 0n;
    await fc.assert(
      fc.asyncProperty(fc.bigInt(1n, 10n ** 30n), fc.bigInt(1n, 10n ** 30n), async (size, part) => {
        const forwardedAmount = part < size ? part : size;
        const type = { debitType: ENTRY.transferOut, creditType: ENTRY.transferIn };
        const posted = await inSystem((db) =>
          post(db, { refType: 'test', refId: newRef(), at: 0, now: 0 }, [
            { debit: custody, credit: account(one), amount: formatUnits(size), ...type },
            { debit: account(one), credit: account(other), amount: formatUnits(forwardedAmount), ...type },
          ]),
        );
        const start = has;
        has += size - forwardedAmount;
        gave += forwardedAmount;
        expect(posted.filter(({ userId }) => userId !== null).map((entry) => [entry.amount, entry.balance])).toEqual([
          [formatUnits(size), formatUnits(start + size)],
          [formatUnits(-forwardedAmount), formatUnits(has)],
          [formatUnits(forwardedAmount), formatUnits(gave)],
        ]);
      }),
      { numRuns: sized({ full: 60, long: 1_000 }), endOnFailure: true },
    );
    expect((await fetchBalances(server.owner, one.id))[0]?.active).toBe(formatUnits(has));
    expect((await fetchBalances(server.owner, other.id))[0]?.active).toBe(formatUnits(gave));
    expect(await checkLedger(server.owner)).toEqual([]);
  });

  test.each(['0', '-1'])('a leg of %s is rejected', async (size) => {
    const user = await createPerson();
    const legs: Leg[] = [
      {
        debit: { house: 'custody', stripe: 0, marketId: 1 },
        credit: { user, marketId: 1, platform: 1, bucket: 'active' },
        amount: size,
        debitType: ENTRY.recharge,
        creditType: ENTRY.recharge,
      },
    ];
    await expect(inSystem((db) => post(db, { refType: 'test', refId: 1, at: 0, now: 0 }, legs))).rejects.toThrow();
    expect(await fetchBalances(server.owner, user.id)).toEqual([]);
  });
});

describe('concurrent transfers', () => {
  const type = { debitType: ENTRY.transferOut, creditType: ENTRY.transferIn };
  const active = (user: Person, on: Platform = PLATFORM.fund): AccountName => ({
    user,
    marketId: 1,
    platform: on,
    bucket: 'active',
  });
  const transfer = (legs: Leg[]): Promise<Outcome> =>
    inSystem((db) => post(db, { refType: 'test', refId: newRef(), at: 0, now: 0 }, legs)).then(
      () => 'done' as const,
      verdictOf,
    );

  test('in opposite directions between three users cause no deadlock and no lost update', async () => {
    const people = [await createPerson(), await createPerson(), await createPerson()];
    for (const user of people) {
      await transfer([
        { debit: { house: 'custody', stripe: 1, marketId: 1 }, credit: active(user), amount: '1000', ...type },
      ]);
    }
    const before = await countDeadlocks(server);
    const jobs = Array.from({ length: 240 }, (_, n) => {
      const [from, to] = [n % 3, (n + 1 + (n % 2)) % 3];
      const second = (to + 1) % 3;
      return { from, to, second, amount: 10n ** 18n + BigInt(n), rest: BigInt(n + 1) };
    });
    const verdicts = await Promise.all(
      jobs.map(({ from, to, second, amount: size, rest }) =>
        transfer([
          {
            debit: active(personAt(people, from)),
            credit: active(personAt(people, to)),
            amount: formatUnits(size),
            ...type,
          },
          {
            debit: active(personAt(people, to)),
            credit: active(personAt(people, second)),
            amount: formatUnits(rest),
            ...type,
          },
        ]),
      ),
    );
    expect(verdicts.every((verdict) => verdict === 'done')).toBe(true);
    const expected = people.map(() => 1000n * 10n ** 18n);
    const change = (index: number, by: bigint): void => {
      expected[index] = (expected[index] ?? 0n) + by;
    };
    for (const { from, to, second, amount: size, rest } of jobs) {
      change(from, -size);
      change(to, size - rest);
      change(second, rest);
    }
    for (const [index, { id }] of people.entries()) {
      expect((await fetchBalances(server.owner, id))[0]?.active).toBe(formatUnits(expected[index] ?? 0n));
    }
    expect(await countDeadlocks(server)).toBe(before);
    expect(await checkLedger(server.owner)).toEqual([]);
  });

  test('create the same new accounts without a deadlock', async () => {
    const before = await countDeadlocks(server);
    for (let round = 0; round < 12; round += 1) {
      const [one, other] = [await createPerson(), await createPerson()];
      const newAccounts = [active(one), active(other), active(one, PLATFORM.spot), active(other, PLATFORM.spot)];
      // Each transfer uses the same new accounts in another order, and a separate house account.
      const verdicts = await Promise.all(
        Array.from({ length: 8 }, (_, n) => {
          const turned = n % 2 === 0 ? newAccounts : newAccounts.toReversed();
          const order = [...turned.slice(n % 4), ...turned.slice(0, n % 4)];
          const debit: AccountName = { house: 'trading', stripe: n, marketId: 1 };
          return transfer(order.map((credit) => ({ debit, credit, amount: '1', ...type })));
        }),
      );
      expect(verdicts).toEqual(Array.from({ length: 8 }, () => 'done'));
      for (const { id } of [one, other]) {
        expect(await fetchBalances(server.owner, id)).toMatchObject([{ active: '8' }, { active: '8' }]);
      }
    }
    expect(await countDeadlocks(server)).toBe(before);
    expect(await checkLedger(server.owner)).toEqual([]);
  });

  test('succeed until the balance is used up', async () => {
    const [from, to] = [await createPerson(), await createPerson()];
    await transfer([
      { debit: { house: 'custody', stripe: 1, marketId: 1 }, credit: active(from), amount: '10', ...type },
    ]);
    const verdicts = await Promise.all(
      Array.from({ length: 25 }, () => transfer([{ debit: active(from), credit: active(to), amount: '1', ...type }])),
    );
    expect(verdicts.filter((verdict) => verdict === 'done')).toHaveLength(10);
    expect(await fetchBalances(server.owner, from.id)).toMatchObject([{ active: '0' }]);
    expect(await fetchBalances(server.owner, to.id)).toMatchObject([{ active: '10' }]);
  });

  test('never release more than a hold holds', async () => {
    const user = await createPerson();
    await transfer([
      { debit: { house: 'custody', stripe: 1, marketId: 1 }, credit: active(user), amount: '100', ...type },
    ]);
    const owner: HoldOwner = { user, marketId: 1, platform: PLATFORM.fund };
    const refId = newRef();
    const head = { refType: 'test', refId, at: 0, now: 0 };
    // The hold of another request on the same account must not be released.
    await inSystem((db) => freeze(db, { ...head, refId: newRef() }, owner, '50'));
    await inSystem((db) => freeze(db, head, owner, '10'));
    const verdicts = await Promise.all(
      Array.from({ length: 16 }, () =>
        inSystem((db) => release(db, head, owner, '3', [unfreezeLeg(owner, '3')])).then(
          () => 'done' as const,
          verdictOf,
        ),
      ),
    );
    expect(verdicts.filter((verdict) => verdict === 'done')).toHaveLength(3);
    expect(await fetchBalances(server.owner, user.id)).toMatchObject([{ active: '49', frozen: '51' }]);
    expect(await checkLedger(server.owner)).toEqual([]);
  });

  test('a hold releases only what its legs take from the frozen account', async () => {
    const user = await createPerson();
    await transfer([
      { debit: { house: 'custody', stripe: 1, marketId: 1 }, credit: active(user), amount: '10', ...type },
    ]);
    const owner: HoldOwner = { user, marketId: 1, platform: PLATFORM.fund };
    const head = { refType: 'test', refId: newRef(), at: 0, now: 0 };
    await inSystem((db) => freeze(db, head, owner, '10'));
    for (const taken of ['2', '4'])
      await expect(inSystem((db) => release(db, head, owner, '3', [unfreezeLeg(owner, taken)]))).rejects.toThrow(
        `the legs take ${taken} of the 3 that the hold releases`,
      );
    expect(await fetchBalances(server.owner, user.id)).toMatchObject([{ active: '0', frozen: '10' }]);
  });
});

test('entries are two for each leg and sum to zero per coin', () => {
  const entry = (marketId: number, amount: string) => ({ marketId, amount });
  const balanced = [entry(1, '-0.1'), entry(1, '0.1'), entry(2, '-3'), entry(2, '3')];
  expect(() => assertBalanced(balanced, 2)).not.toThrow();
  for (const broken of [
    balanced.slice(2),
    [...balanced.slice(0, 3), entry(1, '3')],
    [...balanced.slice(1), entry(1, '-0.2')],
  ])
    expect(() => assertBalanced(broken, 2)).toThrow('do not balance');
});

describe('protection of the ledger', () => {
  const asApp = async (statement: string): Promise<string> =>
    inSystem((db) => sql.raw(statement).execute(db)).then(
      () => 'done',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );

  test.each([
    ['entry', 'amount'],
    ['leg', 'amount'],
    ['transfer', 'remark'],
  ])('the application can neither change nor delete rows of %s', async (table, column) => {
    expect(await asApp(`update ${table} set ${column} = ${column}`)).toMatch(/permission denied/);
    expect(await asApp(`delete from ${table}`)).toMatch(/permission denied/);
    expect(await asApp(`truncate ${table}`)).toMatch(/permission denied/);
  });

  test('foreign keys keep even the owner from leaving a leg with one entry, or an entry without its leg', async () => {
    await pay(await createPerson());
    const [entry] = await server.query(sql<{ id: number }>`select max(id) as id from entry`);
    const broken = (statement: string) => server.query(sql.raw(statement)).then(() => 'done', brokenConstraint);
    expect(await broken(`delete from entry where id = ${entry?.id}`)).toMatch(/^leg_/);
    expect(await broken(`update entry set amount = amount * 2 where id = ${entry?.id}`)).toMatch(/^leg_/);
    expect(await broken(`delete from leg where id = (select leg_id from entry where id = ${entry?.id})`)).toMatch(
      /^entry_/,
    );
  });

  test('checkLedger reports direct changes of the tables', async () => {
    const user = await createPerson();
    await pay(user);
    const [account] = await server.query(sql<{ id: number }>`select id from account where user_id = ${user.id}`);
    await server.query(sql`update account set balance = 6 where id = ${account?.id}`);
    expect(await checkLedger(server.owner)).toEqual([
      'market 1 does not sum to zero: 1.000000000000000000',
      `account ${account?.id} has balance 6.000000000000000000, its entries sum to 5.000000000000000000`,
    ]);
    await server.query(sql`update account set balance = 5 where id = ${account?.id}`);
    await server.query(sql`insert into hold (ref_type, ref_id, user_id, agent_id, market_id, platform, amount, created_at)
      values ('test', ${newRef()}, ${user.id}, ${user.agentId}, 1, 1, 2, 0)`);
    expect(await checkLedger(server.owner)).toEqual([
      `user ${user.id} market 1 has frozen 0, holds sum to 2.000000000000000000`,
    ]);
    await server.query(sql`delete from hold where user_id = ${user.id}`);
  });
});
