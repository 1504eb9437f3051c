import { POLICY } from '@hengtai/contract/desk/approval/calls';
import { ASSET } from '@hengtai/contract/funds/asset/calls';
import { FACT_ROWS, type FactName, NEAR_PERCENT, factNames } from '@hengtai/contract/risk/rule/catalogue';
import { KYC } from '@hengtai/contract/risk/kyc/calls';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { RECHARGE } from '@hengtai/contract/funds/recharge/facts';
import { type WithdrawRisk } from '@hengtai/contract/funds/withdraw/calls';
import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import { type RawBuilder, sql } from 'kysely';
import { ACCOUNT_RULES } from '../../../destination/destination.ts';
import { type Db, prepared } from '../../../database/connect.ts';
import { opaqueArray } from '../../../database/scope.ts';
import { isKeying } from '../../funds/withdraw/key-backfill.store.ts';
import { factColumn } from './fact-column.store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const spans = { '1h': HOUR_MS, '24h': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS } as const;
type Span = keyof typeof spans;

/** Earlier withdrawals that a window looks at, so that with the own one it has `FACT_ROWS`. */
const PAST_ROWS = FACT_ROWS - 1;
/** Ticks that the search for a known price looks at. */
const TICK_ROWS = 100;

const lit = (value: string | number): RawBuilder<unknown> => sql.lit(value);
const within = (span: Span, at = 'o.created_at') =>
  sql`(${sql.ref(at)} > w.created_at - ${lit(spans[span])} and ${sql.ref(at)} <= w.created_at)`;

/**
 * What was known when `w` was requested: rows with a lower id, and decisions that the server had written before. A decision
 * between the request and its arrival counts as later, now and when the past is filled in.
 */
const wasRejected = sql`(o.state = ${lit(WITHDRAW.rejected)} and o.updated_at < w.created_at)`;
const wasPaid = sql`(o.state = ${lit(WITHDRAW.paid)} and o.updated_at < w.created_at)`;
/** Keys of older rules are not known to be of the same account. */
const isSameAddress = sql`(o.beneficiary = w.beneficiary and o.account_rules >= ${lit(ACCOUNT_RULES)})`;

/** Whether a valuation is just below a limit; no amount is below a limit of 0 or one that does not apply. */
const isNear = (value: RawBuilder<unknown>, limit: RawBuilder<unknown>) =>
  sql`(${value} >= ${limit} * ${lit(NEAR_PERCENT / 100)} and ${value} < ${limit})`;

const pastCount = (span: Span) => sql`count(*) filter (where ${within(span)})`;
const pastColumns = (span: Span) => sql`${pastCount(span)} as ${sql.ref(`n${span}`)},
  case when ${pastCount(span)} = ${lit(PAST_ROWS)} or bool_or(o.valuation is null) filter (where ${within(span)}) then null
    else coalesce(sum(o.valuation) filter (where ${within(span)}), 0) end as ${sql.ref(`s${span}`)}`;
const nearCount = (limit: RawBuilder<unknown>) =>
  sql`count(*) filter (where ${within('24h')} and ${isNear(sql`o.valuation`, limit)})`;

/**
 * Rows of the user, for statements whose order begins with the user. An equality would drop that order: where few users have
 * most of the rows, the planner then looks for the others in all rows from the newest on.
 */
const isOfUser = (column: string) => sql`${sql.ref(column)} between w.user_id and w.user_id`;

/** The user's earlier withdrawals, newest first. */
const past = sql`(
  select count(*) as n, ${sql.join((Object.keys(spans) as Span[]).map(pastColumns))},
    ${nearCount(sql`limits.four_eyes`)} as near_four_eyes, ${nearCount(sql`limits.day`)} as near_day,
    count(*) filter (where ${wasRejected}) as rejected,
    count(*) filter (where ${wasPaid} and ${isSameAddress}) as paid,
    min(o.created_at) filter (where ${isSameAddress}) as first_use,
    coalesce(sum(o.amount) filter (where ${wasPaid} and o.market_id = w.market_id), 0) as withdrawn
  from (select o.* from withdraw o where ${isOfUser('o.user_id')} and o.id < w.id order by o.user_id, o.id desc
    limit ${lit(PAST_ROWS)}) o) past`;

/** Keeps the planner from repeating the columns of a subquery wherever they are used. */
const once = sql`offset 0`;

/** While withdrawals are still to be keyed, it is not known who else used a beneficiary. */
const keying = sql`(select ${isKeying} as found ${once}) keying`;

