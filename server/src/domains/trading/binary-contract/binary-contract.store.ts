import { BINARY_CONTRACT } from '@hengtai/contract/trading/binary-contract/facts';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { binaryContract as calls, binaryContractSides } from '@hengtai/contract/trading/binary-contract/calls';
import type { BinaryContractRow } from '@hengtai/contract/trading/binary-contract/schema';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { type Db, prepared } from '../../../database/connect.ts';
import { defineList } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { lastOfUser, userRows } from '../../../books/lists/user-rows.ts';
import { inScope } from '../../../database/scope.ts';
import { reject } from '../../../gateway/rejected.ts';
import { type OpenProbe, openLabel } from '../../people/user/user-open.store.ts';

/** A list row plus the agent of the user and the terms at opening; tolerance in milliseconds. */
export interface BinaryContractRecord extends BinaryContractRow {
  agentId: number;
  usdtId: number;
  tolerance: number;
  rule: number;
  configId: number;
  configVersion: number;
  recordedAt: number;
}

const fields = sql`
  c.id, c.no, c.user_id as "userId", u.account, g.shown as agent, c.market_id as "marketId", m.market_name as "marketName",
  c.side, c.seconds, c.amount, c.payout_rate as "payoutRate", c.tier, c.payout, c.open_price as "openPrice",
  c.open_tick as "openTick", c.close_price as "closePrice", c.close_tick as "closeTick", c.state, c.type, c.profit,
  c.created_at as "openAt", c.settle_at as "settleAt", c.settled_at as "settledAt", c.reason, c.by_account as "by",
  c.second_by as "secondBy", c.created_at as "createdAt", c.updated_at as "updatedAt"`;

const recordFields = sql`c.agent_id as "agentId", (select s.id from market s where s.market_name = ${SETTLEMENT}) as "usdtId",
  c.tolerance, c.rule, c.config_id as "configId", c.config_version as "configVersion", c.recorded_at as "recordedAt"`;

const base = userRows('second_contract', 'c');
const { from } = base;

const source: ListSource = {
  ...base,
  fields,
  filters: {
    ...base.filters,
    type: 'c.type',
    running: 'c.running',
    side: 'c.side',
    seconds: 'c.seconds',
  },
  sort: { amount: 'c.amount', profit: 'c.profit', settleAt: 'c.settle_at' },
  sums: { marketId: 'c.market_id', fields: { amount: 'c.amount', payout: 'c.payout', profit: 'c.gained' } },
};

const sourceFor = ({ scope }: Pick<Ctx, 'scope'>): ListSource => ({ ...source, where: inScope(scope, 'c.agent_id') });

export const listBinaryContracts = defineList(calls.list, sourceFor);

/** The latest contracts of one user, in any state. */
export const lastBinaryContracts = lastOfUser<BinaryContractRow>(source, 'c');

export async function findBinaryContract(ctx: Ctx, id: number): Promise<BinaryContractRecord | undefined> {
  const { rows } = await sql<BinaryContractRecord>`
    select ${fields}, ${recordFields} from ${from} where c.id = ${id} and ${inScope(ctx.scope, 'c.agent_id')}`.execute(
    ctx.db,
  );
  return rows[0];
}

/**
 * Voids a running contract within the scope whose closing tick is not recorded. This conditional write decides the race with
 * the settlement; returns false if it lost.
 */
export async function voidBinaryContract(
  { db, now, scope }: Ctx,
  id: number,
  { reason, by, secondBy }: { reason: string; by: string; secondBy: string | undefined },
): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`
    select void_second(c.id, ${reason}, ${by}, ${secondBy ?? null}, ${now}) as n
    from second_contract c where c.id = ${id} and ${inScope(scope, 'c.agent_id')}`.execute(db);
  return rows[0]?.n === 1;
}

export interface BinaryContractMarket {
  id: number;
  second: number;
  state: number;
  halted: boolean;
  /** Time of the last tick, unix milliseconds. */
  priceAt: number | null;
  usdtId: number;
  /** Decimals of the settlement asset. */
  precision: number;
  /** Seconds that a tick may be late, measured in tick time. */
  tolerance: string;
}

/** @throws Rejected if the market does not exist */
export async function findBinaryContractMarket(
  db: Db,
  name: string,
  toleranceKey: string,
): Promise<BinaryContractMarket> {
  const { rows } = await sql<BinaryContractMarket>`${prepared}
    select m.id, m.second, m.state, m.second_halted_at is not null as halted, m.price_at as "priceAt", s.id as "usdtId",
      s.amount_precision as precision, t.num as tolerance
    from market m
    join market s on s.market_name = ${SETTLEMENT}
    join config t on t.key = ${toleranceKey}
    where m.market_name = ${name}`.execute(db);
  if (!rows[0]) throw reject('unknown', 'market');
  return rows[0];
}

export interface NewBinaryContract {
  no: string;
  userId: number;
  agentId: number;
  marketId: number;
  side: number;
  seconds: number;
  amount: string;
  payoutRate: string;
  tier: number;
  payout: string;
  configId: number;
  configVersion: number;
  /** Milliseconds. */
  tolerance: number;
  createdAt: number;
  now: number;
}

/** @returns undefined if the number exists */
export async function insertBinaryContract(db: Db, row: NewBinaryContract): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`${prepared}
    insert into second_contract (no, user_id, agent_id, market_id, side, seconds, amount, payout_rate, tier, payout,
      config_id, config_version, tolerance, settle_at, created_at, recorded_at, updated_at)
    values (${row.no}, ${row.userId}, ${row.agentId}, ${row.marketId}, ${row.side}, ${row.seconds}, ${row.amount}::numeric,
      ${row.payoutRate}::numeric, ${row.tier}, ${row.payout}::numeric, ${row.configId}, ${row.configVersion},
      ${row.tolerance}, ${row.createdAt + row.seconds * 1000}, ${row.createdAt}, ${row.now}, ${row.now})
    on conflict (no) do nothing returning id`.execute(db);
  return rows[0]?.id;
}

export const openBinaryContracts: OpenProbe = {
  what: 'second',
  query: (userId) => sql`select c.no, c.amount, m.market_name as market, c.side from second_contract c
    join market m on m.id = c.market_id where c.user_id = ${userId} and c.state = ${sql.lit(BINARY_CONTRACT.open)} order by c.id`,
  describe: ({ no, amount, market, side }) =>
    `秒合约 ${no}（${market} ${openLabel(binaryContractSides, side)} ${amount} USDT）`,
};
