import type { ChannelKind } from '@hengtai/contract/wire/input-values';
import { CHANNELS_MAX } from '@hengtai/contract/desk/channel/calls';
import type { ChannelRow } from '@hengtai/contract/desk/channel/schema';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import type { Db } from '../../../database/connect.ts';

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

/** Address and key, encrypted, and the key that they are encrypted with. */
export interface EncryptedTarget {
  secret: string;
  keyId: string;
}

/** The encrypted target of a channel. */
export async function findTarget({ db, operator }: OperatorContext, id: number): Promise<string | undefined> {
  const { rows } = await sql<{ secret: string }>`
    select secret from channel where id = ${id} and operator_id = ${operator.id} for no key update`.execute(db);
  return rows[0]?.secret;
}

export interface NewChannel {
  kind: ChannelKind;
  name: string;
  hint: string;
  target: EncryptedTarget;
  types: readonly string[];
  enabled: number;
}

/** Inserts a channel; undefined if the operator has `CHANNELS_MAX` channels. */
export async function insertChannel({ db, operator, now }: Ctx, channel: NewChannel): Promise<number | undefined> {
  // Concurrent inserts may exceed the limit slightly; it only protects the database.
  const { kind, name, target, hint, types, enabled } = channel;
  const { rows } = await sql<{ id: number }>`
    insert into channel (operator_id, kind, name, secret, key_id, hint, types, enabled, created_at, recorded_at,
      updated_at)
    select ${operator.id}::bigint, ${kind}::text, ${name}::text, ${target.secret}::text, ${target.keyId}::text, ${hint}::text,
      ${[...types]}::text[], ${enabled}::smallint, ${now}::bigint, ${now}::bigint, ${now}::bigint
    where (select count(*) from channel where operator_id = ${operator.id}) < ${CHANNELS_MAX}
    returning id`.execute(db);
  return rows[0]?.id;
}

/**
 * Updates a channel; an undefined target or hint stays. A new address, which has a hint, clears the failure of the old one.
 *
 * @returns false if the operator no longer has the channel
 */
export async function updateChannel(
  { db, operator, now }: Ctx,
  id: number,
  change: Pick<NewChannel, 'name' | 'types' | 'enabled'> & Partial<Pick<NewChannel, 'hint' | 'target'>>,
): Promise<boolean> {
  const { name, types, enabled, hint = null, target } = change;
  const { numAffectedRows } = await sql`
    update channel set name = ${name}, types = ${[...types]}::text[], enabled = ${enabled},
      secret = coalesce(${target?.secret ?? null}::text, secret), key_id = coalesce(${target?.keyId ?? null}::text, key_id),
      hint = coalesce(${hint}::text, hint), updated_at = ${now},
      failed_at = case when ${hint}::text is null then failed_at end,
      error = case when ${hint}::text is null then error else '' end
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
