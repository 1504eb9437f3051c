import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';

interface Preference {
  key: string;
  value: unknown;
}

/** Queries read and write only the operator's own preferences, regardless of its scope. */
type OperatorContext = Pick<Ctx, 'db' | 'operator'>;

export async function listPreferences({ db, operator }: OperatorContext): Promise<Preference[]> {
  const { rows } = await sql<{ key: string; value: string }>`
    select key, value from preference where operator_id = ${operator.id} order by key`.execute(db);
  return rows.map(({ key, value }) => ({ key, value: JSON.parse(value) as unknown }));
}

export async function countPreferences({ db, operator }: OperatorContext): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from preference where operator_id = ${operator.id}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Upserts in key order, so that concurrent saves of an operator cannot deadlock. */
export async function upsertPreferences(
  ctx: OperatorContext & Pick<Ctx, 'now'>,
  items: readonly Preference[],
): Promise<void> {
  const sorted = items.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const keys = sorted.map(({ key }) => key);
  const values = sorted.map(({ value }) => JSON.stringify(value));
  await sql`
    insert into preference (operator_id, key, value, updated_at)
    select ${ctx.operator.id}, input.key, input.value, ${ctx.now}
    from unnest(${keys}::text[], ${values}::text[]) as input (key, value)
    on conflict (operator_id, key) do update set value = excluded.value, updated_at = excluded.updated_at`.execute(
    ctx.db,
  );
}

export async function deletePreferences({ db, operator }: OperatorContext, keys: readonly string[]): Promise<void> {
  await sql`delete from preference where operator_id = ${operator.id} and key = any(${[...keys]}::text[])`.execute(db);
}
