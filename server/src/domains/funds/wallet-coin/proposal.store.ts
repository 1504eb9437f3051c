import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import { SWEEP_DAYS, TOP_UP_DAYS } from '@hengtai/contract/funds/wallet-coin/facts';
import type { WalletProposal } from '@hengtai/contract/funds/wallet-coin/schema';
import { openTransferStates } from '@hengtai/contract/funds/wallet-transfer/facts';
import { type RawBuilder, sql } from 'kysely';
import { type Db, prepared } from '../../../database/connect.ts';
import { literals } from '../../../database/literals.ts';
import { type CoverBounds, type CoverWallet, proposeTransfer } from './proposal.rules.ts';

/** What is proposed now, at most one transfer a coin. The caller has full scope. */
export async function fetchProposals(db: Db): Promise<WalletProposal[]> {
  const bounds = await findBounds(db);
  const rows = await fetchWallets(db);
  const coins = new Map(rows.map(({ wallet, outflow, precision }) => [wallet.marketId, { outflow, precision }]));
  return [...coins].flatMap(([marketId, coin]) => {
    const wallets = rows.filter(({ wallet }) => wallet.marketId === marketId);
    return proposeTransfer({ ...coin, wallets }, bounds) ?? [];
  });
}

async function findBounds(db: Db): Promise<CoverBounds> {
  const { rows } = await sql<{ key: string; num: string }>`${prepared}
    select key, num from config where key in (${TOP_UP_DAYS}, ${SWEEP_DAYS})`.execute(db);
  const daysOf = (key: string): string => rows.find((row) => row.key === key)?.num ?? '0';
  return { topUp: daysOf(TOP_UP_DAYS), sweep: daysOf(SWEEP_DAYS) };
}

/** Transfers that are not finished, and requests that wait for their checker. */
const ordered = sql`
  select o.*, f.kind as from_kind, t.kind as to_kind
  from (
    select from_id, to_id, amount, out_move_id is null as leaves, in_move_id is null as arrives
    from wallet_transfer where state in (${literals(...openTransferStates)})
    union all
    select (input ->> 'fromId')::bigint, (input ->> 'toId')::bigint, (input ->> 'amount')::numeric, true, true
    from approval where action = 'walletTransfer.request' and state = ${sql.lit(APPROVAL.open)}
  ) o
  join wallet f on f.id = o.from_id join wallet t on t.id = o.to_id`;

const sumOrdered = (condition: RawBuilder<unknown>) =>
  sql`(select coalesce(sum(o.amount), 0) from ordered o where ${condition})`;

/** What moved and is not in the balances of wallets yet. A transfer has its moves at once. */
const pending = sql`
  select m.wallet_id, sum(case p.kind when 'move' then m.amount else -m.amount end) as amount
  from wallet_pending p join chain_move m on m.id = p.ref_id
  where p.kind in ('move', 'revert') and m.kind <> 'fee' group by 1`;

interface CoverRow extends CoverWallet {
  outflow: string;
  precision: number;
}

/** The hot, warm and cold wallets in use of coins that are connected and have a net outflow, those first that are known for longest. */
async function fetchWallets(db: Db): Promise<CoverRow[]> {
  const { rows } = await sql<CoverRow>`${prepared}
    with ordered as materialized (${ordered}), pending as materialized (${pending})
    select c.outflow, m.amount_precision as precision,
      jsonb_build_object('id', w.id, 'name', coalesce(nullif(w.name, ''), w.no), 'kind', w.kind, 'platformId', w.platform_id,
        'platformName', f.name, 'marketId', w.market_id, 'marketName', m.market_name, 'network', w.network) as wallet,
      w.network_key as "networkKey", h.balance,
      greatest(coalesce(least(r.amount, h.balance), 0) - ${sumOrdered(sql`o.from_id = w.id and o.leaves`)}, 0) as available,
      ${sumOrdered(sql`o.to_id = w.id and o.arrives and o.from_kind <> 'hot'`)} as coming,
      ${sumOrdered(sql`o.from_id = w.id and o.leaves and o.to_kind <> 'hot'`)} as leaving
    from wallet_coin c join market m on m.id = c.market_id
    join wallet w on w.market_id = c.market_id and w.state = 1 and w.kind in ('hot', 'warm', 'cold')
    join platform f on f.id = w.platform_id
    left join wallet_balance b on b.wallet_id = w.id
    left join wallet_reading r on r.id = b.reading_id
    left join pending p on p.wallet_id = w.id
    cross join lateral (select coalesce(b.amount, 0) + coalesce(p.amount, 0) as balance) h
    where c.hot is not null and c.outflow is not null
    order by w.id`.execute(db);
  return rows;
}
