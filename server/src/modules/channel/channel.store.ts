import type { ChannelKind } from '@hengtai/contract/input-values';
import { CHANNELS_MAX } from '@hengtai/contract/channel';
import type { ChannelRow } from '@hengtai/contract/channel.schema';
import { sql } from 'kysely';
import type { Ctx } from '../../core/context.ts';
import type { Db } from '../../postgres/connect.ts';

/** Every statement is limited to the operator's own channels, regardless of its scope. */
type OperatorContext = Pick<Ctx, 'db' | 'operator'>;

const fields = sql`
  c.id, c.kind, c.name, c.hint as address, c.types, c.enabled,
  (select count(*) from delivery d where d.channel_id = c.id and d.state = 0)::int as waiting,
  c.sent_at as "sentAt", c.failed_at as "failedAt", c.error, c.created_at as "createdAt", c.updated_at as "updatedAt"`;

export async function listChannels({ db, operator }: OperatorContext): Promise<ChannelRow[]> {
  const { rows } = await sql<ChannelRow>`
    select ${fields} from channel c where c.operator_id = ${operator.id} order by c.id`.execute(db);
  return rows;
}

export async function findChannel({ db, operator }: OperatorContext, id: number): Promise<ChannelRow | undefined> {
  const { rows } = await sql<ChannelRow>`
    select ${fields} from channel c where c.id = ${id} and c.operator_id = ${operator.id}`.execute(db);
  return rows[0];
}

export interface NewChannel {
  kind: ChannelKind;
  name: string;
  /** Encrypted, as is `secret`. */
  address: string;
  hint: string;
  secret: string | null;
  types: readonly string[];
  enabled: number;
}

/** Inserts a channel; undefined if the operator has `CHANNELS_MAX` channels. */
export async function insertChannel({ db, operator, now }: Ctx, channel: NewChannel): Promise<number | undefined> {
  // Concurrent inserts may exceed the limit slightly; it only protects the database.
  const { kind, name, address, hint, secret, types, enabled } = channel;
  const { rows } = await sql<{ id: number }>`
    insert into channel (operator_id, kind, name, address, hint, secret, types, enabled, created_at, recorded_at,
      updated_at)
    select ${operator.id}::bigint, ${kind}::text, ${name}::text, ${address}::text, ${hint}::text, ${secret}::text,
      ${[...types]}::text[], ${enabled}::smallint, ${now}::bigint, ${now}::bigint, ${now}::bigint
    where (select count(*) from channel where operator_id = ${operator.id}) < ${CHANNELS_MAX}
    returning id`.execute(db);
  return rows[0]?.id;
}

/**
 * Updates a channel; an undefined address or secret stays. A new address clears the failure of the old one.
 *
 * @returns false if the operator no longer has the channel
 */
export async function updateChannel(
  { db, operator, now }: Ctx,
  id: number,
  change: Pick<NewChannel, 'name' | 'types' | 'enabled'> & { address?: string; hint?: string; secret?: string },
): Promise<boolean> {
  const { name, types, enabled, address = null, hint = null, secret = null } = change;
  const { numAffectedRows } = await sql`
    update channel set name = ${name}, types = ${[...types]}::text[], enabled = ${enabled},
      address = coalesce(${address}::text, address), hint = coalesce(${hint}::text, hint),
      secret = coalesce(${secret}::text, secret), updated_at = ${now},
      failed_at = case when ${address}::text is null then failed_at end,
      error = case when ${address}::text is null then error else '' end
    where id = ${id} and operator_id = ${operator.id}`.execute(db);
  return numAffectedRows === 1n;
}

export async function deleteChannel({ db, operator }: OperatorContext, id: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from channel where id = ${id} and operator_id = ${operator.id}`.execute(db);
  return numAffectedRows === 1n;
}

/** Deletes the channels and schedules of deleted operators, with the secrets in them. */
export async function deleteOrphans(db: Db): Promise<void> {
  for (const table of ['channel', 'schedule']) {
    await sql`delete from ${sql.table(table)} t using agent o
      where o.id = t.operator_id and o.deleted_at is not null`.execute(db);
  }
}
