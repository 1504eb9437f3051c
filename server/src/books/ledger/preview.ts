import { Decimal } from '@hengtai/contract/values/decimal';
import { type SystemAccount, canonical, systemAccountLabels } from '@hengtai/contract/values/money';
import type { LedgerLine } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import type { Db } from '../../database/connect.ts';
import { keyOf } from './account.ts';
import type { Leg } from './post.ts';

/**
 * Computes the entries that posting these legs would write, in order. Balances of the house are left out, because review
 * screens must not show them, unless `houseBalances` has them: those before the legs, which name each such account once.
 */
export async function previewLegs(
  db: Db,
  legs: readonly Leg[],
  houseBalances: Readonly<Partial<Record<SystemAccount, string>>> = {},
): Promise<LedgerLine[]> {
  const lines = legs.flatMap((leg) => [
    { key: keyOf(leg.debit), amount: `-${leg.amount}`, type: leg.debitType },
    { key: keyOf(leg.credit), amount: leg.amount, type: leg.creditType },
  ]);
  const keys = lines.map((line) => line.key);
  const { rows } = await sql<{
    account: string | null;
    market: string;
    platform: number;
    amount: string;
    before: string | null;
    balance: string | null;
  }>`
    select x.account, x.market, x.platform, x.amount, x.balance, x.balance - x.amount as before from (
    select k.n, u.account, m.market_name as market, k.platform, k.amount,
      case when k.owner = 'user' then coalesce(a.balance, 0)
        + sum(k.amount) over (partition by k.owner, k.owner_id, k.market_id, k.platform, k.bucket order by k.n) end as balance
    from unnest(${keys.map((key) => key.owner)}::text[], ${keys.map((key) => key.ownerId)}::bigint[],
      ${keys.map((key) => key.marketId)}::bigint[], ${keys.map((key) => key.platform)}::int[],
      ${keys.map((key) => key.bucket)}::text[], ${lines.map((line) => line.amount)}::numeric[]) with ordinality
      as k(owner, owner_id, market_id, platform, bucket, amount, n)
    join market m on m.id = k.market_id
    left join account a on a.owner = k.owner and a.owner_id = k.owner_id and a.market_id = k.market_id
      and a.platform = k.platform and a.bucket = k.bucket
    left join users u on k.owner = 'user' and u.id = k.owner_id
    ) x order by x.n`.execute(db);
  return rows.map((row, index) => {
    const line = lines[index];
    const owner = line?.key.owner;
    const house = owner && owner !== 'user' ? houseBalances[owner satisfies SystemAccount] : undefined;
    return {
      owner: row.account ?? (owner && owner !== 'user' ? systemAccountLabels[owner satisfies SystemAccount] : '--'),
      platform: row.platform,
      bucket: line?.key.bucket ?? '',
      marketName: row.market,
      type: line?.type ?? 0,
      amount: row.amount,
      before: house === undefined ? row.before : canonical(house),
      balance: house === undefined ? row.balance : new Decimal(house).plus(row.amount).toFixed(),
    };
  });
}
