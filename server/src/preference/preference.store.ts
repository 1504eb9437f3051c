import { sql } from 'kysely';
import type { Ctx } from '../context.ts';

/** Nobody's preferences but the operator's own are ever read or written, whatever else it may see. */
interface Preference {
  key: string;
  value: unknown;
}

type Who = Pick<Ctx, 'db' | 'operator'>;

export async function listPreferences({ db, operator }: Who): Promise<Preference[]> {
  const { rows } = await sql<{ key: string; value: string }>`
    select key, value from preference where operator_id = ${operator.id} order by key`.execute(db);
  return rows.map(({ key, value }) => ({ key, value: JSON.parse(value) as unknown }));
}

export async function countPreferences({ db, operator }: Who): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from preference where operator_id = ${operator.id}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** In the order of their keys, so that two windows that save at once never wait for each other in a circle. */
export async function putPreferences(ctx: Who & Pick<Ctx, 'now'>, items: readonly Preference[]): Promise<void> {
  const sorted = items.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const keys = sorted.map(({ key }) => key);
  const values = sorted.map(({ value }) => JSON.stringify(value));
  await sql`
    insert into preference (operator_id, key, value, updated_at)
    select ${ctx.operator.id}, given.key, given.value, ${ctx.now}
    from unnest(${keys}::text[], ${values}::text[]) as given (key, value)
    on conflict (operator_id, key) do update set value = excluded.value, updated_at = excluded.updated_at`.execute(
    ctx.db,
  );
}

export async function dropPreferences({ db, operator }: Who, keys: readonly string[]): Promise<void> {
  await sql`delete from preference where operator_id = ${operator.id} and key = any(${[...keys]}::text[])`.execute(db);
}
