import { API_BASE } from '@hengtai/contract/wire/endpoint';
import { SUPPORT_MESSAGES_SIZE, support as calls } from '@hengtai/contract/desk/support/calls';
import type { SupportMessage, SupportMessages, SupportPage } from '@hengtai/contract/desk/support/schema';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { inScope } from '../../../database/scope.ts';

/** The URL of an image: a call that needs a session for a stored image, otherwise the platform's URL. */
const image = sql`case when substr(m.image, 1, 5) = 'data:' then ${`${API_BASE}${calls.image.path}?id=`} || m.id else m.image end`;

/** The number under which the platform receives an operator's message; numbers increase with each message. */
export const messageNumber = (id: number): string => `M${id}`;

const fields = sql`
  m.id, m.service_id as "serviceId", coalesce(m.no, 'M' || m.id) as no, m.side, m.text, ${image} as image, o.account as by,
  c.state as delivery, coalesce(c.reason, '') as fault, m.created_at as "createdAt"`;

const fromFor = ({ scope }: Ctx) => sql`service_message m
  left join agent o on o.id = m.operator_id and ${inScope(scope, 'o.id')}
  left join lateral (select c.state, c.reason from command c
    where m.side = 2 and c.ref_type = 'message' and c.ref_id = m.id order by c.id desc limit 1) c on true`;

/**
 * A page of messages of a conversation in ascending order: the last ones, or those directly before or after an id. Ids
 * increase in commit order within a conversation, so pages have neither gaps nor duplicates.
 */
export async function listMessages(ctx: Ctx, input: SupportMessages): Promise<SupportPage> {
  const { id, before, after, size = SUPPORT_MESSAGES_SIZE } = input;
  const forward = after !== undefined && before === undefined;
  const { rows } = await sql<SupportMessage>`
    select ${fields} from ${fromFor(ctx)}
    where m.service_id = ${id} and ${inScope(ctx.scope, 'm.agent_id')}
      and (${before ?? null}::bigint is null or m.id < ${before ?? null}::bigint)
      and (${after ?? null}::bigint is null or m.id > ${after ?? null}::bigint)
    order by m.id ${forward ? sql`asc` : sql`desc`} limit ${size + 1}`.execute(ctx.db);
  const list = rows.slice(0, size);
  return { list: forward ? list : list.toReversed(), more: rows.length > size };
}

export async function findMessage(ctx: Ctx, id: number): Promise<SupportMessage | undefined> {
  const { rows } = await sql<SupportMessage>`select ${fields} from ${fromFor(ctx)}
    where m.id = ${id} and ${inScope(ctx.scope, 'm.agent_id')}`.execute(ctx.db);
  return rows[0];
}

/** The image of a message as received; undefined if the message is outside the operator's scope. */
export async function findImage(ctx: Ctx, id: number): Promise<string | undefined> {
  const { rows } = await sql<{ image: string }>`select m.image from service_message m
    where m.id = ${id} and ${inScope(ctx.scope, 'm.agent_id')}`.execute(ctx.db);
  return rows[0]?.image;
}
