import type { HomeCard } from '@hengtai/contract/home.schema';
import { homeCards } from '@hengtai/contract/home';
import { sql } from 'kysely';
import { countedAs } from '../asset/asset.store.ts';
import { visible } from '../approval/approval.store.ts';
import type { App, Ctx } from '../context.ts';
import { inScope } from '../db/scope.ts';
import { countOnline, installationOf } from '../session/session.store.ts';

/** Seen within this long counts as online. */
const ONLINE_MS = 5 * 60_000;

interface Counts {
  users: string;
  newUsers: string;
  recharged: string | null;
  withdrawn: string | null;
  review: string;
  approvals: string;
}

/** The cards of the operator's own tree; days begin in the installation's report zone. */
export async function homeState(ctx: Ctx, _input: object, app: App): Promise<HomeCard[]> {
  const { reportZone } = await installationOf(app.system);
  const { rows } = await sql<Counts>`
    with day as (
      select (extract(epoch from date_trunc('day', to_timestamp(${ctx.now}::bigint / 1000.0) at time zone ${reportZone})
        at time zone ${reportZone}) * 1000)::bigint as start
    )
    select
      (select count(*) from users u where u.deleted_at is null and ${inScope(ctx.scope, 'u.agent_id')})::text as users,
      (select count(*) from users u where u.created_at >= day.start and u.deleted_at is null
        and ${inScope(ctx.scope, 'u.agent_id')})::text as "newUsers",
      (select round(sum(value_of(r.market_id, r.amount)), 2)
        from (select agent_id, market_id, amount, credited_at as at from recharge where state = 1
          union all select agent_id, market_id, amount, at from (${countedAs('recharge')}) c) r
        where r.at >= day.start and ${inScope(ctx.scope, 'r.agent_id')}) as recharged,
      (select round(sum(value_of(w.market_id, w.amount)), 2)
        from (select agent_id, market_id, amount, updated_at as at from withdraw where state = 4
          union all select agent_id, market_id, amount, at from (${countedAs('withdraw')}) c) w
        where w.at >= day.start and ${inScope(ctx.scope, 'w.agent_id')}) as withdrawn,
      (select count(*) from withdraw w where w.state = 0 and ${inScope(ctx.scope, 'w.agent_id')})::text as review,
      (select count(*) from approval a where a.state = 0 and ${visible(ctx)})::text as approvals
    from day`.execute(ctx.db);
  const counts = rows[0];
  const scopeIds = ctx.scope.kind === 'all' ? null : ctx.scope.ids;
  const online = await countOnline(ctx.db, scopeIds, ctx.now - ONLINE_MS);
  // What is not there yet has none: no identity review, subscription, spot order, position or contract exists.
  const values = [
    counts?.users,
    counts?.newUsers,
    counts?.recharged,
    counts?.withdrawn,
    counts?.review,
    '0',
    '0',
    counts?.approvals,
    '0',
    '0',
    '0',
    String(online),
  ];
  return homeCards.map((text, index) => ({ text, value: values[index] ?? '0' }));
}
