import { Client } from 'pg';
import { type Acknowledged, type Load } from '../lib/load.ts';

interface Found {
  recharges: string[];
  passed: string[];
}

/** Compares what was acknowledged with the database. @returns what differs */
export async function compareBooks(load: Load, ownerUrl: string, acknowledged: Acknowledged): Promise<string[]> {
  const found = await fetchBooks(ownerUrl);
  const problems = [
    ...differencesOf('recharge', acknowledged.recharges, found.recharges),
    ...differencesOf('passed withdrawal', acknowledged.passed, found.passed),
  ];
  for (const [account, { active, frozen }] of acknowledged.balances) {
    const expected = JSON.stringify([{ market: 'USDT', platform: 1, active: `${active}`, frozen: `${frozen}` }]);
    const actual = JSON.stringify(await load.balancesOf(account));
    if (actual !== expected) problems.push(`balance of ${account}: ${actual} instead of ${expected}`);
  }
  return problems;
}

/** The numbers of what has its transfer in the ledger, repeated if there are two. */
async function fetchBooks(ownerUrl: string): Promise<Found> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    // Row-level security applies to the owner too.
    const { rows } = await client.query<Found>(`
      with setting as materialized (select set_config('app.scope', 'all', false))
      select
        (select coalesce(json_agg(r.no), '[]') from recharge r join transfer t on t.ref_type = 'recharge' and t.ref_id = r.id
          where r.state = 1) as recharges,
        (select coalesce(json_agg(w.no), '[]') from withdraw w join transfer t on t.ref_type = 'withdraw' and t.ref_id = w.id
          where w.state = 2) as passed
      from setting`);
    return rows[0] ?? { recharges: [], passed: [] };
  } finally {
    await client.end();
  }
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
