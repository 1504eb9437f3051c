import { BRANCH_MULTIPLE, HOUSE_MULTIPLE, POLICY } from '@hengtai/contract/approval';
import { GUARDED_ABILITIES } from '@hengtai/contract/four-eyes';
import type { GatewayKeyRow } from '@hengtai/contract/gateway-key.schema';
import { Decimal } from '@hengtai/contract/decimal';
import { ENTRY } from '@hengtai/contract/money';
import { sql } from 'kysely';
import type { TestServer } from './server.ts';

/**
 * Protections that nobody may loosen alone while four-eyes are locked. They are read from the database before and after
 * each step and compared by independent rules.
 */

export interface Setting {
  key: string;
  state: number;
  num: string;
  str: string;
}

interface Agent {
  id: number;
  state: number;
  parent: number | null;
  abilities: number[];
  password: string | null;
  deleted: boolean;
}

type Row = Record<string, unknown> & { id: number };

type GatewayKeyTerms = Pick<GatewayKeyRow, 'id' | 'rights' | 'addresses' | 'expiresAt' | 'nonce'>;

/** The model enters no networks, so a list can only be removed. */
function findLooserKey(previous: readonly GatewayKeyTerms[], current: readonly GatewayKeyTerms[]): string | undefined {
  const looser = current.find((key) => {
    const before = previous.find(({ id }) => id === key.id);
    return (
      !before ||
      key.rights.some((right) => !before.rights.includes(right)) ||
      (before.addresses.length > 0 && key.addresses.length === 0) ||
      (before.expiresAt ?? Infinity) < (key.expiresAt ?? Infinity) ||
      key.nonce < before.nonce
    );
  });
  return looser && `a key of the gateway can do more: ${looser.id}`;
}

interface AutoTerms {
  marketId: number;
  /** What looser budgets have more of. */
  limits: string[];
  firstByHand: boolean;
  reviewPercent: number;
}

function findLooserAuto(previous: readonly AutoTerms[], current: readonly AutoTerms[]): string | undefined {
  const looser = current.find((coin) => {
    const before = previous.find(({ marketId }) => marketId === coin.marketId);
    return (
      !before ||
      coin.limits.some((limit, index) => decimalOf(limit).gt(before.limits[index] ?? '0')) ||
      (before.firstByHand && !coin.firstByHand) ||
      coin.reviewPercent < before.reviewPercent
    );
  });
  return looser && `automatic payouts of coin ${looser.marketId} were loosened`;
}

/** What a user may withdraw of a coin; null is no limit. `key` names user, identity and coin. */
interface WithdrawTerms {
  key: string;
  open: boolean;
  least: string;
  most: (string | null)[];
  fee: string;
}

function findLooserTerms(previous: readonly WithdrawTerms[], current: readonly WithdrawTerms[]): string | undefined {
  const known = new Map(previous.map((terms) => [terms.key, terms]));
  const limitOf = (text: string | null | undefined): Decimal => decimalOf(text ?? 'Infinity');
  const looser = current.find((terms) => {
    const before = known.get(terms.key);
    if (!before) return false;
    if (terms.fee !== before.fee) return true;
    return (
      terms.open &&
      (!before.open ||
        decimalOf(terms.least).lt(before.least) ||
        terms.most.some((limit, index) => limitOf(limit).gt(limitOf(before.most[index]))))
    );
  });
  return looser && `the limits of withdrawals were loosened: ${looser.key}`;
}

function findLooserScreening(previous: Protections, current: Protections): string | undefined {
  const added = (name: 'allowed' | 'bypasses') => current[name].some((id) => !previous[name].includes(id));
  if (added('allowed')) return 'an address was allowed';
  if (previous.blocked.some((id) => !current.blocked.includes(id))) return 'an address is no longer blocked';
  return added('bypasses') ? 'a screening was bypassed' : undefined;
}

export interface Protections {
  locked: boolean;
  settings: Setting[];
  agents: Agent[];
  markets: Row[];
  seconds: Row[];
  plans: Row[];
  keys: GatewayKeyTerms[];
  /** Versions of rules in effect. */
  rules: number[];
  /** Budgets of the coins that pass withdrawals automatically. */
  autos: AutoTerms[];
  withdrawTerms: WithdrawTerms[];
  /** Ids of allowed addresses, of those that are blocked or sanctioned, and of bypasses of a screening. */
  allowed: number[];
  blocked: number[];
  bypasses: number[];
  grants: string[];
  /** Ids of the newest entry and of the newest ordered payout. */
  lastEntry: number;
  lastPayout: number;
}

