import { type RawBuilder, sql } from 'kysely';

/** A noun whose rows are counted as they are written; `r` is its table in every expression. */
export interface Rolled {
  code: number;
  table: string;
  /** The table, with what else its expressions read. */
  from: string;
  user: string;
  /** Whether a row counts. */
  counted: string;
  /** What it is filtered by, as two numbers. */
  d1: string;
  d2: string;
  /** The coin; 0 where rows have none. */
  market: string;
  /** What is summed for each coin, by the name of the list's field; three at most. */
  sums: Readonly<Record<string, string>>;
  /** Each filter as it is read back out of d1 and d2. */
  dims: Readonly<Record<string, string>>;
  /** The filter that is mostly asked for by itself, where many d1 and d2 have the same of it. */
  lead?: string;
  /** Filters with an index of all rows that is asked only where few fulfil them, and where the query says `TOLD`. */
  rare: readonly string[];
}

const noun = (given: Partial<Rolled> & Pick<Rolled, 'code' | 'table' | 'dims' | 'd1'>): Rolled => ({
  from: `${given.table} r`,
  user: 'r.user_id',
  counted: 'true',
  d2: '0',
  market: 'r.market_id',
  sums: {},
  rare: [],
  ...given,
});

/** The nouns with big lists. Their codes stand in the database and never change. */
export const rolled = {
  withdraw: noun({
    code: 1,
    table: 'withdraw',
    d1: 'r.state',
    dims: { state: 'd1' },
    rare: ['marketId'],
    sums: { amount: 'r.amount', fee: 'r.fee', received: 'r.received' },
  }),
  recharge: noun({
    code: 2,
    table: 'recharge',
    d1: 'r.state',
    d2: 'r.source',
    dims: { state: 'd1', source: 'd2' },
    rare: ['source', 'marketId'],
    sums: { amount: 'r.amount' },
  }),
  fund: noun({
    code: 3,
    table: 'entry',
    from: 'entry r left join fund_check rc on rc.entry_id = r.id',
    counted: 'r.user_id is not null',
    d1: 'r.type',
    d2: "coalesce(rc.state, 0) * 100 + r.platform * 10 + (r.bucket = 'frozen')::int",
    dims: {
      type: 'd1',
      state: 'd2 / 100',
      platform: 'd2 / 10 % 10',
      bucket: "(case d2 % 10 when 1 then 'frozen' else 'active' end)",
    },
    lead: 'state',
    sums: { amount: 'r.amount' },
  }),
  user: noun({
    code: 4,
    table: 'users',
    user: 'r.id',
    counted: 'r.deleted_at is null',
    d1: 'r.state',
    d2: 'r.auth',
    market: '0::bigint',
    dims: { state: 'd1', auth: 'd2' },
  }),
} as const satisfies Record<string, Rolled>;

/** True of every row `r`; what the indexes of rare values are created with, so that no other query takes them. */
export const TOLD = 'recorded_at is distinct from 0';

export const everyRolled: readonly Rolled[] = Object.values(rolled);

/**
 * Everything; an agent with all below it; an agent alone, with the deleted ones that are shown as this one; a user; a range
 * of accounts, of those whom one of the first three counts.
 */
export const KIND = { all: 0, tree: 1, own: 2, user: 3, range: 4 } as const;

/** The agent as which another is shown, by its id: itself, or who has taken over. */
export const shownOf = (agent: string): RawBuilder<unknown> =>
  sql.raw(`(select s.id from agent a join agent s on s.account_key = a.shown_key where a.id = ${agent})`);

/** All that are shown as an agent. */
export const shownAs = (id: number): RawBuilder<unknown> =>
  sql`(select a.id from agent s join agent a on a.shown_key = s.account_key where s.id = ${id})`;

export interface RollKey {
  noun: number;
  kind: number;
  key: number;
}

/** When a key is cut into blocks, and how many rows a block is meant to have; the same for ranges. */
export interface RollLimits {
  promoteAt: number;
  blockRows: number;
  rangeAt: number;
  rangeRows: number;
  /** So many rows are meant to lie in a block of a range: a page is looked for in all of its ranges at once. */
  rangeBlockRows: number;
}

export const ROLL_LIMITS: RollLimits = {
  promoteAt: 10_000,
  blockRows: 4_096,
  rangeAt: 1_000_000,
  rangeRows: 2 ** 18,
  rangeBlockRows: 2_048,
};

/** A delta names the ids of its rows without so many last bits; no block is smaller. */
export const FINE_BITS = 12;

