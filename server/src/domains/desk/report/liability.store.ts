import { LIABILITY, report as calls } from '@hengtai/contract/desk/report/calls';
import type { LiabilityProof, LiabilityRow, SignatureFile } from '@hengtai/contract/desk/report/schema';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import type { Db, Scope } from '../../../database/connect.ts';
import { defineList } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { inScope, namedInScope } from '../../../database/scope.ts';
import { type TreeLeaf, type TreeNode, LIABILITY_RULE, amountOf } from './liability-tree.ts';

const sourceFor = ({ scope }: Pick<Ctx, 'scope'>): ListSource => ({
  fields: sql`
    l.id, l.state, l.at, l.users, l.done, l.root, l.totals, l.matches,
    l.entry_id as entry, coalesce(nullif(${namedInScope(scope, 'l.operator')}, ''), '--') as operator, l.reason, l.created_at as "createdAt",
    l.updated_at as "updatedAt"`,
  from: sql`liability l`,
  id: 'l.id',
  createdAt: 'l.created_at',
  filters: { state: 'l.state' },
});

/** Not limited to a scope: roots and totals are public, because every proof contains them. */
export const listLiabilities = defineList(calls.liability, sourceFor);

/** Inserts a request for a proof; undefined while another one is waiting or running. */
export async function insertLiability(
  { db, operator, now, scope }: Ctx,
  files: readonly SignatureFile[],
): Promise<LiabilityRow | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into liability (operator_id, operator, version, files, created_at, updated_at)
    values (${operator.id}, ${operator.account}, ${LIABILITY_RULE}, ${JSON.stringify(files)}::jsonb, ${now}, ${now})
    on conflict ((true)) where state < 2 do nothing returning id`.execute(db);
  const [made] = rows;
  if (!made) return undefined;
  const source = sourceFor({ scope });
  const found = await sql<LiabilityRow>`select ${source.fields} from ${source.from} where l.id = ${made.id}`.execute(
    db,
  );
  return found.rows[0];
}

export interface LiabilityTask {
  id: number;
  /** Increments with each worker that takes the task; writes of an older attempt are rejected. */
  attempt: number;
  /** Null if the system asked for the proof. */
  operatorId: number | null;
  operator: string;
  files: SignatureFile[];
}

/**
 * Takes the waiting task, or a running one without progress since `silentSince`, and deletes what was written of it.
 */
export async function takeLiability(db: Db, now: number, silentSince: number): Promise<LiabilityTask | undefined> {
  const { rows } = await sql<LiabilityTask>`
    update liability set state = ${LIABILITY.running}, attempt = attempt + 1, done = 0, updated_at = ${now}
    where id = (
      select id from liability where state = ${LIABILITY.waiting} or (state = ${LIABILITY.running} and updated_at < ${silentSince})
      order by id limit 1 for update skip locked
    )
    returning id, attempt, operator_id as "operatorId", operator, files`.execute(db);
  const [task] = rows;
  if (task) await deleteTree(db, task.id);
  return task;
}

async function deleteTree(db: Db, id: number): Promise<void> {
  await sql`delete from liability_node where liability_id = ${id}`.execute(db);
  await sql`delete from liability_leaf where liability_id = ${id}`.execute(db);
}

export interface UserBalances {
  id: number;
  platformId: number;
  account: string;
  /** Decimal strings by coin, without zeros. */
  balances: Record<string, string>;
}

/** The accounts with their balances after entry `entryId`. */
const accountsAt = (entryId: number) => sql`(
  select a.user_id, a.market_id, a.balance - coalesce(later.amount, 0) as balance from account a
  left join (select account_id, sum(amount) as amount from entry where id > ${entryId} group by 1) later
    on later.account_id = a.id)`;

/**
 * Sums each user's accounts by coin, as of an entry up to which every entry is visible. Demo money has no ledger account, so it
 * is not included.
 */
export async function fetchUserBalances(db: Db, entryId: number): Promise<UserBalances[]> {
  const { rows } = await sql<UserBalances>`
    select u.id, u.platform_id as "platformId", u.account, coalesce(b.balances, '{}'::jsonb) as balances
    from users u
    left join (
      select user_id, jsonb_object_agg(market_name, amount::text) as balances from (
        select a.user_id, m.market_name, sum(a.balance) as amount from ${accountsAt(entryId)} a
        join market m on m.id = a.market_id where a.user_id is not null group by 1, 2 having sum(a.balance) <> 0
      ) s group by 1
    ) b on b.user_id = u.id
    where u.deleted_at is null or b.user_id is not null order by u.id`.execute(db);
  return rows;
}

/** What the house owes its users by coin, as of an entry: the negated sum of the house accounts. */
export async function fetchHouseLiabilities(
  db: Db,
  entryId: number,
): Promise<{ marketName: string; amount: string }[]> {
  const { rows } = await sql<{ marketName: string; amount: string }>`
    select m.market_name as "marketName", -sum(a.balance) as amount from ${accountsAt(entryId)} a
    join market m on m.id = a.market_id where a.user_id is null group by m.id, m.market_name, m.sort having sum(a.balance) <> 0 order by m.sort, m.id`.execute(
    db,
  );
  return rows;
}

/** Returns false if another attempt has taken the task. */
export async function recordProgress(
  db: Db,
  task: LiabilityTask,
  users: number,
  done: number,
  now: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`update liability set users = ${users}, done = ${done}, updated_at = ${now}
    where id = ${task.id} and state = ${LIABILITY.running} and attempt = ${task.attempt}`.execute(db);
  return numAffectedRows === 1n;
}

export async function insertNodes(
  db: Db,
  id: number,
  level: number,
  first: number,
  nodes: readonly TreeNode[],
): Promise<void> {
  // `unnest` needs arrays of equal length; JSON allows any number of sums per node.
  const rows = nodes.map(({ hash, sums }, at) => ({ idx: first + at, hash, sums: sums.map(amountOf) }));
  await sql`insert into liability_node (liability_id, level, idx, hash, sums)
    select ${id}, ${level}, r.idx, r.hash, array(select jsonb_array_elements_text(r.sums))
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(idx int, hash text, sums jsonb)`.execute(db);
}

export async function insertLeaves(db: Db, id: number, first: number, leaves: readonly TreeLeaf[]): Promise<void> {
  await sql`insert into liability_leaf (liability_id, owner_id, idx, salt)
    select ${id}, r.user_id, ${first} + r.n - 1, r.salt
    from unnest(${leaves.map(({ userId }) => userId)}::bigint[], ${leaves.map(({ salt }) => salt)}::text[])
      with ordinality as r(user_id, salt, n)`.execute(db);
}

export interface LiabilityResult {
  at: number;
  /** The last ledger entry that is included. */
  entry: number;
  users: number;
  root: string;
  totals: LiabilityRow['totals'];
  matches: boolean;
}

/** Returns false if another attempt has taken the task. */
export async function finishLiability(
  db: Db,
  task: LiabilityTask,
  result: LiabilityResult,
  now: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update liability set state = ${LIABILITY.done}, at = ${result.at}, entry_id = ${result.entry}, users = ${result.users}, done = ${result.users}, root = ${result.root},
      totals = ${JSON.stringify(result.totals)}::jsonb, matches = ${result.matches ? 1 : 0}, updated_at = ${now}
    where id = ${task.id} and state = ${LIABILITY.running} and attempt = ${task.attempt}`.execute(db);
  return numAffectedRows === 1n;
}

