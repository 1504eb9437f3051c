import { ASSET, type AssetAction } from '@hengtai/contract/asset';
import type { Platform } from '@hengtai/contract/money';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../context.ts';
import type { Db } from '../db/connect.ts';
import { inScope } from '../db/scope.ts';
import { type AdjustmentMoney, manualHold } from './asset.rules.ts';

/** An account of a user as an adjustment finds it, measured against the amount that is asked for. */
export interface AssetTarget extends AdjustmentMoney {
  account: string;
  /** Null when there is no such market. */
  marketName: string | null;
  active: string;
  frozen: string;
  /** What operators froze by hand and did not release yet. */
  held: string;
  /** The amount in USDT; null when it has no price. */
  valuation: string | null;
  aboveActive: boolean;
  aboveHeld: boolean;
  /** The balance that would grow would not fit any more. */
  overflows: boolean;
  /** The same action waits for its second person already. */
  waits: boolean;
}

export interface AssetQuestion {
  userId: number;
  marketId: number;
  platform: Platform;
  amount: string;
}

/** The largest balance that numeric(36,18) holds lies just below. */
const TOO_MUCH = '1000000000000000000';

/** Every market can be corrected, a delisted one too; undefined when there is no such user in the operator's tree. */
export async function findAssetTarget(
  ctx: Ctx,
  action: AssetAction,
  name: string,
  { userId, marketId, platform, amount }: AssetQuestion,
): Promise<AssetTarget | undefined> {
  const hold = manualHold(userId);
  const grown = sql.ref(action === ASSET.frozenAdd ? 'f.balance' : 'a.balance');
  const grows =
    action === ASSET.activeSub ? sql`false` : sql`coalesce(${grown}, 0) + ${amount}::numeric >= ${TOO_MUCH}`;
  const bucketOf = (bucket: string) => sql`
    select balance from account where owner = 'user' and owner_id = u.id and market_id = m.id and platform = ${platform}
      and bucket = ${bucket}`;
  const { rows } = await sql<Omit<AssetTarget, 'marketId' | 'platform' | 'amount'>>`
    select u.id as "userId", u.account, u.agent_id as "agentId", m.market_name as "marketName",
      coalesce(a.balance, 0) as active, coalesce(f.balance, 0) as frozen, coalesce(h.amount - h.released, 0) as held,
      value_of(m.id, ${amount}::numeric) as valuation, ${amount}::numeric > coalesce(a.balance, 0) as "aboveActive",
      ${amount}::numeric > coalesce(h.amount - h.released, 0) as "aboveHeld", ${grows} as overflows,
      exists (select from approval p where p.action = ${name} and p.target_type = 'user' and p.target_id = u.id
        and p.state = 0) as waits
    from users u
    left join market m on m.id = ${marketId}
    left join lateral (${bucketOf('active')}) a on true
    left join lateral (${bucketOf('frozen')}) f on true
    left join hold h on h.ref_type = ${hold.refType} and h.ref_id = ${hold.refId} and h.market_id = m.id
      and h.platform = ${platform}
    where u.id = ${userId} and u.deleted_at is null and ${inScope(ctx.scope, 'u.agent_id')}`.execute(ctx.db);
  const found = rows[0];
  return found && { ...found, marketId, platform, amount };
}

export interface NewAdjustment extends AdjustmentMoney {
  action: AssetAction;
  /** 1: counts as recharge or withdrawal in reports. */
  state: number;
  reason: string;
  operatorId: number;
  checkerId: number | null;
  now: number;
}

export async function insertAdjustment(db: Db, row: NewAdjustment): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into adjustment (user_id, agent_id, market_id, platform, action, amount, state, reason, operator_id, checker_id,
      created_at, recorded_at)
    values (${row.userId}, ${row.agentId}, ${row.marketId}, ${row.platform}, ${row.action}, ${row.amount}::numeric,
      ${row.state}, ${row.reason}, ${row.operatorId}, ${row.checkerId}, ${row.now}, ${row.now}) returning id`.execute(
    db,
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('The insert of an asset adjustment returned no row.');
  return id;
}

const COUNTED: Readonly<Record<'recharge' | 'withdraw', AssetAction>> = {
  recharge: ASSET.activeAdd,
  withdraw: ASSET.activeSub,
};

/**
 * A sub-select of the adjustments that reports and charts count beside recharges or withdrawals: user_id, agent_id,
 * market_id, amount, and `at`, the moment that counts. To be limited to the operator's tree by agent_id, as any rows.
 */
export const countedAs = (kind: keyof typeof COUNTED): RawBuilder<unknown> => sql`
  select user_id, agent_id, market_id, amount, created_at as at from adjustment
  where state = 1 and action = ${sql.lit(COUNTED[kind])}`;