export async function readProtections(server: TestServer): Promise<Protections> {
  const [row] = await server.query(sql<{ now: Protections }>`select json_build_object(
    'locked', (select four_eyes_locked_at is not null from installation),
    'settings', (select json_agg(json_build_object('key', key, 'state', state, 'num', num::text, 'str', str)) from config),
    'agents', (select json_agg(json_build_object('id', id, 'state', state, 'parent', parent_id, 'abilities', abilities,
      'password', md5(password_hash), 'deleted', deleted_at is not null)) from agent),
    'markets', (select json_agg(to_jsonb(m) - '{price,price_at,halted_at,future_halted_at,second_halted_at,version,updated_at,updated_by,icon,sort}'::text[]) from market m),
    'seconds', (select json_agg(to_jsonb(s) - '{version,updated_at,updated_by,sort}'::text[]) from second_config s),
    'plans', coalesce((select json_agg(json_build_object('id', id, 'watched', watched, 'min', min_price::text,
      'max', max_price::text, 'minute', plan_minute)) from plan), '[]'),
    'keys', coalesce((select json_agg(json_build_object('id', id, 'rights', rights, 'addresses', addresses,
      'expiresAt', expires_at, 'nonce', nonce)) from gateway_key), '[]'),
    'rules', array(select v.id from rule r join rule_version v on v.rule_id = r.id and v.version = r.version
      where r.state = 2 order by v.id),
    'autos', coalesce((select json_agg(json_build_object('marketId', c.market_id, 'firstByHand', b.first_by_hand,
      'reviewPercent', b.review_percent, 'limits', array[b.day_amount, b.day_count, b.user_day_amount,
        b.largest_unverified, b.largest_basic, b.largest_advanced]::text[]))
      from auto_coin c join auto_budget b on b.id = c.budget_id where b.enabled and c.stopped_at is null), '[]'),
    'withdrawTerms', (select json_agg(json_build_object('key', concat_ws(' ', u.id, u.auth, m.id),
      'open', coalesce(g.enabled, l.enabled, true), 'least', coalesce(g.min_amount, l.min_amount, m.withdraw_min)::text,
      'most', array[nullif(coalesce(g.max_amount, l.max_amount, m.withdraw_max), 0), nullif(coalesce(g.day_amount, l.day_amount), 0),
        nullif(coalesce(g.day_count, l.day_count), 0)]::text[],
      'fee', concat_ws(' ', coalesce(g.fee_fixed, l.fee_fixed)::text, '+', coalesce(g.fee_rate, l.fee_rate)::text)))
      from users u join market m on m.id <= 2
      left join user_group_member x on x.user_id = u.id
      left join lateral (select * from withdraw_limit where market_id = m.id
        and level = case u.auth when 3 then 2 when 2 then 1 else 0 end order by version desc limit 1) l on true
      left join lateral (select * from withdraw_limit where market_id = m.id and group_id = x.group_id
        order by version desc limit 1) g on true),
    'allowed', array(select id from address_entry where list = 2 and removed_at is null),
    'blocked', array(select id from address_entry where list <> 2 and removed_at is null),
    'bypasses', array(select id from screening_bypass),
    'grants', array(select market_id || ' ' || operator_id from plan_grant),
    'lastEntry', (select coalesce(max(id), 0) from entry),
    'lastPayout', (select coalesce(max(id), 0) from command where type = 'withdraw.payout')) as now`);
  if (!row) throw new Error('What is protected cannot be read.');
  return row.now;
}

/** Describes the first protection that became weaker, or returns undefined. */
export function findLoosened(previous: Protections, current: Protections): string | undefined {
  if (!current.locked) return 'four-eyes are unlocked';
  return (
    findLooserSetting(previous.settings, current.settings) ??
    findStrengthenedAgent(previous.agents, current.agents) ??
    findLooserRow('market', previous.markets, current.markets, isLooserMarketField) ??
    findLooserRow(
      'second config',
      previous.seconds,
      current.seconds,
      (field, _before, after) => field !== 'state' || after !== 0,
    ) ??
    findLooserPriceProtection(previous.plans, current.plans) ??
    findLooserKey(previous.keys, current.keys) ??
    findLooserAuto(previous.autos, current.autos) ??
    findLooserTerms(previous.withdrawTerms, current.withdrawTerms) ??
    (previous.rules.join() === current.rules.join() ? undefined : 'the rules in effect changed') ??
    findLooserScreening(previous, current) ??
    current.grants.filter((grant) => !previous.grants.includes(grant)).map((grant) => `plan granted: ${grant}`)[0]
  );
}

