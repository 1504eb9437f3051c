import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import { ASSET } from '@hengtai/contract/funds/asset/calls';
import { type AssetAction } from '@hengtai/contract/funds/asset/facts';
import type { Platform } from '@hengtai/contract/values/money';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import type { Db } from '../../../database/connect.ts';
import { inScope } from '../../../database/scope.ts';
import { type AdjustmentMoney, manualHold } from './asset.rules.ts';

/** A user's account with its balances and the checks of the requested amount against them. */
export interface AssetTarget extends AdjustmentMoney {
  account: string;
  /** null if the market does not exist. */
  marketName: string | null;
  active: string;
  frozen: string;
  /** The amount that operators froze manually and have not released. */
  held: string;
  /** The amount in USDT; null if the coin has no price. */
  valuation: string | null;
  /** Time of that price; null without one, and for USDT. */
  pricedAt: number | null;
  exceedsActive: boolean;
  exceedsHeld: boolean;
  /** Whether the increased balance would exceed numeric(36,18). */
  overflows: boolean;
  /** Whether the same action has an open approval for the user. */
  hasOpenApproval: boolean;
}

export interface AdjustmentInput {
  userId: number;
  marketId: number;
  platform: Platform;
  amount: string;
}

/** The first value that numeric(36,18) cannot store. */
const BALANCE_LIMIT = '1000000000000000000';

/** Finds the account in any market, also a delisted one; undefined if the user is not in the operator's scope. */
export async function findAssetTarget(
  ctx: Ctx,
  action: AssetAction,
  actionName: string,
  { userId, marketId, platform, amount }: AdjustmentInput,
): Promise<AssetTarget | undefined> {
  const hold = manualHold(userId);
  const increasedBalance = sql.ref(action === ASSET.frozenAdd ? 'f.balance' : 'a.balance');
  const overflows =
    action === ASSET.activeSub
      ? sql`false`
      : sql`coalesce(${increasedBalance}, 0) + ${amount}::numeric >= ${BALANCE_LIMIT}`;
  const bucketOf = (bucket: string) => sql`
    select balance from account where owner = 'user' and owner_id = u.id and market_id = m.id and platform = ${platform}
      and bucket = ${bucket}`;
  const { rows } = await sql<Omit<AssetTarget, 'marketId' | 'platform' | 'amount'>>`
    select u.id as "userId", u.account, u.agent_id as "agentId", m.market_name as "marketName",
      coalesce(a.balance, 0) as active, coalesce(f.balance, 0) as frozen, coalesce(h.amount - h.released, 0) as held,
      value_of(m.id, ${amount}::numeric) as valuation, usdt_price_at(m.id) as "pricedAt",
      ${amount}::numeric > coalesce(a.balance, 0) as "exceedsActive",
      ${amount}::numeric > coalesce(h.amount - h.released, 0) as "exceedsHeld", ${overflows} as overflows,
      exists (select from approval p where p.action = ${actionName} and p.target_type = 'user' and p.target_id = u.id
        and p.state = ${sql.lit(APPROVAL.open)}) as "hasOpenApproval"
    from users u
    left join market m on m.id = ${marketId} and m.base_id is null
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

const COUNTED_ACTIONS: Readonly<Record<'recharge' | 'withdraw', AssetAction>> = {
  recharge: ASSET.activeAdd,
  withdraw: ASSET.activeSub,
};

/**
 * A sub-select of the adjustments that reports count as recharges or withdrawals, with user_id, agent_id, market_id,
 * amount and `at`. The caller must restrict agent_id to the operator's scope.
 */
export const selectCountedAdjustments = (kind: keyof typeof COUNTED_ACTIONS): RawBuilder<unknown> => sql`
  select user_id, agent_id, market_id, amount, created_at as at from adjustment
  where state = 1 and action = ${sql.lit(COUNTED_ACTIONS[kind])}`;
