import { type RawBuilder, sql } from 'kysely';
import { type Accounts, type Sides, lieIn } from './filter.ts';
import type { ListSource } from './list.ts';
import { type CutQuestion, type Question, allOf } from './rolled-blocks.ts';
import { KIND } from './rollup.ts';
import type { Totals } from './totals.ts';

/** Ranges that have none but users whose accounts begin so. */
export interface WholeRanges {
  /** All accounts from the first of them to the last. */
  accounts: Accounts;
  /** What is asked, of these alone; and how many there are at all times. */
  question: CutQuestion;
  totals: Totals;
}

/** The ranges that lie within the beginning asked for; undefined where there are none whose blocks are made. */
export async function wholeRanges(
  question: Question & { sides: Sides },
  source: ListSource,
): Promise<WholeRanges | undefined> {
  const { target } = question;
  const found = await findRanges(question);
  if (!found) return undefined;
  const { keys, accounts } = found;
  const pending = sql`${target.pending} and exists (
    select from users x where x.id = user_key and ${lieIn(sql.ref('x.account_key'), accounts)})`;
  const inside: Question = { ...question, target: { ...target, kind: KIND.range, keys, pending } };
  const { totals, cuts } = await allOf(inside, source);
  if (!cuts) return undefined;
  const shift = Math.max(...cuts.map((cut) => cut.shift));
  return { accounts, totals, question: { ...inside, cuts, shift } };
}

/**
 * A range counts as whole as well where what lies outside has no user of the agents concerned. What is not added up yet is
 * told apart by its users' accounts, so that none are found while some of it is of users who have left for where the operator
 * sees nothing.
 */
async function findRanges({
  db,
  noun,
  target,
  sides,
}: Question & { sides: Sides }): Promise<{ keys: number[]; accounts: Accounts } | undefined> {
  const [key, another] = target.keys;
  if (key === undefined || another !== undefined) return undefined;
  const { from, past } = sides.accounts;
  const account = sql.ref('x.account_key');
  const isNobody = (first: RawBuilder<unknown>, next?: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`not exists (select from users x
      where ${account} ~>=~ ${first}${next ? sql` and ${account} ~<~ ${next}` : sql``} and ${sides.theirs})`;
  const behind =
    past === undefined
      ? sql`true`
      : sql`(r.first ~<~ ${past} and case when r.next is null then ${isNobody(sql`${past}`)}
          else r.next ~<=~ ${past} or ${isNobody(sql`${past}`, sql`r.next`)} end)`;
  const before = sql`((r.next is null or r.next ~>~ ${from}) and (r.first ~>=~ ${from} or ${isNobody(sql`r.first`, sql`${from}`)}))`;
  // In the accounts' own collation, without which their index is not asked.
  const own = (column: string) => sql`${sql.raw(column)} collate "default"`;
  const { rows } = await sql<{ id: number; first: string; next: string | null }>`
    select r.id, r.first, r.next from (
      select o.id, ${own('o.first')} as first, ${own('lead(o.first) over (order by o.first)')} as next from roll_range o
      where o.noun = ${noun.code} and o.kind = ${target.kind} and o.key = ${key} offset 0
    ) r
    where ${before} and ${behind}
      and not exists (select from roll_delta where noun = ${noun.code} and ${target.pending}
        and not exists (select from users x where x.id = user_key))
    order by r.first collate "C"`.execute(db);
  const [first] = rows;
  if (!first) return undefined;
  return {
    keys: rows.map(({ id }) => id),
    accounts: { from: first.first, past: rows.at(-1)?.next ?? undefined },
  };
}
