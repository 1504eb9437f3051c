import {
  type ChoiceFact,
  type FactName,
  type FlagFact,
  type NumberFact,
  factNames,
  facts,
} from '@hengtai/contract/risk/rule/catalogue';
import type { RuleActions, RuleContent, RuleRan, RuleResult } from '@hengtai/contract/risk/rule/schema';
import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import { type Db, prepared, preparedLatest } from '../../../database/connect.ts';
import { conjunctionSql, hitSql } from './condition.store.ts';
import { factColumn } from './fact-column.store.ts';

/** A version of a rule as a set runs it. */
interface ActiveRule extends Pick<RuleContent, 'conditions' | 'unknownHits'> {
  id: number;
  actions: RuleActions;
  trial: boolean;
}

/** The tables that the results of rules are read from and written to. */
export const RULE_TABLES = ['withdraw_fact', 'rule_version', 'rule_set', 'rule_result'] as const;

/** The rule set in force, with its rules as JSON; undefined before the first. */
async function findActiveSet(db: Db): Promise<{ number: number; rules: string } | undefined> {
  const { rows } = await sql<{ number: number; rules: string }>`${prepared}
    select s.number, (select coalesce(json_agg(json_build_object('id', v.rule_id, 'trial', v.id = any(s.trial),
        'conditions', v.conditions, 'actions', v.actions, 'unknownHits', v.unknown_hits) order by v.rule_id), '[]')::text
      from rule_version v where v.id = any(s.effective || s.trial)) as rules
    from rule_set s order by s.number desc limit 1`.execute(db);
  return rows[0];
}

/** The ids of those rules that hit the row `f` of `withdraw_fact`. */
const hitIds = (rules: readonly ActiveRule[]): RawBuilder<number[]> =>
  rules.length === 0
    ? sql`'{}'::bigint[]`
    : sql`array_remove(array[${sql.join(rules.map((rule) => sql`case when ${hitSql(rule)} then ${rule.id}::bigint end`))}], null)`;

/** Compiles the statement that records the results of a set. Its first two parameters are withdrawals and number of the set. */
function compileResults(db: Db, rules: readonly ActiveRule[]): CompiledQuery {
  const effective = rules.filter(({ trial }) => !trial);
  const onTrial = rules.filter(({ trial }) => trial);
  const column = (name: keyof RuleActions) => effective.map(({ actions }) => actions[name]);
  return sql`${preparedLatest}
    with given as (select ${[]}::bigint[] as ids, ${0}::bigint as set_number)
    insert into rule_result (withdraw_id, set_number, hits, trial_hits, points, people, hold, manual, open_case, stop_coin)
    select f.withdraw_id, given.set_number, h.hits, h.trial_hits, coalesce(a.points, 0), coalesce(a.people, 0),
      coalesce(a.hold, false), coalesce(a.manual, false), coalesce(a.open_case, false), coalesce(a.stop_coin, false)
    from given join withdraw_fact f on f.withdraw_id = any(given.ids)
    -- Computed once for each row.
    cross join lateral (select ${hitIds(effective)} as hits, ${hitIds(onTrial)} as trial_hits offset 0) h
    cross join lateral (
      select sum(v.points) as points, max(v.people) as people, bool_or(v.hold) as hold, bool_or(v.manual) as manual,
        bool_or(v.open_case) as open_case, bool_or(v.stop_coin) as stop_coin
      from unnest(${effective.map(({ id }) => id)}::bigint[], ${column('points')}::int[], ${column('people')}::smallint[],
        ${column('hold')}::boolean[], ${column('manual')}::boolean[], ${column('openCase')}::boolean[],
        ${column('stopCoin')}::boolean[]) v(id, points, people, hold, manual, open_case, stop_coin)
      where v.id = any(h.hits)) a
    order by f.withdraw_id
    on conflict (withdraw_id) do nothing`.compile(db);
}

/** The statement of the latest rules. It depends on their text alone. */
let compiled: { rules: string; statement: CompiledQuery } | undefined;

