import { literals } from '../../../database/literals.ts';
import { openFollowStates } from '@hengtai/contract/trading/follow/facts';
import { openFutureStates } from '@hengtai/contract/trading/future/facts';
import { openSpotStates } from '@hengtai/contract/trading/spot/facts';
import { openRechargeStates } from '@hengtai/contract/funds/recharge/facts';
import { openWithdrawStates } from '@hengtai/contract/funds/withdraw/facts';
import { BINARY_CONTRACT } from '@hengtai/contract/trading/binary-contract/facts';
import { SIGNAL } from '@hengtai/contract/trading/signal/facts';
import type { MarketAffected, MarketRow, MarketSettings } from '@hengtai/contract/trading/market/schema';
import { sql } from 'kysely';
import type { Change, Words } from '../../../actions/save.ts';
import type { Ctx } from '../../../app/context.ts';
import { Declared } from '../../../app/declared.ts';
import { type Db, withFullScope } from '../../../database/connect.ts';
import { inScope } from '../../../database/scope.ts';

/** The coins of a pair. */
export interface Pair {
  baseId: number;
  quoteId: number;
}

/** @returns undefined if the name is taken, ignoring case */
export async function insertMarket(
  ctx: Pick<Ctx, 'db' | 'now'>,
  m: MarketSettings,
  pair: Pair | undefined,
  by: string | null,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into market (market_name, icon, spot, future, second, ieo, price_precision, amount_precision, min_amount,
      max_amount, maker_fee, taker_fee, max_leverage, maintenance_rate, withdraw_fee, withdraw_min, withdraw_max,
      recharge_state, withdraw_state, networks, sort, state, base_id, quote_id,
      updated_by, created_at, recorded_at, updated_at)
    select ${m.marketName}, ${m.icon}, ${m.spot}, ${m.future}, ${m.second}, ${m.ieo}, ${m.pricePrecision},
      ${m.amountPrecision}, ${m.minAmount}, ${m.maxAmount}, ${m.makerFee}, ${m.takerFee}, ${m.maxLeverage},
      ${m.maintenanceRate}, ${m.withdrawFee}, ${m.withdrawMin}, ${m.withdrawMax}, ${m.rechargeState}, ${m.withdrawState},
      ${JSON.stringify(m.networks)}::jsonb, ${m.sort}, ${m.state}, ${pair?.baseId ?? null}::bigint,
      ${pair?.quoteId ?? null}::bigint, ${by}, ${ctx.now}, ${ctx.now}, ${ctx.now}
    where not exists (select from market where lower(market_name) = lower(${m.marketName}))
    on conflict (market_name) do nothing returning id`.execute(ctx.db);
  return rows[0]?.id;
}

/** Updates a market of this version (optimistic locking). Returns false if the version changed. */
export async function updateMarket(
  ctx: Pick<Ctx, 'db' | 'now'>,
  { id, version, by }: { id: number; version: number; by: string | null },
  m: MarketSettings,
): Promise<boolean> {
  const { rows } = await sql`
    update market set icon = ${m.icon}, spot = ${m.spot}, future = ${m.future}, second = ${m.second}, ieo = ${m.ieo},
      price_precision = ${m.pricePrecision}, amount_precision = ${m.amountPrecision}, min_amount = ${m.minAmount},
      max_amount = ${m.maxAmount}, maker_fee = ${m.makerFee}, taker_fee = ${m.takerFee},
      max_leverage = ${m.maxLeverage}, maintenance_rate = ${m.maintenanceRate}, withdraw_fee = ${m.withdrawFee},
      withdraw_min = ${m.withdrawMin}, withdraw_max = ${m.withdrawMax}, recharge_state = ${m.rechargeState},
      withdraw_state = ${m.withdrawState}, networks = ${JSON.stringify(m.networks)}::jsonb,
      unconfirmed = ${[...m.unconfirmed]}::text[], sort = ${m.sort}, state = ${m.state}, version = version + 1, updated_by = ${by}, updated_at = ${ctx.now}
    where id = ${id} and version = ${version} returning id`.execute(ctx.db);
  return rows.length === 1;
}

/** Waits for the events that read the networks of a market (`takeNetworks`), and lets further ones wait for the save. */
export async function lockNetworks(db: Db, id: number): Promise<void> {
  await sql`select from market where id = ${id} for update`.execute(db);
}

/** Orders that the withdrawals, recharges, wallets and moves on chains of a coin are keyed again. The caller has locked its networks. */
export const requestKeys = (db: Db, marketId: number): Promise<void> =>
  withFullScope(db, async () => {
    await sql`
      insert into key_renewal (table_name, market_id, last_id)
      select 'withdraw', ${marketId}::bigint, max(id) from withdraw where market_id = ${marketId} having count(*) > 0
      union all select 'recharge', ${marketId}::bigint, max(id) from recharge where market_id = ${marketId} having count(*) > 0
      union all select 'wallet', ${marketId}::bigint, max(id) from wallet where market_id = ${marketId} having count(*) > 0
      union all select 'chain_move', ${marketId}::bigint, max(m.id) from chain_move m join wallet w on w.id = m.wallet_id
        where w.market_id = ${marketId} having count(*) > 0
      on conflict (table_name, market_id) do update set after_id = 0, last_id = excluded.last_id`.execute(db);
  });

/** Counts and sums open records of a market that belong to users within the scope. */
export async function findAffected(ctx: Ctx, market: Pick<MarketRow, 'id'>): Promise<MarketAffected['items']> {
  const { rows } = await sql<MarketAffected['items'][number]>`
    select 'withdraw' as what, '进行中的提现' as label, '/withdraw' as path, count(*) as count, sum(w.amount) as amount
      from withdraw w where w.market_id = ${market.id} and w.state in (${literals(...openWithdrawStates)}) and ${inScope(ctx.scope, 'w.agent_id')}
    union all
    select 'recharge', '待确认与挂起的充值', '/recharge', count(*), sum(r.amount)
      from recharge r where r.market_id = ${market.id} and r.state in (${literals(...openRechargeStates)}) and ${inScope(ctx.scope, 'r.agent_id')}
    union all
    select 'trade', '未完成的现货委托', '/trade/order', count(*), sum(o.amount - o.filled)
      from trade_order o where o.market_id = ${market.id} and o.state in (${literals(...openSpotStates)}) and ${inScope(ctx.scope, 'o.agent_id')}
    union all
    select 'future', '合约委托与持仓', '/future/open', count(*), sum(o.rest)
      from future_order o where o.market_id = ${market.id} and o.demo = 0 and o.state in (${literals(...openFutureStates)})
        and ${inScope(ctx.scope, 'o.agent_id')}
    union all
    select 'second', '进行中的秒合约', '/second/open', count(*), sum(c.amount)
      from second_contract c where c.market_id = ${market.id} and c.state = ${sql.lit(BINARY_CONTRACT.open)} and ${inScope(ctx.scope, 'c.agent_id')}
    union all
    -- Signals belong to no agent.
    select 'signal', '进行中的信号', '/signal', count(*), null
      from signal s where s.market_id = ${market.id} and s.state = ${sql.lit(SIGNAL.running)}
    union all
    select 'follow', '进行中的跟单', '/follow', count(*), sum(f.amount)
      from follow f where f.market_id = ${market.id} and f.state in (${literals(...openFollowStates)}) and ${inScope(ctx.scope, 'f.agent_id')}
    union all
    select 'hold', '冻结中的资产', '/fund/record', count(*), sum(h.amount - h.released)
      from hold h where h.market_id = ${market.id} and h.amount > h.released and ${inScope(ctx.scope, 'h.agent_id')}`.execute(
    ctx.db,
  );
  return rows;
}

/** Finds the lines of a module that a save of a market changes, because they inherit from it. */
export type FindInherited = (ctx: Ctx, row: MarketRow, settings: MarketSettings) => Promise<Inherited>;

interface Inherited extends Change {
  words: Words;
}

export const inheritedLines = new Declared<readonly FindInherited[]>('what is inherited from markets');

export async function findInheritedLines(...save: Parameters<FindInherited>): Promise<Inherited> {
  let all: Inherited = { before: {}, after: {}, words: { names: {} } };
  for (const find of inheritedLines.get()) {
    const { before, after, words } = await find(...save);
    all = {
      before: { ...all.before, ...before },
      after: { ...all.after, ...after },
      words: { names: { ...all.words.names, ...words.names }, texts: { ...all.words.texts, ...words.texts } },
    };
  }
  return all;
}
