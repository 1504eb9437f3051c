import { BINARY_CONTRACT } from '@hengtai/contract/trading/binary-contract/facts';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { binaryContract as calls } from '@hengtai/contract/trading/binary-contract/calls';
import type {
  BinaryContractConfigRow,
  BinaryContractConfigSettings,
  BinaryContractConfigVersion,
} from '@hengtai/contract/trading/binary-contract/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { type Db, brokenConstraint, prepared } from '../../../database/connect.ts';
import { defineList } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { inScope, namedInScope } from '../../../database/scope.ts';
import { inMarkets } from '../../../gateway/lookup.store.ts';
import type { PlatformScope } from '../../../gateway/platform-scope.ts';

/** Shown instead of a market name for settings that apply to every market. */
export const ALL_MARKETS = '全部市场';

const fieldsFor = ({ scope }: Pick<Ctx, 'scope'>): RawBuilder<unknown> => sql`
  s.id, coalesce(s.market_id, 0) as "marketId", coalesce(m.market_name, ${ALL_MARKETS}) as "marketName", s.seconds,
  s.payout_rate as "payoutRate", s.min_amount as "minAmount", s.max_amount as "maxAmount", s.sort, s.state,
  (select count(*) from second_contract c where c.config_id = s.id and c.state = ${sql.lit(BINARY_CONTRACT.open)}
    and ${inScope(scope, 'c.agent_id')})::int as running,
  s.version, ${namedInScope(scope, 's.updated_by')} as "by", s.created_at as "createdAt", s.updated_at as "updatedAt"`;

const from = sql`second_config s left join market m on m.id = s.market_id`;

const sourceFor = (ctx: Ctx): ListSource => ({
  fields: fieldsFor(ctx),
  from,
  id: 's.id',
  createdAt: 's.created_at',
  filters: { marketId: sql`coalesce(s.market_id, 0)`, seconds: 's.seconds', state: 's.state', id: 's.id' },
  sort: { seconds: 's.seconds', payoutRate: 's.payout_rate', sort: 's.sort' },
});

export const listBinaryContractConfigs = defineList(calls.configList, sourceFor);

export async function findConfig(ctx: Ctx, id: number): Promise<BinaryContractConfigRow | undefined> {
  const { rows } = await sql<BinaryContractConfigRow>`select ${fieldsFor(ctx)} from ${from} where s.id = ${id}`.execute(
    ctx.db,
  );
  return rows[0];
}

/** All versions of a setting, latest first. A trigger keeps them. */
export async function fetchConfigVersions(ctx: Ctx, id: number): Promise<BinaryContractConfigVersion[]> {
  const { rows } = await sql<BinaryContractConfigVersion>`
    select s.version, coalesce(s.market_id, 0) as "marketId", coalesce(m.market_name, ${ALL_MARKETS}) as "marketName",
      s.seconds, s.payout_rate as "payoutRate", s.min_amount as "minAmount", s.max_amount as "maxAmount", s.sort, s.state,
      ${namedInScope(ctx.scope, 's.by_account')} as "by", s.created_at as "createdAt"
    from second_config_version s left join market m on m.id = s.market_id
    where s.config_id = ${id} order by s.version desc`.execute(ctx.db);
  return rows;
}

/** The setting with this market and length. */
export async function findSameLength(
  { db }: Pick<Ctx, 'db'>,
  { marketId, seconds }: Pick<BinaryContractConfigSettings, 'marketId' | 'seconds'>,
): Promise<{ id: number } | undefined> {
  const { rows } = await sql<{ id: number }>`
    select s.id from second_config s where coalesce(s.market_id, 0) = ${marketId} and s.seconds = ${seconds}`.execute(
    db,
  );
  return rows[0];
}

/** `tradable` is false for the settlement asset. */
export async function findConfigMarket(
  { db }: Pick<Ctx, 'db'>,
  id: number,
): Promise<{ name: string; tradable: boolean } | undefined> {
  const { rows } = await sql<{ name: string; tradable: boolean }>`
    select m.market_name as name, m.id <> (select s.id from market s where s.market_name = ${SETTLEMENT}) as tradable from market m
    where m.id = ${id}`.execute(db);
  return rows[0];
}

/** The number of decimals of the settlement asset. */
export async function fetchSettlementPrecision({ db }: Pick<Ctx, 'db'>): Promise<number> {
  const { rows } = await sql<{ precision: number }>`
    select amount_precision as precision from market where market_name = ${SETTLEMENT}`.execute(db);
  return rows[0]?.precision ?? 0;
}

/** @returns undefined if the market has a setting of this length */
export async function insertConfig(ctx: Ctx, input: BinaryContractConfigSettings): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into second_config (market_id, seconds, payout_rate, min_amount, max_amount, sort, state, updated_by, created_at,
      recorded_at, updated_at)
    values (nullif(${input.marketId}::bigint, 0), ${input.seconds}, ${input.payoutRate}, ${input.minAmount},
      ${input.maxAmount}, ${input.sort}, ${input.state}, ${ctx.operator.account}, ${ctx.now}, ${ctx.now}, ${ctx.now})
    on conflict ((coalesce(market_id, 0)), seconds) do nothing returning id`.execute(ctx.db);
  return rows[0]?.id;
}

/**
 * Updates a setting of this version (optimistic locking).
 *
 * @returns false if the version changed, 'taken' if the market has another setting of this length
 */
export async function updateConfig(
  ctx: Ctx,
  id: number,
  version: number,
  input: BinaryContractConfigSettings,
): Promise<boolean | 'taken'> {
  const update = sql`
    update second_config set market_id = nullif(${input.marketId}::bigint, 0), seconds = ${input.seconds},
      payout_rate = ${input.payoutRate}, min_amount = ${input.minAmount}, max_amount = ${input.maxAmount},
      sort = ${input.sort}, state = ${input.state}, version = version + 1, updated_by = ${ctx.operator.account},
      updated_at = ${ctx.now}
    where id = ${id} and version = ${version}`;
  try {
    return (await update.execute(ctx.db)).numAffectedRows === 1n;
  } catch (error) {
    if (brokenConstraint(error) === 'second_config_length') return 'taken';
    throw error;
  }
}

export async function deleteConfig({ db }: Pick<Ctx, 'db'>, id: number): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from second_config where id = ${id}`.execute(db);
  return numAffectedRows === 1n;
}

/** The terms under which a contract is opened. */
export interface OpeningTerms {
  id: number;
  version: number;
  state: number;
  payoutRate: string;
  minAmount: string;
  maxAmount: string;
}

/** The setting of the market for this length, or else the one for every market. */
export async function findTerms(db: Db, marketId: number, seconds: number): Promise<OpeningTerms | undefined> {
  const { rows } = await sql<OpeningTerms>`${prepared}
    select id, version, state, payout_rate as "payoutRate", min_amount as "minAmount", max_amount as "maxAmount"
    from second_config where seconds = ${seconds} and (market_id = ${marketId} or market_id is null)
    order by market_id nulls last limit 1`.execute(db);
  return rows[0];
}

/** The settings for the platform. `market` null means every market without a setting of its own. */
export async function fetchPlatformBinaryContractConfigs(db: Db, scope: PlatformScope): Promise<unknown[]> {
  const { rows } = await sql`
    select m.market_name as market, s.seconds, s.payout_rate as "payoutRate", s.min_amount as "minAmount",
      s.max_amount as "maxAmount", s.sort, s.state
    from second_config s left join market m on m.id = s.market_id
    where m.id is null or ${inMarkets(scope, 'm.market_name')} order by m.sort nulls first, s.sort, s.seconds`.execute(
    db,
  );
  return rows;
}