/** A span is 32 blocks, which are counted together as well: the numbers of its blocks differ in so many last bits. */
export const SPAN_BITS = 5;

/** All rows of a key are counted as one block as well, except apart: that is what its sums are. */
export const WHOLE = 8;
/** No id has so many bits more than those that a block at least leaves out. */
const WHOLE_BITS = 40;

/** What is counted by the block, by the span and as a whole, and how many bits of a block's number the others have less. */
export const LEVELS = sql.raw(
  `(values (0::smallint, 0), (1::smallint, ${SPAN_BITS}), (${WHOLE}::smallint, ${WHOLE_BITS})) as levels(level, up)`,
);

/**
 * How finely the rows of a block or span are told apart, as what it adds to the level: by d1 and d2; not at all; by the
 * noun's lead, which stands as d1 there. Each is counted by coin, and over all coins.
 */
export const GRAIN = { apart: 0, whatever: 2, lead: 4 } as const;
export type Grain = (typeof GRAIN)[keyof typeof GRAIN];

/** The lead of a row with these d1 and d2, of whatever noun it is; null for one that has none. */
export const LEAD = sql.raw(
  `case noun ${everyRolled.flatMap(({ code, dims, lead }) => (lead ? [`when ${code} then ${dims[lead]}`] : [])).join(' ')} end`,
);

export const sumOf = (what: Rolled, at: 0 | 1 | 2): string => Object.values(what.sums)[at] ?? '0::numeric';

/**
 * A row as it is counted, under names that begin with `as`. After `returning`, or in a select from the noun's own table
 * with what it is joined to; the table is called `r` there.
 */
export const imageOf = (what: Rolled, as = 'x'): RawBuilder<unknown> =>
  sql.raw(
    `r.id as ${as}_id, r.agent_id as ${as}_agent, ${what.user} as ${as}_user, ${what.d1} as ${as}_d1, ${what.d2} as ${as}_d2, ` +
      `${what.market} as ${as}_market, (${what.counted})::int as ${as}_n, ${sumOf(what, 0)} as ${as}_s1, ` +
      `${sumOf(what, 1)} as ${as}_s2, ${sumOf(what, 2)} as ${as}_s3, r.created_at as ${as}_at`,
  );

/**
 * The rows that an update is about to change, held, as they are now. The update joins them (`from before where r.id =
 * before.o_id`) and returns both images, so that what was counted until now is taken back exactly.
 */
export const beforeOf = (what: Rolled, condition: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`before as (select ${imageOf(what, 'o')} from ${sql.raw(what.from)} where ${condition} for no key update of r)`;

/** What the update of `before` returns; what lies in a table beside it has not changed by it. */
export const bothOf = (what: Rolled): RawBuilder<unknown> =>
  sql`${imageOf(what.d2.includes('rc.') ? { ...what, d2: 'before.o_d2' } : what)}, before.*`;

const COLUMNS = 'noun, agent_key, user_key, d1, d2, market_key, block, n, s1, s2, s3, lo, hi';
const block = (as: string): string => `${as}_id >> ${FINE_BITS}`;

/** The part of a statement that counts the rows which its CTE `source` inserted; they bring `imageOf`. */
export const countsNew = (what: Rolled, source = 'moved'): RawBuilder<unknown> =>
  sql.raw(
    `insert into roll_delta (${COLUMNS}) select ${what.code}, x_agent, x_user, x_d1, x_d2, x_market, ${block('x')}, ` +
      `x_n, x_s1, x_s2, x_s3, x_at, x_at from ${source} where x_n = 1`,
  );

/** The part of a statement that counts anew the rows which its CTE `moved` changed; they bring `bothOf`. */
export const countsChanged = (what: Rolled): RawBuilder<unknown> =>
  sql.raw(
    `insert into roll_delta (${COLUMNS})
      select ${what.code}, agent, usr, d1, d2, market, block, sum(n), sum(s1), sum(s2), sum(s3), min(at), max(at) from (
        select x_agent as agent, x_user as usr, x_d1 as d1, x_d2 as d2, x_market as market, ${block('x')} as block, x_n as n,
          x_s1 as s1, x_s2 as s2, x_s3 as s3, x_at as at from moved where x_n = 1
        union all
        select o_agent, o_user, o_d1, o_d2, o_market, ${block('o')}, -1, -o_s1, -o_s2, -o_s3, o_at from moved where o_n = 1
      ) changed group by agent, usr, d1, d2, market, block having sum(n) <> 0 or sum(s1) <> 0`,
  );