/** A setting as it was at the request, from the history of its changes. */
const settingAt = (key: string) => sql`
  select coalesce(h.before_state, c.state) as state, coalesce(h.before_num, c.num) as num from config c
  left join lateral (select h.before_state, h.before_num from config_history h
    where h.config_id = c.id and h.recorded_at >= w.created_at order by h.id limit 1) h on true
  where c.key = ${lit(key)}`;

const limits = sql`(select
  (select num from (${settingAt('policy.withdraw.pass')}) p where state = ${lit(POLICY.above)}) as four_eyes,
  (select num from (${settingAt('withdraw.limit24h')}) l) as day ${once}) limits`;

/**
 * Other users' withdrawals to the beneficiary. Two ranges of the index instead of <>, which would read all rows of it.
 * Whether a user was frozen is unknown if the user changed since.
 */
const addressRows = (range: RawBuilder<unknown>) => sql`
  (select o.id, o.user_id, o.state, o.updated_at from withdraw o where o.beneficiary = w.beneficiary and ${range}
    limit ${lit(FACT_ROWS)})`;
const others = sql`(
  select count(*) as n, count(*) filter (where rejected) as rejected,
    case when bool_or(x.updated_at > w.created_at) then null else count(*) filter (where x.state = 0) end as frozen
  from (select o.user_id, bool_or(${wasRejected}) as rejected
    from (${addressRows(sql`o.user_id < w.user_id`)} union all ${addressRows(sql`o.user_id > w.user_id`)}) o
    where o.id < w.id group by o.user_id) o
  join users x on x.id = o.user_id) others`;

/** The logins before the request, of which the latest is the current one. */
const logins = sql`(
  select max(l.created_at) as at, count(distinct l.ip) filter (where ${within('24h', 'l.created_at')}) as ips, count(*) as n,
    max(l.last_ip) as ip, min(l.created_at) as first_at,
    min(l.created_at) filter (where l.ip = l.last_ip) as ip_since,
    min(l.created_at) filter (where l.device = l.last_device) as device_since,
    max(l.created_at - coalesce(l.before, u.created_at)) filter (where ${within('30d', 'l.created_at')}
      and l.place < ${lit(FACT_ROWS)}) as gap,
    bool_or(l.ip = l.last_ip) filter (where l.place > 1) as known_ip,
    bool_or(l.device = l.last_device) filter (where l.place > 1) as known_device
  from (select l.*, row_number() over latest as place, lead(l.created_at) over latest as before,
      first_value(l.ip) over latest as last_ip,
      first_value(l.device) over latest as last_device
    from (select l.id, l.created_at, l.ip, l.device from user_login l
      where ${isOfUser('l.user_id')} and l.created_at <= w.created_at and l.recorded_at <= w.recorded_at
      order by l.user_id, l.created_at desc, l.id desc limit ${lit(FACT_ROWS)}) l
    window latest as (order by l.created_at desc, l.id desc)) l) logins`;

/** The logins from the IP address of the user's latest login. */
const neighbours = sql`(
  select count(distinct l.user_id) as n from (select l.user_id from user_login l
    where l.ip = logins.ip and ${within('7d', 'l.created_at')} and l.recorded_at <= w.recorded_at
    order by l.created_at desc limit ${lit(FACT_ROWS)}) l where l.user_id <> w.user_id) neighbours`;

const credentials = sql`(
  select max(c.created_at) as at from (select c.created_at from credential_change c
    where c.user_id = w.user_id and c.created_at <= w.created_at and c.recorded_at <= w.recorded_at
    order by c.created_at desc limit 1) c) credentials`;

/** A credited recharge that was known and not reversed at the request. */
const wasCredited = sql`(r.credited_at <= w.created_at and (r.state <> ${lit(RECHARGE.credited)} or r.updated_at <= w.recorded_at)
  and (r.state <> ${lit(RECHARGE.reversed)} or r.updated_at >= w.created_at))`;
const creditedWithin = (span: Span) => sql`${wasCredited} and ${within(span, 'r.credited_at')}`;
/** Whether the rows reach back to the beginning of the span. */
const isCovered = (span: Span) =>
  sql`(count(*) < ${lit(FACT_ROWS)} or min(r.created_at) <= w.created_at - ${lit(spans[span])})`;
const rechargeCount = (span: Span) => sql`count(*) filter (where ${creditedWithin(span)})`;
const rechargeColumn = (span: Span) => sql`case when ${isCovered(span)} or ${rechargeCount(span)} = ${lit(FACT_ROWS)}
  then ${rechargeCount(span)} end as ${sql.ref(`n${span}`)}`;