/** Fails the task and deletes its nodes, unless another attempt has taken it. */
export async function failLiability(db: Db, task: LiabilityTask, reason: string, now: number): Promise<void> {
  const { numAffectedRows } = await sql`
    update liability set state = ${LIABILITY.failed}, reason = ${reason}, updated_at = ${now}
    where id = ${task.id} and state = ${LIABILITY.running} and attempt = ${task.attempt}`.execute(db);
  if (numAffectedRows === 1n) await deleteTree(db, task.id);
}

type Published = Pick<LiabilityProof, 'format' | 'version' | 'id' | 'at' | 'users' | 'root' | 'totals'>;

const published = sql`'hengtai.liability' as format, l.version, l.id, l.at, l.users, l.root,
  (select jsonb_agg(jsonb_build_object('marketName', t ->> 'marketName', 'amount', t ->> 'amount') order by n)
    from jsonb_array_elements(l.totals) with ordinality x(t, n)) as totals`;

/** The public data of the latest proof; null before the first. */
export async function findLatestLiability(db: Db): Promise<Published | null> {
  const { rows } = await sql<Published>`
    select ${published} from liability l where l.state = ${LIABILITY.done} order by l.id desc limit 1`.execute(db);
  const [found] = rows;
  return found ? { ...found, totals: found.totals ?? [] } : null;
}

/**
 * Inclusion proof of a user: its leaf and the sibling nodes up to the root; undefined if the proof has no such user.
 */
export async function findProof(db: Db, scope: Scope, id: number, userId: number): Promise<LiabilityProof | undefined> {
  const { rows } = await sql<Published & { account: string; salt: string; index: number }>`
    select ${published}, u.account, f.salt, f.idx as index
    from liability l join liability_leaf f on f.liability_id = l.id join users u on u.id = f.owner_id
    where l.id = ${id} and l.state = ${LIABILITY.done} and f.owner_id = ${userId} and ${inScope(scope, 'u.agent_id')}`.execute(
    db,
  );
  const [found] = rows;
  if (!found) return undefined;
  const totals = found.totals ?? [];
  const levels = found.users <= 1 ? 0 : Math.ceil(Math.log2(found.users));
  const siblings = Array.from({ length: levels }, (_, level) => (found.index >> level) ^ 1);
  const nodes = await sql<{ level: number; hash: string; sums: string[] }>`
    select n.level, n.hash, n.sums from liability_node n
    join unnest(${siblings.map((_, level) => level)}::int[], ${siblings}::int[]) as b(level, idx) on b.level = n.level and b.idx = n.idx
    where n.liability_id = ${id} order by n.level`.execute(db);
  const own = await sql<{ sums: string[] }>`
    select n.sums from liability_node n where n.liability_id = ${id} and n.level = 0 and n.idx = ${found.index}`.execute(
    db,
  );
  return {
    format: found.format,
    version: found.version,
    id: found.id,
    at: found.at,
    users: found.users,
    index: found.index,
    account: found.account,
    salt: found.salt,
    balances: totals.map(({ marketName }, at) => ({ marketName, amount: own.rows[0]?.sums[at] ?? '0' })),
    path: nodes.rows.map(({ hash, sums }) => ({ hash, sums })),
    totals,
    root: found.root,
  };
}

/** As `findProof` for the platform, by account; without an id, of the latest proof. */
export async function findProofOfAccount(
  db: Db,
  platformId: number,
  account: string,
  id: number | undefined,
): Promise<LiabilityProof | undefined> {
  const { rows } = await sql<{ userId: number; id: number }>`
    select u.id as "userId", l.id from users u cross join liability l
    where u.account_key = lower(${account}) and u.platform_id = ${platformId} and l.state = ${LIABILITY.done}
      and ${id === undefined ? sql`true` : sql`l.id = ${id}`} order by l.id desc limit 1`.execute(db);
  const [found] = rows;
  return found && findProof(db, { kind: 'all' }, found.id, found.userId);
}