const decimalOf = (text: string): Decimal => new Decimal(text);
/** A stored 0 means no threshold. */
const thresholdOf = (text: string): Decimal => (decimalOf(text).isZero() ? new Decimal(Infinity) : decimalOf(text));
const strictnessOf = (state: number): number => [POLICY.off, POLICY.above, POLICY.always].indexOf(state as 0 | 1 | 2);

type IsLooser = (previous: Setting, current: Setting, settings: readonly Setting[]) => boolean;

const isLooserPolicy: IsLooser = (previous, current) =>
  strictnessOf(current.state) < strictnessOf(previous.state) || decimalOf(current.num).gt(previous.num);
const looserLimitRule =
  (prefix: string, multiple: number): IsLooser =>
  (previous, current, settings) => {
    const policy = settings.find(({ key }) => key === `policy.${current.key.slice(prefix.length)}`);
    const effective = ({ num }: Setting): Decimal =>
      decimalOf(num).isZero() ? decimalOf(policy?.num ?? '0').mul(multiple) : decimalOf(num);
    return effective(current).gt(effective(previous));
  };
const isHigherThreshold: IsLooser = (previous, current) => thresholdOf(current.num).gt(thresholdOf(previous.num));
const isLower: IsLooser = (previous, current) => decimalOf(current.num).lt(previous.num);
const isHigher: IsLooser = (previous, current) => decimalOf(current.num).gt(previous.num);
const isSwitchedOff: IsLooser = (previous, current) => previous.state === 1 && current.state !== 1;
const isSwitchedOn: IsLooser = (previous, current) => previous.state !== 1 && current.state === 1;
const isChanged: IsLooser = (previous, current) =>
  previous.str !== current.str || previous.state !== current.state || !decimalOf(previous.num).eq(current.num);

/** Rules by key prefix. A setting without a rule must not change at all. */
const LOOSER_RULES: readonly [string, IsLooser][] = [
  ['policy.', isLooserPolicy],
  ['branchLimit.', looserLimitRule('branchLimit.', BRANCH_MULTIPLE)],
  ['houseLimit.', looserLimitRule('houseLimit.', HOUSE_MULTIPLE)],
  ['twoCheckers.', isHigherThreshold],
  ['fourEyes.approverHours', isLower],
  ['fourEyes.priceHours', isHigher],
  ['fourEyes.links', isSwitchedOff],
  ['fourEyes.leverage', isSwitchedOff],
  ['fourEyes.limitRise', isSwitchedOff],
  ['withdraw.limit24h', isHigherThreshold],
  ['withdraw.credentialHours', isLower],
  ['second.risk', isHigherThreshold],
  ['queue.target.', isHigherThreshold],
  ['session.max', isHigher],
  ['otp.', isSwitchedOff],
  ['passkey.only', isSwitchedOff],
  ['passkey.alone', isSwitchedOn],
  ['oidc.', isSwitchedOff],
  ['password.change', isSwitchedOff],
  ['console.watermark', isSwitchedOff],
  ['audit.', isSwitchedOff],
  ['screening.address', isSwitchedOff],
  ['screening.name', isSwitchedOff],
  ['screening.minimum', isHigher],
  ['screening.waitMinutes', isHigher],
  ['screening.validHours', isHigher],
];

/** Whether a setting protects less than before, by a rule that is independent of the server's. */
export const isLooserSetting: IsLooser = (previous, current, settings) =>
  (LOOSER_RULES.find(([prefix]) => current.key.startsWith(prefix))?.[1] ?? isChanged)(previous, current, settings);

function findLooserSetting(previous: readonly Setting[], current: readonly Setting[]): string | undefined {
  for (const after of current) {
    const before = previous.find(({ key }) => key === after.key);
    if (!before || isLooserSetting(before, after, current)) return `setting ${after.key} is looser`;
  }
  return current.length < previous.length ? 'a setting is gone' : undefined;
}

const guardedAbilitiesOf = ({ abilities }: Agent): number[] =>
  abilities.filter((ability) => GUARDED_ABILITIES.some((guarded) => guarded === ability));

/**
 * Describes the first forbidden change of an agent: a guarded ability granted, the agent deleted, or a holder of such
 * an ability enabled, given another password or moved.
 */
