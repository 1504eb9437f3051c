import { literals } from '../../../database/literals.ts';
import { openSpotStates } from '@hengtai/contract/trading/spot/facts';
import { KYC } from '@hengtai/contract/risk/kyc/calls';
import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import { BINARY_CONTRACT } from '@hengtai/contract/trading/binary-contract/facts';
import { IEO } from '@hengtai/contract/trading/ieo/facts';
import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import type { HomeCard } from '@hengtai/contract/desk/home/schema';
import { homeCards } from '@hengtai/contract/desk/home/calls';
import { ONLINE_MINUTES } from '@hengtai/contract/house/session/calls';
import { sql } from 'kysely';
import { isApprovalVisible } from '../../../actions/approval.store.ts';
import type { Ctx } from '../../../app/context.ts';
import type { Db } from '../../../database/connect.ts';
import { reportDays } from '../../../books/lists/report-day.ts';
import { inScope } from '../../../database/scope.ts';
import { fetchFlows } from './home-flow.store.ts';
import { sumCents } from './home.rules.ts';

interface Counts {
  users: string;
  newUsers: string;
  review: string;
  auth: string;
  ieo: string;
  approvals: string;
  trades: string;
  seconds: string;
  futures: string;
}

/** The cards of the operator's scope. Days begin at midnight of the report zone. */
export async function fetchHomeState(ctx: Ctx): Promise<HomeCard[]> {
  const days = await reportDays(ctx.db, ctx.now, 1);
  const dayStart = days[0]?.start ?? ctx.now;
  const { rows } = await sql<Counts>`
    select
      (select count(*) from users u where u.deleted_at is null and ${inScope(ctx.scope, 'u.agent_id')})::text as users,
      (select count(*) from users u where u.created_at >= ${dayStart} and u.deleted_at is null
        and ${inScope(ctx.scope, 'u.agent_id')})::text as "newUsers",
      (select count(*) from withdraw w where w.state = ${sql.lit(WITHDRAW.review)} and ${inScope(ctx.scope, 'w.agent_id')})::text as review,
      (select count(*) from auth a where a.state = ${sql.lit(KYC.waiting)} and ${inScope(ctx.scope, 'a.agent_id')})::text as auth,
      (select count(*) from ieo o where o.state = ${sql.lit(IEO.waiting)} and ${inScope(ctx.scope, 'o.agent_id')})::text as ieo,
      (select count(*) from approval a where a.state = ${sql.lit(APPROVAL.open)} and ${isApprovalVisible(ctx)})::text as approvals,
      (select count(*) from trade_order o where o.state in (${literals(...openSpotStates)}) and ${inScope(ctx.scope, 'o.agent_id')})::text as trades,
      (select count(*) from second_contract c where c.state = ${sql.lit(BINARY_CONTRACT.open)} and ${inScope(ctx.scope, 'c.agent_id')})::text as seconds,
      (select count(*) from future_order o where o.stage = 1 and o.demo = 0 and ${inScope(ctx.scope, 'o.agent_id')})::text as futures`.execute(
    ctx.db,
  );
  const flows = await fetchFlows(ctx, days, 'records');
  const [rechargeValue, withdrawValue] = [sumCents(flows, 'recharge'), sumCents(flows, 'withdraw')];
  const counts = rows[0];
  const scopeIds = ctx.scope.kind === 'all' ? null : ctx.scope.ids;
  const online = await countOnline(ctx.db, scopeIds, ctx.now - ONLINE_MINUTES * 60_000);
  const values = [
    counts?.users,
    counts?.newUsers,
    rechargeValue,
    withdrawValue,
    counts?.review,
    counts?.auth,
    counts?.ieo,
    counts?.approvals,
    counts?.trades,
    counts?.futures,
    counts?.seconds,
    String(online),
  ];
  return homeCards.map((text, index) => ({ text, value: values[index] ?? '0' }));
}

async function countOnline(db: Db, operatorIds: readonly number[] | null, since: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct operator_id) as n from session
    where ended_at is null and last_seen_at >= ${since}
      and (${operatorIds === null} or operator_id = any(${operatorIds === null ? [] : [...operatorIds]}::bigint[]))`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}
