import { literals } from '../../../database/literals.ts';
import { openWithdrawStates, withdrawStates, WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import type { NotificationType } from '@hengtai/contract/desk/notify/notification';
import { type WithdrawState, withdraw as calls } from '@hengtai/contract/funds/withdraw/calls';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import type { platformReads } from '@hengtai/contract/gateway/reads.schema';
import type { Static } from '@sinclair/typebox';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { type Db, prepared } from '../../../database/connect.ts';
import { isOperator } from '../../../books/lists/filter.ts';
import { defineList } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { lastOfUser, userRows } from '../../../books/lists/user-rows.ts';
import { counters } from '../../../books/lists/counters.ts';
import { inListScope, inScope } from '../../../database/scope.ts';
import { isOnReportDay } from '../../../books/lists/report-day.ts';
import { type BulkRow, unnestRows } from '../../../database/bulk.ts';
import type { Writer } from '../../../gateway/event-batch.ts';
import { reject } from '../../../gateway/rejected.ts';
import { explorerOf } from '../../../books/lists/explorer.ts';
import { intakeTime } from './payout-bound.store.ts';
import { isUnexplained } from './payout-statement.store.ts';
import { findRelatedListed, moveEffects } from './payout-step.store.ts';
import { outcomeFilters } from './withdraw-filter.store.ts';
import { risksOf } from './withdraw-risk.store.ts';
import type { DecidedWithdraw, WithdrawMove, WithdrawRecord } from './withdraw.rules.ts';
import { movedMoney, notificationInsert, notificationStepsInsert } from '../../../actions/notification.store.ts';
import { type OpenProbe, openLabel } from '../../people/user/user-open.store.ts';
import type { DestinationInput } from '../../../destination/destination.ts';
import { keyTypes } from '../../../destination/keys.ts';

const fields = sql`
  w.id, w.no, w.user_id as "userId", u.account, g.shown as agent, w.market_id as "marketId",
  m.market_name as "marketName", w.network, w.address, w.memo, w.amount, w.fee, w.received, w.valuation,
  w.tx_hash as "txHash", w.attempt, w.state, w.reason, w.by_account as "by", w.reviewed_at as "reviewedAt",
  w.second_by as "secondBy", w.risk, coalesce(x.points, 0) as points, coalesce(x.hold, false) as held,
  u.state = 0 as "userFrozen", ${isUnexplained(sql`w.id`)} as unexplained,
  case when x.hits <> '{}' then array(select r.name from rule r where r.id = any(x.hits) order by r.id) else '{}' end as rules,
  ${explorerOf('m.networks', 'w.network')} as explorer,
  w.created_at as "createdAt", w.updated_at as "updatedAt"`;

const base = userRows('withdraw', 'w');
const from = sql`${base.from} left join rule_result x on x.withdraw_id = w.id`;

const source: ListSource = {
  ...base,
  from,
  fields,
  ends: 'withdraw',
  account: 'w.account_key',
  filters: {
    ...base.filters,
    address: 'w.address',
    txHash: 'w.tx_hash',
    by: isOperator('w.by_account'),
    paidDay: (day) => isOnReportDay('w.paid_at', String(day)),
    risk: 'w.risk',
    ...outcomeFilters,
  },
  sort: { amount: 'w.amount', valuation: 'w.valuation', reviewedAt: 'w.reviewed_at' },
  counted: { ...counters.withdraw, from: sql`withdraw w`, user: 'w.user_id' },
  sums: { marketId: 'w.market_id', fields: { amount: 'w.amount', fee: 'w.fee', received: 'w.received' } },
};

export const listWithdraws = defineList(calls.list, ({ scope }) => ({
  ...source,
  where: inListScope(scope, 'w.agent_id'),
}));

/** The last withdrawals of one user. */
export const lastWithdraws = lastOfUser<WithdrawRow>(source, 'w');

export async function findWithdraw(ctx: Pick<Ctx, 'db' | 'scope'>, id: number): Promise<DecidedWithdraw | undefined> {
  const { rows } = await sql<DecidedWithdraw>`${prepared}
    select ${fields}, w.agent_id as "agentId", u.payout_held_until as "payoutHeldUntil",
      u.platform_id as "platformId", m.networks as "listedNetworks", value_of(w.market_id, w.amount) as "valueNow", usdt_price_at(w.market_id) as "pricedAt"
    from ${from}
    where w.id = ${id} and ${inScope(ctx.scope, 'w.agent_id')}`.execute(ctx.db);
  return rows[0];
}

/**
 * Locks the user of a withdrawal before its payout is ordered: a freeze that committed first is seen, and one that commits
 * later finds the payout.
 *
 * @returns whether the user is frozen
 */
export async function lockPayoutUser(db: Db, userId: number): Promise<boolean> {
  const { rows } = await sql<{ state: number }>`${prepared}
    select state from users where id = ${userId} for no key update`.execute(db);
  return rows[0]?.state === 0;
}

/** Finds a withdrawal by the platform's number, without a scope, for events. */
export async function findWithdrawByNo(db: Db, no: string): Promise<WithdrawRecord | undefined> {
  const { rows } = await sql<WithdrawRecord>`${prepared}
    select ${fields}, w.agent_id as "agentId" from ${from} where w.no = ${no}`.execute(db);
  return rows[0];
}

type PlatformWithdraw = Static<typeof platformReads.withdrawal>;

/** A withdrawal as the platform reported it, with its state. */
export async function readPlatformWithdraw(
  db: Db,
  platformId: number,
  no: string,
): Promise<PlatformWithdraw | undefined> {
  const { rows } = await sql<PlatformWithdraw>`
    select w.no, u.account, m.market_name as market, w.network, w.address, w.memo, w.amount, w.fee, w.state, w.attempt,
      w.tx_hash as "txHash"
    from withdraw w join users u on u.id = w.user_id join market m on m.id = w.market_id where w.no = ${no}
      and u.platform_id = ${platformId}`.execute(db);
  return rows[0];
}

/** The notification of a move to each state. */
const notificationTypes: Readonly<Record<WithdrawState, NotificationType>> = {
  0: 'withdraw.returned',
  1: 'withdraw.second',
  2: 'withdraw.queued',
  3: 'withdraw.paying',
  4: 'withdraw.paid',
  5: 'withdraw.rejected',
  6: 'withdraw.cancelled',
  7: 'withdraw.failed',
  8: 'withdraw.unknown',
  9: 'withdraw.refunded',
};

/**
 * Moves a withdrawal to another state if it is still in one of the states `from`. This conditional write decides every
 * race.
 *
 * @returns whether this call moved it
 */
export async function moveWithdraw(db: Db, id: number, move: WithdrawMove): Promise<boolean> {
  const { rows } = await sql`${prepared}
    with moved as (update withdraw r set state = ${move.to}, updated_at = ${move.now},
      attempt = attempt + ${move.attempt ? 1 : 0},
      reason = coalesce(${move.reason ?? null}, reason),
      by_account = coalesce(${move.by ?? null}, by_account),
      reviewed_at = case when ${move.by ?? null}::text is null then reviewed_at else ${move.now} end,
      second_by = coalesce(${move.secondBy ?? null}, second_by),
      tx_hash = coalesce(${move.txHash ?? null}, tx_hash),
      paying_from = ${move.to === WITHDRAW.paying ? intakeTime(move.now) : null},
      silent_at = ${move.isSilent ? move.now : null},
      paid_at = coalesce(${move.to === WITHDRAW.paid ? (move.at ?? move.now) : null}::bigint, paid_at)
    where r.id = ${id} and r.state = any(${[...move.from]}::int[])
    returning ${movedMoney}),
    notified as (${notificationInsert(notificationTypes[move.to as WithdrawState], move.at ?? move.now, move.now)})
    ${moveEffects(move)}
    select 1 from moved`.execute(db);
  return rows.length === 1;
}

/** Like `moveWithdraw`, but only while `attempt` is the current payout attempt. */
export async function moveAttempt(db: Db, id: number, attempt: number, move: WithdrawMove): Promise<boolean> {
  const { rows } =
    await sql`${prepared}select 1 from withdraw where id = ${id} and attempt = ${attempt} for no key update`.execute(
      db,
    );
  return rows.length === 1 && moveWithdraw(db, id, move);
}

const withdrawTypes = {
  id: 'bigint',
  no: 'text',
  userId: 'bigint',
  agentId: 'bigint',
  marketId: 'bigint',
  network: 'text',
  address: 'text',
  memo: 'text',
  ...keyTypes,
  amount: 'numeric',
  fee: 'numeric',
  txHash: 'text',
  state: 'int',
  reason: 'text',
  by: 'text',
  reviewedAt: 'bigint',
  secondBy: 'text',
  price: 'numeric',
  waiting: 'numeric',
  related: 'boolean',
  paidAt: 'bigint',
  createdAt: 'bigint',
  updatedAt: 'bigint',
  now: 'bigint',
} as const;

export interface NewWithdraw extends Omit<
  BulkRow<typeof withdrawTypes>,
  | 'id'
  | 'txHash'
  | 'reason'
  | 'by'
  | 'reviewedAt'
  | 'secondBy'
  | 'price'
  | 'waiting'
  | 'related'
  | 'paidAt'
  | 'updatedAt'
> {
  txHash?: string | undefined;
  reason?: string | undefined;
  by?: string | undefined;
  reviewedAt?: number | undefined;
  secondBy?: string | undefined;
  /** Time of the last change of state, unix milliseconds; only imports set it. */
  updatedAt?: number;
  /** The price of a tick that is not written yet (see `findWaitingPrice`). */
  price?: string | undefined;
  /** For a request, whose risks are stored: the waiting transfers on the user's account (see `RiskSubject`). */
  waiting?: string;
  /** Of a request: what address lists are asked for. */
  payee?: DestinationInput;
}

/**
 * Inserts withdrawals with their valuation in USDT, and the risks of requests.
 *
 * @throws Rejected if a number exists
 */
export const newWithdraws: Writer<NewWithdraw & { id: number }> = {
  // The risks read the other tables. Prices are left out: ticks of the batch are written later.
  tables: ['withdraw', 'credential_change', 'config', 'account', 'entry', 'address_entry', 'address_entry_key'],
  write: insertWithdraws,
};

async function insertWithdraws(db: Db, withdraws: readonly (NewWithdraw & { id: number })[]): Promise<void> {
  const requests = withdraws.flatMap(({ id, payee, now }) => (payee ? [{ id, payee, now }] : []));
  const payees = requests.map(({ payee }) => payee);
  const isRelated = await findRelatedListed(db, payees, requests[0]?.now ?? 0);
  const related = new Set(requests.filter((_, index) => isRelated[index]).map(({ id }) => id));
  const withDefaults = withdraws.map((row) => ({
    ...row,
    related: related.has(row.id),
    txHash: row.txHash ?? '',
    reason: row.reason ?? '',
    by: row.by,
    reviewedAt: row.reviewedAt,
    secondBy: row.secondBy,
    price: row.price,
    waiting: row.waiting,
    // An imported paid withdrawal has no payment time, so the time of its review is used.
    paidAt: row.state === WITHDRAW.paid ? (row.reviewedAt ?? row.createdAt) : null,
    updatedAt: row.updatedAt ?? row.now,
  }));
  const all = sql`(select id, user_id, account_key, memo_key, beneficiary, account_rules, market_id, amount, valuation, state, created_at, 0 as n from withdraw
    union all select id, user_id, account_key, memo_key, beneficiary, account_rules, market_id, amount, valuation, state, created_at, n from fresh)`;
  const { rows } = await sql`${prepared}
    with fresh as (
      select id, no, "userId" as user_id, "agentId" as agent_id, "marketId" as market_id, network, address, memo, amount,
        fee, case when price is null then value_of("marketId", amount) when amount * price < 1e18 then round(amount * price, 18) end as valuation,
        "txHash" as tx_hash, state, reason, "by", "reviewedAt" as reviewed_at, "secondBy" as second_by, "paidAt" as paid_at,
        "createdAt" as created_at, now, "updatedAt" as updated_at, waiting, related, n,
        "accountKey" as account_key, "memoKey" as memo_key, beneficiary, string_to_array("addressFaults", ',') as address_faults,
        "accountRules" as account_rules
      from ${unnestRows('w', withdrawTypes, withDefaults)}
    ),
    moved as (insert into withdraw as r (id, no, user_id, agent_id, market_id, network, address, memo, amount, fee,
      valuation, tx_hash, state, reason, by_account, reviewed_at, second_by, paid_at, created_at, recorded_at, updated_at,
      account_key, memo_key, beneficiary, address_faults, account_rules, risk) overriding system value
    select id, no, user_id, agent_id, market_id, network, address, memo, amount, fee, valuation, tx_hash, state, reason, "by",
      reviewed_at, second_by, paid_at, created_at, now, updated_at, account_key, memo_key, beneficiary, address_faults, account_rules,
      case when waiting is null then '{}' else ${risksOf(all)} end
    from fresh w order by n
    on conflict (no) do nothing returning ${movedMoney}, r.recorded_at, r.created_at),
    notified as (${notificationStepsInsert([{ type: 'withdraw.requested', state: WITHDRAW.review, of: [WITHDRAW.review] }])})
    select 1 from moved`.execute(db);
  if (rows.length < withdraws.length) throw reject('exists');
}

export const openWithdraws: OpenProbe = {
  what: 'withdraw',
  query: (userId) => sql`select w.no, w.amount, m.market_name as market, w.state from withdraw w
    join market m on m.id = w.market_id where w.user_id = ${userId} and w.state in (${literals(...openWithdrawStates)}) order by w.id`,
  describe: ({ no, amount, market, state }) => `提现 ${no}（${amount} ${market}，${openLabel(withdrawStates, state)}）`,
};
