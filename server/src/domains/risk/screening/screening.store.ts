import { KYC } from '@hengtai/contract/risk/kyc/calls';
import {
  SCREEN_ADDRESS,
  SCREEN_EXEMPT,
  SCREEN_MINIMUM,
  SCREEN_NAME,
  SCREEN_VALID,
  SCREEN_WAIT,
} from '@hengtai/contract/risk/screening/calls';
import type { ScreenResult } from '@hengtai/contract/risk/screening/facts';
import type { ScreenBypass, ScreenRequest } from '@hengtai/contract/risk/screening/schema';
import type { Network } from '@hengtai/contract/trading/market/schema';
import { sql } from 'kysely';
import { type Db, prepared } from '../../../database/connect.ts';

/** A record that is screened: a withdrawal by its address, an identity review by its name. */
export interface ScreenTarget {
  type: 'withdraw' | 'auth';
  id: number;
}

export interface ScreenSettings {
  address: boolean;
  name: boolean;
  /** Value in USDT, decimal string. */
  minimum: string;
  /** Coins, separated by commas. */
  exempt: string;
  waitMinutes: number;
  validHours: number;
}

export async function findScreenSettings(db: Db): Promise<ScreenSettings> {
  const { rows } = await sql<ScreenSettings>`${prepared}
    select coalesce(bool_or(key = ${SCREEN_ADDRESS} and state = 1), false) as address,
      coalesce(bool_or(key = ${SCREEN_NAME} and state = 1), false) as name,
      coalesce(max(num) filter (where key = ${SCREEN_MINIMUM}), 0) as minimum,
      coalesce(max(str) filter (where key = ${SCREEN_EXEMPT}), '') as exempt,
      coalesce(max(num) filter (where key = ${SCREEN_WAIT}), 1)::int as "waitMinutes",
      coalesce(max(num) filter (where key = ${SCREEN_VALID}), 1)::int as "validHours"
    from config where key ^@ 'screening.'`.execute(db);
  const [settings] = rows;
  if (!settings) throw new Error('The settings of screening could not be read.');
  return settings;
}

export interface FoundScreening {
  /** Latest first. */
  requests: ScreenRequest[];
  bypass: (ScreenBypass & { answerIds: number[]; entryIds: number[] }) | null;
}

const answersJson = sql`coalesce((select json_agg(json_build_object('id', a.id, 'provider', a.provider, 'result', a.result,
    'score', a.score, 'categories', a.categories, 'reference', a.reference, 'at', a.created_at,
    'late', a.recorded_at > s.due_at) order by a.id)
  from screening_answer a where a.screening_id = s.id), '[]')`;

/** What was asked about a record, what was answered, and the last bypass. */
export async function findScreening(db: Db, { type, id }: ScreenTarget): Promise<FoundScreening> {
  const { rows } = await sql<FoundScreening>`${prepared}
    select coalesce((select json_agg(json_build_object('no', 'S' || s.id, 'by', s.by_account, 'createdAt', s.created_at,
        'dueAt', s.due_at, 'failure', s.failure, 'answers', ${answersJson}) order by s.id desc)
      from screening s where s.target_type = ${type} and s.target_id = ${id}), '[]') as requests,
      (select json_build_object('by', b.by_account, 'secondBy', b.second_by, 'reason', b.reason, 'at', b.created_at,
        'answerIds', b.answer_ids, 'entryIds', b.entry_ids)
      from screening_bypass b where b.target_type = ${type} and b.target_id = ${id} order by b.id desc limit 1) as bypass`.execute(
    db,
  );
  return rows[0] ?? { requests: [], bypass: null };
}

