import { ACTIVE_RULES_MAX, RULES_MAX } from '@hengtai/contract/risk/rule/catalogue';
import { type RuleState } from '@hengtai/contract/risk/rule/calls';
import { RULE } from '@hengtai/contract/risk/rule/facts';
import type { RuleContent, RuleDetail, RuleList, RuleRow, RuleVersion } from '@hengtai/contract/risk/rule/schema';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import type { Db } from '../../../database/connect.ts';

/** Key of the advisory lock that serializes changes of rules, so that each set is compared with the last. */
const RULE_LOCK = 5_300_032;
/** Sets in the detail of a rule. */
const SETS_SHOWN = 50;

const fields = sql`r.id, r.state, r.version, r.name, v.conditions, v.actions, v.unknown_hits as "unknownHits",
  r.by_account as "by", r.created_at as "createdAt", r.updated_at as "updatedAt"`;
const from = sql`rule r join rule_version v on v.rule_id = r.id and v.version = r.version`;

export async function fetchRules(db: Db): Promise<RuleRow[]> {
  const { rows } = await sql<RuleRow>`select ${fields} from ${from} order by r.id`.execute(db);
  return rows;
}

export async function findRule(db: Db, id: number): Promise<RuleRow | undefined> {
  const { rows } = await sql<RuleRow>`select ${fields} from ${from} where r.id = ${id}`.execute(db);
  return rows[0];
}

export async function findRuleByName(db: Db, name: string): Promise<{ id: number } | undefined> {
  const { rows } = await sql<{ id: number }>`select id from rule where name = ${name}`.execute(db);
  return rows[0];
}

export async function fetchVersions(db: Db, id: number): Promise<RuleVersion[]> {
  const { rows } = await sql<RuleVersion>`
    select version, name, conditions, actions, unknown_hits as "unknownHits", by_account as "by", reason,
      created_at as "createdAt" from rule_version where rule_id = ${id} order by version desc`.execute(db);
  return rows;
}

/** The last sets with a version of the rule, latest first. */
export async function fetchSets(db: Db, id: number): Promise<RuleDetail['sets']> {
  const { rows } = await sql<RuleDetail['sets'][number]>`
    select s.number as "set", v.version, v.id = any(s.trial) as trial, s.by_account as "by", s.created_at as at
    from rule_version v join rule_set s on v.id = any(s.effective || s.trial)
    where v.rule_id = ${id} order by s.number desc limit ${SETS_SHOWN}`.execute(db);
  return rows;
}

/** The number of the set in force (0 before the first), and the progress of the backfill of facts. */
export async function findSetAndBackfill(db: Db): Promise<Pick<RuleList, 'set' | 'backfill'>> {
  const { rows } = await sql<{ set: number; reached: number; last: number }>`
    select coalesce((select max(number) from rule_set), 0) as "set", b.reached,
      coalesce((select max(id) from withdraw), 0) as last from fact_backfill b`.execute(db);
  const { set = 0, reached = 0, last = 0 } = rows[0] ?? {};
  return { set, backfill: { recorded: Math.min(reached, last), total: last } };
}

/** Serializes changes of rules until the transaction ends. */
export async function lockRules(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${RULE_LOCK})`.execute(db);
}

/**
 * Inserts a rule with its first version.
 *
 * @returns its id; undefined if there are `RULES_MAX`
 */
export async function insertRule(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  content: RuleContent,
  { by, reason, state = RULE.draft }: { by: string; reason: string; state?: RuleState },
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into rule (name, state, version, by_account, created_at, updated_at)
    select ${content.name}::text, ${state}::smallint, 1, ${by}::text, ${now}::bigint, ${now}::bigint
    where (select count(*) from rule) < ${RULES_MAX}
    returning id`.execute(db);
  const id = rows[0]?.id;
  if (id !== undefined) await insertVersion(db, { id, version: 1, content, by, reason, now });
  return id;
}

/** Adds a version to a rule and makes it the current one. The caller holds the lock of rules. */
export async function updateRule(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  { id, version }: Pick<RuleRow, 'id' | 'version'>,
  content: RuleContent,
  { by, reason }: { by: string; reason: string },
): Promise<void> {
  await insertVersion(db, { id, version: version + 1, content, by, reason, now });
  await sql`update rule set name = ${content.name}, version = ${version + 1}, by_account = ${by},
    updated_at = greatest(${now}, updated_at + 1) where id = ${id}`.execute(db);
}

interface NewVersion {
  id: number;
  version: number;
  content: RuleContent;
  by: string;
  reason: string;
  now: number;
}

async function insertVersion(db: Db, { id, version, content, by, reason, now }: NewVersion): Promise<void> {
  const { name, conditions, actions, unknownHits } = content;
  await sql`insert into rule_version (rule_id, version, name, conditions, actions, unknown_hits, by_account, reason, created_at)
    values (${id}, ${version}, ${name}, ${JSON.stringify(conditions)}::jsonb, ${JSON.stringify(actions)}::jsonb, ${unknownHits},
      ${by}, ${reason}, ${now})`.execute(db);
}

export async function moveRule(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  id: number,
  state: RuleState,
  by: string,
): Promise<void> {
  await sql`update rule set state = ${state}, by_account = ${by}, updated_at = greatest(${now}, updated_at + 1)
    where id = ${id}`.execute(db);
}

/**
 * Puts the current versions of the rules in effect and on trial into force, if they differ from the last set. The caller
 * holds the lock of rules.
 *
 * @returns false if more than `ACTIVE_RULES_MAX` rules are active; the set is inserted all the same, so the caller must roll
 *   back
 */
export async function insertRuleSet({ db, now }: Pick<Ctx, 'db' | 'now'>, by: string): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    with active as (
      select coalesce(array_agg(v.id order by v.id) filter (where r.state = ${RULE.effective}), '{}') as effective,
        coalesce(array_agg(v.id order by v.id) filter (where r.state = ${RULE.trial}), '{}') as trial
      from ${from} where r.state in (${RULE.trial}, ${RULE.effective})
    ),
    last as (select * from rule_set order by number desc limit 1),
    inserted as (
      insert into rule_set (number, effective, trial, by_account, created_at)
      select coalesce((select number from last), 0) + 1, effective, trial, ${by}::text, ${now}::bigint from active
      where (effective, trial) is distinct from
        (coalesce((select effective from last), '{}'), coalesce((select trial from last), '{}'))
    )
    select cardinality(effective || trial) as count from active`.execute(db);
  return (rows[0]?.count ?? 0) <= ACTIVE_RULES_MAX;
}