const deposits = sql`(
  select count(*) as n, ${rechargeColumn('1h')}, ${rechargeColumn('24h')}, ${rechargeColumn('7d')},
    max(r.credited_at) filter (where ${wasCredited}) as at,
    case when ${isCovered('24h')} then
      coalesce(sum(r.amount) filter (where ${creditedWithin('24h')} and r.market_id = w.market_id), 0) end as recent,
    coalesce(sum(r.amount) filter (where ${wasCredited} and r.market_id = w.market_id), 0) as total
  from (select r.* from recharge r where ${isOfUser('r.user_id')} order by r.user_id, r.id desc
    limit ${lit(FACT_ROWS)}) r) deposits`;

/** What operators added to the coin, less what they subtracted. */
const manual = sql`(
  select count(*) as n, greatest(coalesce(sum(case j.action when ${lit(ASSET.activeAdd)} then j.amount when ${lit(ASSET.activeSub)}
      then -j.amount end) filter (where j.market_id = w.market_id and j.created_at <= w.created_at), 0), 0) as net
  from (select j.* from adjustment j where ${isOfUser('j.user_id')} order by j.user_id, j.id desc
    limit ${lit(FACT_ROWS)}) j) manual`;

const priceAt = (ago: number) => sql`(select t.price from (
  select t.price, t.recorded_at, t.at, t.id from tick t where t.market_id = w.market_id and t.at <= w.created_at - ${lit(ago)}
  order by t.at desc, t.id desc limit ${lit(TICK_ROWS)}) t
  where t.recorded_at < w.recorded_at order by t.at desc, t.id desc limit 1)`;
const prices = sql`(select ${priceAt(0)} as now, ${priceAt(spans['1h'])} as hour, ${priceAt(spans['24h'])} as day
  ${once}) prices`;

const hasRisk = (risk: WithdrawRisk) => sql`${lit(risk)} = any(w.risk)`;
/** A risk that other records decide: unknown if it was not found while they are still being keyed. */
const ifKeyed = (risk: WithdrawRisk) => sql`(${hasRisk(risk)} or case when keying.found then null else false end)`;
/** Whole units since a time; null without one, which `greatest` alone would ignore. */
const elapsed = (since: RawBuilder<unknown>, unit: number) =>
  sql`(greatest(w.created_at, ${since}) - ${since}) / ${lit(unit)}`;
const percent = (part: RawBuilder<unknown>, whole: RawBuilder<unknown>) => sql`round(100 * ${part} / ${whole}, 2)`;
const spanCount = (span: Span) => sql`past.${sql.ref(`n${span}`)} + 1`;
const spanSum = (span: Span) => sql`round(past.${sql.ref(`s${span}`)} + w.valuation, 2)`;
const nearTotal = (count: RawBuilder<unknown>, limit: RawBuilder<unknown>) =>
  sql`${count} + case when ${isNear(sql`w.valuation`, limit)} then 1 else 0 end`;
const priceMove = (before: RawBuilder<unknown>) =>
  sql`case when m.market_name = ${lit(SETTLEMENT)} then 0 else ${percent(sql`(prices.now - ${before})`, before)} end`;
const isComplete = sql`past.n < ${lit(PAST_ROWS)} and deposits.n < ${lit(FACT_ROWS)}`;

/** The identity reviews that the user had passed. */
const identity = sql`(
  select coalesce(max(a.level), 0) as level, max(coalesce(a.reviewed_at, a.created_at)) as at from auth a
  where a.user_id = w.user_id and a.state = ${lit(KYC.passed)}
    and coalesce(a.reviewed_at, a.created_at) <= w.created_at) identity`;
const netDeposit = sql`(deposits.total - past.withdrawn)`;