/** Records requests in the order of the targets. @returns their ids in the same order */
export async function insertScreenings(
  db: Db,
  type: ScreenTarget['type'],
  targetIds: readonly number[],
  { by, now, dueAt }: { by: string | null; now: number; dueAt: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`${prepared}
    insert into screening (target_type, target_id, by_account, created_at, due_at)
    select ${type}::text, t.id, ${by}::text, ${now}::bigint, ${dueAt}::bigint
    from unnest(${[...targetIds]}::bigint[]) with ordinality as t(id, n) order by t.n returning id`.execute(db);
  return rows.map(({ id }) => id).toSorted((a, b) => a - b);
}

export interface ScreenedWithdraw {
  id: number;
  no: string;
  account: string;
  marketName: string;
  network: string;
  address: string;
  memo: string;
  /** Of the coin. */
  listedNetworks: Network[];
  amount: string;
  /** In USDT; null without a price. */
  valuation: string | null;
}

export async function fetchScreenedWithdraws(db: Db, ids: readonly number[]): Promise<ScreenedWithdraw[]> {
  const { rows } = await sql<ScreenedWithdraw>`${prepared}
    select w.id, w.no, u.account, m.market_name as "marketName", w.network, w.address, w.memo,
      m.networks as "listedNetworks", w.amount, w.valuation
    from withdraw w join users u on u.id = w.user_id join market m on m.id = w.market_id
    where w.id = any(${[...ids]}::bigint[]) order by w.id`.execute(db);
  return rows;
}

export interface ScreenedName {
  id: number;
  account: string;
  level: number;
  name: string;
  country: string;
}

/** The waiting submissions of users, of which each has at most one. */
export async function fetchWaitingNames(db: Db, userIds: readonly number[]): Promise<ScreenedName[]> {
  const { rows } = await sql<ScreenedName>`${prepared}
    select a.id, u.account, a.level, a.name, a.country from auth a join users u on u.id = a.user_id
    where a.user_id = any(${[...userIds]}::bigint[]) and a.state = ${sql.lit(KYC.waiting)} order by a.id`.execute(db);
  return rows;
}

export interface AnsweredScreening extends ScreenTarget {
  screeningId: number;
  userId: number;
  agentId: number;
  /** Of the record. */
  state: number;
  answers: number;
}

/**
 * Finds the request that an answer names, and locks its record: a decision about the record either sees the answer, or the
 * answer sees the decision.
 */
export async function lockScreening(db: Db, id: number): Promise<AnsweredScreening | undefined> {
  const { rows: found } = await sql<ScreenTarget & { screeningId: number }>`${prepared}
    select id as "screeningId", target_type as type, target_id as id from screening where id = ${id}`.execute(db);
  const [request] = found;
  if (!request) return undefined;
  const record = sql.table(request.type);
  const { rows } = await sql<{ userId: number; agentId: number; state: number }>`
    select user_id as "userId", agent_id as "agentId", state from ${record} where id = ${request.id} for no key update`.execute(
    db,
  );
  if (!rows[0]) return undefined;
  const { rows: counted } = await sql<{ answers: number }>`${prepared}
    select count(*)::int as answers from screening_answer where screening_id = ${id}`.execute(db);
  return { ...request, ...rows[0], answers: counted[0]?.answers ?? 0 };
}

/** Locks a record against decisions and answers. */
export async function lockRecord(db: Db, { type, id }: ScreenTarget): Promise<void> {
  await sql`select 1 from ${sql.table(type)} where id = ${id} for no key update`.execute(db);
}

export interface NewAnswer {
  screeningId: number;
  provider: string;
  result: ScreenResult;
  score: number | null;
  categories: readonly string[];
  reference: string;
  at: number;
  now: number;
}

export async function insertAnswer(db: Db, answer: NewAnswer): Promise<void> {
  const { screeningId, provider, result, score, categories, reference, at, now } = answer;
  await sql`${prepared}
    insert into screening_answer (screening_id, provider, result, score, categories, reference, created_at, recorded_at)
    values (${screeningId}, ${provider}, ${result}, ${score}, ${[...categories]}::text[], ${reference}, ${at}, ${now})`.execute(
    db,
  );
}

export async function setFailure(db: Db, id: number, failure: string): Promise<void> {
  await sql`update screening set failure = ${failure} where id = ${id}`.execute(db);
}

export interface NewBypass extends ScreenBypass {
  /** The answers and entries of address lists that it covers. */
  answerIds: readonly number[];
  entryIds: readonly number[];
}

export async function insertBypass(db: Db, { type, id }: ScreenTarget, bypass: NewBypass): Promise<void> {
  const { answerIds, entryIds, reason, by, secondBy, at } = bypass;
  await sql`
    insert into screening_bypass (target_type, target_id, answer_ids, entry_ids, reason, by_account, second_by, created_at)
    values (${type}, ${id}, ${[...answerIds]}::bigint[], ${[...entryIds]}::bigint[], ${reason}, ${by}, ${secondBy}, ${at})`.execute(
    db,
  );
}
