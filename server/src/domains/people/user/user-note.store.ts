import type { InputOf } from '@hengtai/contract/wire/endpoint';
import { user as calls } from '@hengtai/contract/people/user/calls';
import type { NoteRow } from '@hengtai/contract/people/user/schema';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { lastRows, listRows } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { inScope } from '../../../database/scope.ts';

/** The author is hidden (`--`) unless it is in the scope of the reading operator. */
const sourceFor = ({ scope }: Ctx): ListSource => ({
  fields: sql`n.id, n.user_id as "userId", u.account, n.text, coalesce(o.account, '--') as by, n.created_at as "createdAt"`,
  from: sql`user_note n
    left join users u on u.id = n.user_id
    left join agent o on o.id = n.operator_id and ${inScope(scope, 'o.id')}`,
  id: 'n.id',
  createdAt: 'n.created_at',
  filters: { id: 'n.user_id' },
  where: inScope(scope, 'n.agent_id'),
});

export const listNotes = (ctx: Ctx, input: InputOf<typeof calls.noteList>) =>
  listRows<NoteRow>(ctx, calls.noteList.list, sourceFor(ctx), input);

/** The last notes on one user. */
export const lastNotes = (ctx: Ctx, userId: number, limit: number) =>
  lastRows<NoteRow>(ctx.db, sourceFor(ctx), sql`n.user_id = ${userId}`, limit);

/** The last notes on one user, without the user. */
export async function fetchTimelineNotes(ctx: Ctx, userId: number, limit: number) {
  const notes = await lastNotes(ctx, userId, limit);
  return notes.map(({ id, text, by, createdAt }) => ({ id, text, by, createdAt }));
}

export async function findNote(ctx: Ctx, id: number): Promise<NoteRow | undefined> {
  const rows = await lastRows<NoteRow>(ctx.db, sourceFor(ctx), sql`n.id = ${id}`, 1);
  return rows[0];
}

/** Inserts a note. The key lock on the user prevents a concurrent move or deletion; undefined if the user is gone. */
export async function insertNote(ctx: Ctx, userId: number, text: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into user_note (user_id, agent_id, text, operator_id, created_at, recorded_at)
    select u.id, u.agent_id, ${text}, ${ctx.operator.id}, ${ctx.now}, ${ctx.now} from users u
    where u.id = ${userId} and u.deleted_at is null and ${inScope(ctx.scope, 'u.agent_id')} for key share
    returning id`.execute(ctx.db);
  return rows[0]?.id;
}