/** The value of each fact for the withdrawal `w`, from the rows beside it. */
const factValues: Readonly<Record<FactName, RawBuilder<unknown>>> = {
  amount: sql`w.amount`,
  amountUsdt: sql`w.valuation`,
  feeShare: percent(sql`w.fee`, sql`w.amount`),
  coin: sql`w.market_id`,
  network: sql`w.network`,
  riskFirstAddress: hasRisk('first_address'),
  riskSharedAddress: ifKeyed('shared_address'),
  riskOverLimit: hasRisk('over_limit'),
  riskCredentialChanged: hasRisk('credential_changed'),
  riskLedgerMismatch: hasRisk('ledger_mismatch'),
  riskManualBalance: hasRisk('manual_balance'),
  riskAddressFormat: hasRisk('address_format'),
  riskMemoMissing: ifKeyed('memo_missing'),
  riskRelatedListed: hasRisk('related_listed'),
  userDays: elapsed(sql`u.created_at`, DAY_MS),
  kycLevel: sql`identity.level`,
  kycHours: elapsed(sql`coalesce(identity.at, u.created_at)`, HOUR_MS),
  agent: sql`w.agent_id`,
  branch: sql`coalesce((select b.id from closure c join agent b on b.id = c.ancestor
    where c.descendant = w.agent_id and b.depth = 1), w.agent_id)`,
  rejectedCount: sql`past.rejected`,
  loginHours: elapsed(sql`logins.at`, HOUR_MS),
  loginNewIp: sql`not logins.known_ip`,
  loginNewDevice: sql`not logins.known_device`,
  loginIps24h: sql`case when logins.n > 0 then logins.ips end`,
  loginGapDays: sql`case when logins.gap is not null then greatest(logins.gap, 0) / ${lit(DAY_MS)} end`,
  ipHours: sql`case when logins.ip_since > logins.first_at then ${elapsed(sql`logins.ip_since`, HOUR_MS)} end`,
  deviceHours: sql`case when logins.device_since > logins.first_at
    then ${elapsed(sql`logins.device_since`, HOUR_MS)} end`,
  ipUsers: sql`case when logins.n > 0 then neighbours.n end`,
  credentialHours: elapsed(sql`coalesce(credentials.at, u.created_at)`, HOUR_MS),
  addressDays: sql`case when past.first_use is not null then ${elapsed(sql`past.first_use`, DAY_MS)}
    when past.n < ${lit(PAST_ROWS)} then 0 end`,
  addressPaid: sql`past.paid`,
  addressUsers: sql`case when not keying.found then others.n end`,
  addressFrozenUsers: sql`case when not keying.found then others.frozen end`,
  addressRejectedUsers: sql`case when not keying.found then others.rejected end`,
  count1h: spanCount('1h'),
  count24h: spanCount('24h'),
  count7d: spanCount('7d'),
  count30d: spanCount('30d'),
  sum1h: spanSum('1h'),
  sum24h: spanSum('24h'),
  sum7d: spanSum('7d'),
  sum30d: spanSum('30d'),
  nearFourEyes24h: nearTotal(sql`past.near_four_eyes`, sql`limits.four_eyes`),
  nearLimit24h: nearTotal(sql`past.near_day`, sql`limits.day`),
  recharges1h: sql`deposits.n1h`,
  recharges24h: sql`deposits.n24h`,
  recharges7d: sql`deposits.n7d`,
  rechargeMinutes: sql`case when deposits.n < ${lit(FACT_ROWS)} or deposits.at is not null then
    ${elapsed(sql`coalesce(deposits.at, u.created_at)`, 60_000)} end`,
  rechargeShare: percent(
    sql`case when deposits.recent > w.amount then w.amount else deposits.recent end`,
    sql`w.amount`,
  ),
  netDeposit: sql`case when ${isComplete} then ${netDeposit} end`,
  gainShare: sql`case when ${isComplete} then
    ${percent(sql`greatest(w.amount - greatest(${netDeposit}, 0), 0)`, sql`w.amount`)} end`,
  manualShare: sql`case when ${isComplete} and manual.n < ${lit(FACT_ROWS)} then
    coalesce(${percent(sql`manual.net`, sql`nullif(deposits.total + manual.net, 0)`)}, 0) end`,
  priceMove1h: priceMove(sql`prices.hour`),
  priceMove24h: priceMove(sql`prices.day`),
};

const laterals = sql.join(
  [keying, limits, past, others, identity, logins, neighbours, credentials, deposits, manual, prices].map(
    (source) => sql`cross join lateral ${source}`,
  ),
  sql` `,
);
/** The tables that facts are read from, except markets and ticks: ticks of the same moment are not known yet. */
export const FACT_TABLES = [
  'withdraw',
  'users',
  'agent',
  'closure',
  'auth',
  'user_login',
  'credential_change',
  'recharge',
  'adjustment',
  'config',
  'config_history',
  'key_renewal',
] as const;

/**
 * Records the facts of withdrawals, each as it was known when the withdrawal was requested. One statement serves live requests
 * and the past, so both give the same facts.
 *
 * @returns how many rows were written: withdrawals that have facts are left alone
 */
export async function insertFacts(db: Db, ids: readonly number[]): Promise<number> {
  const columns = sql.join(factNames.map(factColumn));
  const { numAffectedRows } = await sql`${prepared}
    insert into withdraw_fact (withdraw_id, created_at, ${columns})
    select w.id, w.created_at, ${sql.join(factNames.map((name) => factValues[name]))}
    from withdraw w join users u on u.id = w.user_id join market m on m.id = w.market_id ${laterals}
    where w.id = any(${opaqueArray(ids)}) order by w.id
    on conflict (withdraw_id) do nothing`.execute(db);
  return Number(numAffectedRows);
}
