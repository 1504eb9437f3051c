// @module-tag full
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Db, openPool, runInScope } from '../src/database/connect.ts';
import { type World, makeWorld } from './matrix-world.ts';
import { type TestServer, testServer } from './server.ts';

let server: TestServer;
let world: World;
let pool: ReturnType<typeof openPool>;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  world = await makeWorld(server);
  pool = openPool({ url: server.urls.app, max: 1, name: 'test-rls', onError: () => undefined });
});
afterAll(async () => {
  await pool.end();
  await server.stop();
});

const asSystem = <T>(work: (trx: Db) => Promise<T>): Promise<T> => runInScope(pool.db, { kind: 'all' }, 0, work);

interface TransferInput {
  legAmount?: string;
  entries: { side: 1 | -1; amount: string; market?: number }[];
  hasLeg?: boolean;
}

/** Inserts a transfer between custody and fee account in one statement, like the server, but possibly a broken one. */
const insertTransfer = ({ legAmount = '5', entries, hasLeg = true }: TransferInput): Promise<unknown> =>
  asSystem(async (trx) => {
    for (const owner of ['custody', 'fee']) {
      await sql`insert into account (owner, owner_id, market_id, platform, bucket, created_at)
        values (${owner}, 99, 1, 0, 'active', 1), (${owner}, 99, 2, 0, 'active', 1) on conflict do nothing`.execute(
        trx,
      );
    }
    const values = entries.map(
      ({ side, amount, market = 1 }) =>
        sql`(${side}::int, ${amount}::numeric, ${market}::bigint, ${side < 0 ? 'custody' : 'fee'})`,
    );
    const legInsert = hasLeg
      ? sql`insert into leg (id, transfer_id, market_id, amount) select l.id, t.id, 1, ${legAmount}::numeric from l, t returning id`
      : sql`select 1`;
    const entryValues =
      values.length > 0
        ? sql`values ${sql.join(values)}`
        : sql`select null::int, null::numeric, null::bigint, null::text where false`;
    await sql`
      with l as (select nextval('leg_id') as id),
      t as (insert into transfer (ref_type, ref_id, created_at, recorded_at) values ('test', 1, 1, 1) returning id),
      e as (
        insert into entry (transfer_id, leg_id, side, account_id, market_id, platform, bucket, type, amount, balance, ref_type,
          ref_id, created_at, recorded_at)
        select t.id, l.id, v.side, a.id, a.market_id, 0, 'active', 1, v.amount, 0, 'test', 1, 1, 1
        from l, t, (${entryValues}) as v (side, amount, market, owner)
        join account a on a.owner = v.owner and a.owner_id = 99 and a.market_id = v.market
      ),
      j as (${legInsert})
      select 1`.execute(trx);
  });
const constraintViolation = { code: expect.stringMatching(/^23(503|505|514)$/) };

test('accepts two entries that sum to zero', async () => {
  await expect(
    insertTransfer({
      entries: [
        { side: -1, amount: '-5' },
        { side: 1, amount: '5' },
      ],
    }),
  ).resolves.toBeUndefined();
});

const invalidTransfers: [string, TransferInput][] = [
  ['a leg without entries', { entries: [] }],
  ['a leg with one entry', { entries: [{ side: -1, amount: '-5' }] }],
  [
    'a leg whose entries are on one side',
    {
      entries: [
        { side: 1, amount: '5' },
        { side: 1, amount: '5' },
      ],
    },
  ],
  [
    'a leg with a third entry',
    {
      entries: [
        { side: -1, amount: '-5' },
        { side: 1, amount: '5' },
        { side: 1, amount: '5' },
      ],
    },
  ],
  [
    'an entry of another amount',
    {
      entries: [
        { side: -1, amount: '-5' },
        { side: 1, amount: '4' },
      ],
    },
  ],
  [
    'entries of another amount than the leg',
    {
      entries: [
        { side: -1, amount: '-4' },
        { side: 1, amount: '4' },
      ],
    },
  ],
  [
    'entries in two markets',
    {
      entries: [
        { side: -1, amount: '-5' },
        { side: 1, amount: '5', market: 2 },
      ],
    },
  ],
  [
    'entries in another market than the leg',
    {
      entries: [
        { side: -1, amount: '-5', market: 2 },
        { side: 1, amount: '5', market: 2 },
      ],
    },
  ],
  [
    'an entry with the sign of the other side',
    {
      entries: [
        { side: -1, amount: '5' },
        { side: 1, amount: '5' },
      ],
    },
  ],
  [
    'entries without a leg',
    {
      hasLeg: false,
      entries: [
        { side: -1, amount: '-5' },
        { side: 1, amount: '5' },
      ],
    },
  ],
  [
    'a leg of zero',
    {
      legAmount: '0',
      entries: [
        { side: -1, amount: '0' },
        { side: 1, amount: '0' },
      ],
    },
  ],
  [
    'a negative leg',
    {
      legAmount: '-5',
      entries: [
        { side: -1, amount: '-5' },
        { side: 1, amount: '5' },
      ],
    },
  ],
];
test.each(invalidTransfers)('refuses %s', async (_name, input) => {
  await expect(insertTransfer(input)).rejects.toMatchObject(constraintViolation);
});

test('refuses a negative balance of a user', async () => {
  const { id } = world.places.own.user;
  await expect(
    asSystem((trx) => sql`update account set balance = -0.000000000000000001 where user_id = ${id}`.execute(trx)),
  ).rejects.toMatchObject({ code: '23514', constraint: 'account_never_negative' });
});

test('refuses to release more than a hold froze', async () => {
  const { id } = world.places.own.user;
  await expect(
    asSystem((trx) => sql`update hold set released = amount + 1 where user_id = ${id}`.execute(trx)),
  ).rejects.toMatchObject({ code: '23514', constraint: 'hold_limits' });
});
