import { Client, type ClientBase } from 'pg';

/** What was acknowledged to platform and operators. */
export interface Expected {
  /** Numbers of the recharges, and of the withdrawals that were passed. */
  recharges: ReadonlySet<string>;
  passed: ReadonlySet<string>;
  /** USDT of every user with money; not compared if undefined. */
  balances?: ReadonlyMap<string, { active: number; frozen: number }>;
}

interface Books {
  recharges: string[];
  passed: string[];
  balances: Record<string, { active: string; frozen: string }>;
}

/**
 * Compares what was acknowledged with the database: all of it, once, and nothing else.
 *
 * @returns what differs
 */
export async function compareBooks(ownerUrl: string, expected: Expected): Promise<string[]> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    return await findDifferences(client, expected);
  } finally {
    await client.end();
  }
}

/** Compares on a connection of the owner. */
export async function findDifferences(client: ClientBase, expected: Expected): Promise<string[]> {
  const books = await fetchBooks(client);
  return [
    ...differencesOf('recharge', expected.recharges, books.recharges),
    ...differencesOf('passed withdrawal', expected.passed, books.passed),
    ...(expected.balances ? differencesOfBalances(expected.balances, books.balances) : []),
  ];
}

/** The numbers of what has its transfer in the ledger, repeated if there are two, and the balances other than zero. */
async function fetchBooks(client: ClientBase): Promise<Books> {
  // Row-level security applies to the owner too.
  const { rows } = await client.query<Books>(`
    with setting as materialized (select set_config('app.scope', 'all', false)),
      balance as (
        select u.account, coalesce(sum(a.balance) filter (where a.bucket = 'active'), 0) as active,
          coalesce(sum(a.balance) filter (where a.bucket = 'frozen'), 0) as frozen
        from setting, account a join users u on u.id = a.user_id join market m on m.id = a.market_id
        where m.market_name = 'USDT' and a.platform = 1 group by u.account)
    select
      (select coalesce(json_agg(r.no), '[]') from recharge r join transfer t on t.ref_type = 'recharge' and t.ref_id = r.id
        where r.state = 1) as recharges,
      (select coalesce(json_agg(w.no), '[]') from withdraw w join transfer t on t.ref_type = 'withdraw' and t.ref_id = w.id
        where w.state = 2) as passed,
      (select coalesce(json_object_agg(account, json_build_object('active', trim_scale(active)::text,
        'frozen', trim_scale(frozen)::text)), '{}') from balance where active <> 0 or frozen <> 0) as balances
    from setting`);
  return rows[0] ?? { recharges: [], passed: [], balances: {} };
}

function differencesOf(what: string, acknowledged: ReadonlySet<string>, found: readonly string[]): string[] {
  const stored = new Set(found);
  const lost = [...acknowledged].filter((no) => !stored.has(no));
  const extra = [...stored].filter((no) => !acknowledged.has(no));
  return [
    ...lost.map((no) => `${what} ${no} was acknowledged and is lost`),
    ...extra.map((no) => `${what} ${no} exists and was not acknowledged`),
    ...(found.length > stored.size ? [`${found.length - stored.size} transfers of a ${what} are doubled`] : []),
  ];
}

function differencesOfBalances(acknowledged: NonNullable<Expected['balances']>, found: Books['balances']): string[] {
  const accounts = new Set([...acknowledged.keys(), ...Object.keys(found)]);
  return [...accounts].flatMap((account) => {
    const { active, frozen } = acknowledged.get(account) ?? { active: 0, frozen: 0 };
    const expected = JSON.stringify({ active: `${active}`, frozen: `${frozen}` });
    const actual = JSON.stringify(found[account] ?? { active: '0', frozen: '0' });
    return actual === expected ? [] : [`balance of ${account}: ${actual} instead of ${expected}`];
  });
}
