import type { Network } from '@hengtai/contract/trading/market/schema';
import { sql } from 'kysely';
import { WALLET_ITEM, type WalletItemCause } from '@hengtai/contract/funds/wallet/item';
import { type Db, prepared } from '../../../database/connect.ts';
import { makeKeys } from '../../../destination/keys.ts';
import type { Match } from './match.rules.ts';
import type { WaitingMove } from './match.store.ts';

interface NewItem {
  why: WalletItemCause;
  state: typeof WALLET_ITEM.waiting | typeof WALLET_ITEM.different;
  alarmId?: number;
}

/**
 * Opens the item of a move, or opens it again. What was explained stays so, and a move that nobody ordered keeps this cause.
 */
export async function openMoveItem(
  db: Db,
  { id, platformId, marketId, network, signed }: WaitingMove,
  { why, state, alarmId }: NewItem,
  now: number,
): Promise<void> {
  await sql`${prepared}
    insert into wallet_item as i (kind, why, state, platform_id, market_id, network, amount, move_id, alarm_id, created_at)
    values ('move', ${why}, ${state}, ${platformId}, ${marketId}, ${network}, ${signed}, ${id}, ${alarmId ?? null}, ${now})
    on conflict (move_id) where move_id is not null do update
      set state = excluded.state, why = case when i.why = 'unordered' then i.why else excluded.why end,
        alarm_id = coalesce(i.alarm_id, excluded.alarm_id)
      where i.state <> ${sql.lit(WALLET_ITEM.explained)}`.execute(db);
}

/** The items of a move and a record that belong to each other are closed. What was posted for the record must be taken back. */
export async function closeItems(db: Db, { move, record }: Match): Promise<void> {
  await sql`${prepared}
    update wallet_item set state = ${sql.lit(WALLET_ITEM.matched)}
    where move_id = ${move.id} and state in (0, 2)`.execute(db);
  await sql`${prepared}
    update wallet_item set state = case when posted = 0 then 1 else 0 end
    where record_type = ${record.type} and record_id = ${record.id} and state in (0, 3)`.execute(db);
}

/** A reverted move needs no explanation. What was explained does, because it did not happen. */
export async function revertItem(db: Db, moveId: number): Promise<void> {
  await sql`${prepared}
    update wallet_item set state = case when state = 3 then 0 else 4 end
    where move_id = ${moveId} and state in (0, 1, 2, 3)`.execute(db);
}

/** Opens items for what was said about fees of chains and contradicts what is posted, or could not be posted. */
export async function openFeeItems(db: Db, now: number): Promise<void> {
  await sql`${prepared}
    insert into wallet_item (kind, why, state, platform_id, market_id, network, amount, fee_id, created_at)
    select 'fee', case f.effect when 'different' then 'feeDiffers' else 'feeUnlisted' end,
      case f.effect when 'different' then 2 else 0 end, f.platform_id, f.market_id, f.network_key, -f.amount, f.id, ${now}
    from chain_fee f where f.effect <> 'posted' and not exists (select from wallet_item i where i.fee_id = f.id)
    order by f.id
    on conflict (fee_id) where fee_id is not null do nothing`.execute(db);
}

/** Whether the other side of a move is a wallet of the platform. Without an address, the transaction must say it. */
export async function isBetweenWallets(db: Db, { id, marketId, network, address }: WaitingMove): Promise<boolean> {
  const { rows: markets } = await sql<{ networks: Network[] }>`${prepared}
    select networks from market where id = ${marketId}`.execute(db);
  const listed = markets[0]?.networks ?? [];
  const otherKey = address.length > 0 ? makeKeys(listed, { network, address, memo: '' }).accountKey : null;
  const { rows } = await sql<{ isOwn: boolean }>`${prepared}
    select case when ${otherKey}::text is null then
      -- The moves of the wallets of the platform cancel out in the transaction.
      (select sum(c.amount) = 0 from chain_move c join wallet o on o.id = c.wallet_id
        where c.tx_hash = m.tx_hash and o.platform_id = w.platform_id and o.network_key = w.network_key
          and o.market_id = w.market_id and c.kind in ('move', 'other')
          and not exists (select from chain_revert v where v.move_id = c.id))
    else exists (select from wallet o
      where o.platform_id = w.platform_id and o.network_key = w.network_key and o.account_key = ${otherKey}::text)
    end as "isOwn"
    from chain_move m join wallet w on w.id = m.wallet_id where m.id = ${id}`.execute(db);
  return rows[0]?.isOwn ?? false;
}

/** The top-level agent, whose operators see what concerns no user. */
export async function findRootAgentId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`select id from agent where parent_id is null`.execute(db);
  const [root] = rows;
  if (!root) throw new Error('The installation has no top-level agent.');
  return root.id;
}