/** Records what the rule set in force says about withdrawals whose facts are recorded. Without a set it records nothing. */
export async function insertRuleResults(db: Db, ids: readonly number[]): Promise<void> {
  const set = await findActiveSet(db);
  if (!set) return;
  if (compiled?.rules !== set.rules) {
    const rules = JSON.parse(set.rules) as ActiveRule[];
    compiled = { rules: set.rules, statement: compileResults(db, rules) };
  }
  const { sql: text, parameters } = compiled.statement;
  await db.executeQuery(CompiledQuery.raw(text, [ids, set.number, ...parameters.slice(2)]));
}

type Outcome = Omit<RuleResult, 'hits' | 'ran' | 'facts'> & { hits: number[]; trialHits: number[] };

/** The result of a withdrawal, with the ids of the rules that hit. The caller has found the withdrawal in its scope. */
export async function findOutcome(db: Db, withdrawId: number): Promise<Outcome | undefined> {
  const { rows } = await sql<Outcome>`
    select set_number as "set", hits, trial_hits as "trialHits", points, people, hold, manual, open_case as "openCase",
      stop_coin as "stopCoin" from rule_result where withdraw_id = ${withdrawId}`.execute(db);
  return rows[0];
}

/** Whether rules forbid passing a withdrawal in bulk, and how many people must pass it; undefined without a result. */
export async function findRestriction(
  db: Db,
  withdrawId: number,
): Promise<Pick<Outcome, 'hold' | 'people'> | undefined> {
  const { rows } = await sql<Pick<Outcome, 'hold' | 'people'>>`${prepared}
    select hold, people from rule_result where withdraw_id = ${withdrawId}`.execute(db);
  return rows[0];
}

export interface HitVersion extends RuleContent {
  id: number;
  version: number;
  trial: boolean;
}

/** The versions of the rules that a set ran and that hit, in the order of the rules. Needs full scope. */
export async function fetchHitVersions(
  db: Db,
  { set, hits, trialHits }: Pick<Outcome, 'set' | 'hits' | 'trialHits'>,
): Promise<HitVersion[]> {
  const { rows } = await sql<HitVersion>`
    select v.rule_id as id, v.version, v.name, v.conditions, v.actions, v.unknown_hits as "unknownHits",
      v.id = any(s.trial) as trial
    from rule_set s join rule_version v on v.id = any(s.effective || s.trial)
    where s.number = ${set} and v.rule_id = any(${[...hits, ...trialHits]}::bigint[]) order by v.rule_id`.execute(db);
  return rows;
}

/** The rules of a set, with the versions and names that they had in it. Needs full scope. */
export async function fetchRulesOfSet(db: Db, set: number): Promise<RuleRan[]> {
  const { rows } = await sql<RuleRan>`
    select v.rule_id as id, v.name, v.version, v.id = any(s.trial) as trial
    from rule_set s join rule_version v on v.id = any(s.effective || s.trial) where s.number = ${set} order by v.rule_id`.execute(
    db,
  );
  return rows;
}

/** For each rule that hit a withdrawal, whether only unknown facts made it hit. Needs full scope. */
export async function findUnknownHits(
  db: Db,
  withdrawId: number,
  versions: readonly Pick<HitVersion, 'conditions'>[],
): Promise<boolean[]> {
  if (versions.length === 0) return [];
  const unknown = sql.join(versions.map((version) => sql`${conjunctionSql(version)} is null`));
  const { rows } = await sql<{ unknown: boolean[] }>`
    select array[${unknown}] as unknown from withdraw_fact f where f.withdraw_id = ${withdrawId}`.execute(db);
  return rows[0]?.unknown ?? [];
}

type FactRow = Record<FlagFact, boolean | null> & Record<NumberFact | ChoiceFact, string | null>;

/** A fact as it is answered: decimals without trailing zeros, and choices as text. */
function factField(name: FactName): RawBuilder<unknown> {
  const { kind } = facts[name];
  const column = factColumn(name);
  const value = { flag: column, number: sql`trim_scale(${column}::numeric)::text`, choice: sql`${column}::text` }[kind];
  return sql`${value} as ${sql.ref(name)}`;
}

/** The recorded facts of a withdrawal. Needs full scope. */
export async function findFacts(db: Db, withdrawId: number): Promise<RuleResult['facts']> {
  const { rows } = await sql<FactRow>`
    select ${sql.join(factNames.map(factField))} from withdraw_fact where withdraw_id = ${withdrawId}`.execute(db);
  return rows[0] ?? null;
}