function findStrengthenedAgent(previous: readonly Agent[], current: readonly Agent[]): string | undefined {
  for (const agent of current) {
    const before = previous.find(({ id }) => id === agent.id);
    const previousAbilities = before ? guardedAbilitiesOf(before) : [];
    const gained = guardedAbilitiesOf(agent).filter((ability) => !previousAbilities.includes(ability));
    if (gained.length > 0) return `agent ${agent.id} was granted ${gained.join(', ')}`;
    if (!before) continue;
    if (agent.deleted && !before.deleted) return `agent ${agent.id} was deleted`;
    if (previousAbilities.length > 0 && agent.state === 1 && before.state === 0)
      return `holder ${agent.id} was enabled`;
    if (previousAbilities.length > 0 && agent.password !== before.password)
      return `the password of holder ${agent.id} was reset`;
    if (agent.parent !== before.parent && holdersBelow(agent.id, previous).length > 0)
      return `agent ${agent.id} was moved with holders below it`;
  }
  return undefined;
}

function holdersBelow(id: number, agents: readonly Agent[]): Agent[] {
  const own = agents.filter((agent) => agent.id === id && !agent.deleted && guardedAbilitiesOf(agent).length > 0);
  return [...own, ...agents.filter(({ parent }) => parent === id).flatMap((below) => holdersBelow(below.id, agents))];
}

type IsLooserField = (field: string, before: unknown, after: unknown) => boolean;

function findLooserRow(
  name: string,
  previous: readonly Row[],
  current: readonly Row[],
  isLooser: IsLooserField,
): string | undefined {
  if (current.length < previous.length) return `a ${name} is gone`;
  for (const row of current) {
    const before = previous.find(({ id }) => id === row.id);
    if (!before) return `a ${name} is new`;
    for (const [field, after] of Object.entries(row)) {
      const isSame = JSON.stringify(before[field]) === JSON.stringify(after);
      if (!isSame && isLooser(field, before[field], after)) return `${name} ${row.id} has another ${field}`;
    }
  }
  return undefined;
}

const SWITCHES = ['spot', 'future', 'second', 'ieo', 'recharge_state', 'withdraw_state'];
/** A market may be disabled or paused and its trading types closed. The model does not change networks. */
const isLooserMarketField: IsLooserField = (field, _before, after) =>
  field === 'state' ? after === 1 : !SWITCHES.includes(field) || after === 1;

function findLooserPriceProtection(previous: readonly Row[], current: readonly Row[]): string | undefined {
  for (const before of previous.filter(({ watched }) => watched === 1)) {
    const after = current.find(({ id }) => id === before.id);
    const isWeaker =
      !after ||
      after['watched'] !== 1 ||
      Number(after['minute']) < Number(before['minute']) ||
      decimalOf(String(after['min'])).lt(String(before['min'])) ||
      decimalOf(String(after['max'])).gt(String(before['max']));
    if (isWeaker) return `plan ${before.id} protects less`;
  }
  return undefined;
}

/** Entry types for users that each call may post without a checker. */
export const ALLOWED_ENTRY_TYPES: Readonly<Record<string, readonly number[]>> = {
  'asset.activeAdd': [ENTRY.manualAdd],
  'asset.activeSub': [ENTRY.manualSub],
  'asset.frozenAdd': [ENTRY.freeze],
  'asset.frozenSub': [ENTRY.unfreeze],
  'withdraw.reject': [ENTRY.unfreeze, ENTRY.withdrawReturned],
  'withdraw.rejectMany': [ENTRY.unfreeze, ENTRY.withdrawReturned],
  'ieo.pass': [ENTRY.subscriptionGrant, ENTRY.subscriptionFreeze],
  'ieo.passMany': [ENTRY.subscriptionGrant, ENTRY.subscriptionFreeze],
  'ieo.reject': [ENTRY.subscriptionRefund],
  'ieo.rejectMany': [ENTRY.subscriptionRefund],
  'recharge.release': [ENTRY.recharge, ENTRY.fee],
};

/** Entry types that a step posted for users. */
export async function fetchPostedTypes(server: TestServer, entry: number): Promise<number[]> {
  const rows = await server.query(sql<{ type: number }>`
    select distinct type from entry where id > ${entry} and user_id is not null`);
  return rows.map(({ type }) => type);
}

export async function countPayouts(server: TestServer, command: number): Promise<number> {
  const [row] = await server.query(sql<{ n: number }>`
    select count(*) as n from command where id > ${command} and type = 'withdraw.payout'`);
  return row?.n ?? 0;
}
