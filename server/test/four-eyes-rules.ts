import { BRANCH_MULTIPLE, HOUSE_MULTIPLE, POLICY } from '@hengtai/contract/approval';
import { GUARDED_ABILITIES } from '@hengtai/contract/four-eyes';
import { Decimal } from '@hengtai/contract/decimal';
import { ENTRY } from '@hengtai/contract/money';
import { sql } from 'kysely';
import type { TestServer } from './server.ts';

/**
 * Protections that nobody may loosen alone while four-eyes are locked. They are read from the database before and after
 * each step and compared by independent rules.
 */

interface Setting {
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

export interface Protected {
  locked: boolean;
  settings: Setting[];
  agents: Agent[];
  markets: Row[];
  seconds: Row[];
  plans: Row[];
  grants: string[];
  /** Ids of the newest entry and of the newest ordered payout. */
  lastEntry: number;
  lastPayout: number;
}

export async function readProtected(server: TestServer): Promise<Protected> {
  const [row] = await server.query(sql<{ now: Protected }>`select json_build_object(
    'locked', (select four_eyes_locked_at is not null from installation),
    'settings', (select json_agg(json_build_object('key', key, 'state', state, 'num', num::text, 'str', str)) from config),
    'agents', (select json_agg(json_build_object('id', id, 'state', state, 'parent', parent_id, 'abilities', abilities,
      'password', md5(password_hash), 'deleted', deleted_at is not null)) from agent),
    'markets', (select json_agg(to_jsonb(m) - '{price,price_at,halted_at,future_halted_at,second_halted_at,version,updated_at,updated_by,icon,sort}'::text[]) from market m),
    'seconds', (select json_agg(to_jsonb(s) - '{version,updated_at,updated_by,sort}'::text[]) from second_config s),
    'plans', coalesce((select json_agg(json_build_object('id', id, 'watched', watched, 'min', min_price::text,
      'max', max_price::text, 'minute', plan_minute)) from plan), '[]'),
    'grants', array(select market_id || ' ' || operator_id from plan_grant),
    'lastEntry', (select coalesce(max(id), 0) from entry),
    'lastPayout', (select coalesce(max(id), 0) from command where type = 'withdraw.payout')) as now`);
  if (!row) throw new Error('What is protected cannot be read.');
  return row.now;
}

/** Describes the first protection that became weaker, or returns undefined. */
export function loosenedBetween(was: Protected, is: Protected): string | undefined {
  if (!is.locked) return 'four-eyes are unlocked';
  return (
    loosenedSetting(was.settings, is.settings) ??
    strengthened(was.agents, is.agents) ??
    looserRow('market', was.markets, is.markets, looserMarket) ??
    looserRow('second config', was.seconds, is.seconds, (field, _before, after) => field !== 'state' || after !== 0) ??
    looserPlan(was.plans, is.plans) ??
    is.grants.filter((grant) => !was.grants.includes(grant)).map((grant) => `plan granted: ${grant}`)[0]
  );
}

const number = (text: string): Decimal => new Decimal(text);
/** A stored 0 means no threshold. */
const threshold = (text: string): Decimal => (number(text).isZero() ? new Decimal(Infinity) : number(text));
const strictness = (state: number): number => [POLICY.off, POLICY.above, POLICY.always].indexOf(state as 0 | 1 | 2);

type Looser = (was: Setting, is: Setting, settings: readonly Setting[]) => boolean;

const looserPolicy: Looser = (was, is) =>
  strictness(is.state) < strictness(was.state) ||
  (is.state === POLICY.above && was.state === POLICY.above && number(is.num).gt(was.num));
const looserLimit =
  (prefix: string, multiple: number): Looser =>
  (was, is, settings) => {
    const policy = settings.find(({ key }) => key === `policy.${is.key.slice(prefix.length)}`);
    const effective = ({ num }: Setting): Decimal =>
      number(num).isZero() ? number(policy?.num ?? '0').mul(multiple) : number(num);
    return effective(is).gt(effective(was));
  };
const higherThreshold: Looser = (was, is) => threshold(is.num).gt(threshold(was.num));
const lower: Looser = (was, is) => number(is.num).lt(was.num);
const higher: Looser = (was, is) => number(is.num).gt(was.num);
const switchedOff: Looser = (was, is) => was.state === 1 && is.state !== 1;
const changed: Looser = (was, is) => was.str !== is.str || was.state !== is.state || !number(was.num).eq(is.num);

/** Rules by key prefix. A setting without a rule must not change at all. */
const LOOSER: readonly [string, Looser][] = [
  ['policy.', looserPolicy],
  ['branchLimit.', looserLimit('branchLimit.', BRANCH_MULTIPLE)],
  ['houseLimit.', looserLimit('houseLimit.', HOUSE_MULTIPLE)],
  ['twoCheckers.', higherThreshold],
  ['fourEyes.approverHours', lower],
  ['withdraw.limit24h', higherThreshold],
  ['withdraw.credentialHours', lower],
  ['second.risk', higherThreshold],
  ['session.max', higher],
  ['otp.', switchedOff],
  ['password.change', switchedOff],
  ['console.watermark', switchedOff],
  ['audit.', switchedOff],
];

function loosenedSetting(was: readonly Setting[], is: readonly Setting[]): string | undefined {
  for (const after of is) {
    const before = was.find(({ key }) => key === after.key);
    const looser = LOOSER.find(([prefix]) => after.key.startsWith(prefix))?.[1] ?? changed;
    if (!before || looser(before, after, is)) return `setting ${after.key} is looser`;
  }
  return is.length < was.length ? 'a setting is gone' : undefined;
}

const guardedOf = ({ abilities }: Agent): number[] =>
  abilities.filter((ability) => GUARDED_ABILITIES.some((guarded) => guarded === ability));

/**
 * Describes the first forbidden change of an agent: a guarded ability granted, the agent deleted, or a holder of such
 * an ability enabled, given another password or moved.
 */
function strengthened(was: readonly Agent[], is: readonly Agent[]): string | undefined {
  for (const agent of is) {
    const before = was.find(({ id }) => id === agent.id);
    const had = before ? guardedOf(before) : [];
    const gained = guardedOf(agent).filter((ability) => !had.includes(ability));
    if (gained.length > 0) return `agent ${agent.id} was granted ${gained.join(', ')}`;
    if (!before) continue;
    if (agent.deleted && !before.deleted) return `agent ${agent.id} was deleted`;
    if (had.length > 0 && agent.state === 1 && before.state === 0) return `holder ${agent.id} was enabled`;
    if (had.length > 0 && agent.password !== before.password) return `the password of holder ${agent.id} was reset`;
    if (agent.parent !== before.parent && holdersBelow(agent.id, was).length > 0)
      return `agent ${agent.id} was moved with holders below it`;
  }
  return undefined;
}

function holdersBelow(id: number, agents: readonly Agent[]): Agent[] {
  const own = agents.filter((agent) => agent.id === id && !agent.deleted && guardedOf(agent).length > 0);
  return [...own, ...agents.filter(({ parent }) => parent === id).flatMap((below) => holdersBelow(below.id, agents))];
}

type LooserField = (field: string, before: unknown, after: unknown) => boolean;

function looserRow(name: string, was: readonly Row[], is: readonly Row[], looser: LooserField): string | undefined {
  if (is.length < was.length) return `a ${name} is gone`;
  for (const row of is) {
    const before = was.find(({ id }) => id === row.id);
    if (!before) return `a ${name} is new`;
    for (const [field, after] of Object.entries(row)) {
      const same = JSON.stringify(before[field]) === JSON.stringify(after);
      if (!same && looser(field, before[field], after)) return `${name} ${row.id} has another ${field}`;
    }
  }
  return undefined;
}

const SWITCHES = ['spot', 'future', 'second', 'ieo', 'recharge_state', 'withdraw_state'];
/** A market may be disabled or paused and its trading types closed. The model does not change networks. */
const looserMarket: LooserField = (field, _before, after) =>
  field === 'state' ? after === 1 : !SWITCHES.includes(field) || after === 1;

function looserPlan(was: readonly Row[], is: readonly Row[]): string | undefined {
  for (const before of was.filter(({ watched }) => watched === 1)) {
    const after = is.find(({ id }) => id === before.id);
    const wider =
      !after ||
      after['watched'] !== 1 ||
      Number(after['minute']) < Number(before['minute']) ||
      number(String(after['min'])).lt(String(before['min'])) ||
      number(String(after['max'])).gt(String(before['max']));
    if (wider) return `plan ${before.id} protects less`;
  }
  return undefined;
}

/** Entry types for users that each call may post without a checker. */
export const POSTS: Readonly<Record<string, readonly number[]>> = {
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
export async function postedSince(server: TestServer, entry: number): Promise<number[]> {
  const rows = await server.query(sql<{ type: number }>`
    select distinct type from entry where id > ${entry} and user_id is not null`);
  return rows.map(({ type }) => type);
}

export async function payoutsSince(server: TestServer, command: number): Promise<number> {
  const [row] = await server.query(sql<{ n: number }>`
    select count(*) as n from command where id > ${command} and type = 'withdraw.payout'`);
  return row?.n ?? 0;
}
