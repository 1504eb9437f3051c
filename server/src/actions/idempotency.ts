import { createHash } from 'node:crypto';
import type { Envelope } from '@hengtai/contract/wire/envelope';
import { refusals } from '@hengtai/contract/wire/refusals';
import { stableJson } from '@hengtai/contract/wire/stable-json';
import { sql } from 'kysely';
import type { Ctx } from '../app/context.ts';
import { prepared } from '../database/connect.ts';
import { refuse } from '../app/refuse.ts';

export type Answer = Pick<Envelope, 'code' | 'msg' | 'data'>;

/** Days for which the answer of a key is stored. */
export const KEY_DAYS = 7;

/** An idempotency key with the path and body it belongs to. */
export interface Key {
  key: string;
  path: string;
  bodyHash: string;
}

/** Leaves the password out of the body hash; otherwise a stolen table would allow offline guessing. */
export function keyFor(key: string, path: string, input: object): Key {
  const { password: _password, ...hashed } = { password: undefined, ...input };
  return { key, path, bodyHash: createHash('sha256').update(stableJson(hashed)).digest('hex') };
}

/**
 * Claims the key for this transaction. If another call holds it, waits for that call and returns its answer. A refused call
 * stored no answer, so its key is free for a corrected input.
 *
 * @throws Refused 409 when the key was used for another body
 */
export async function claimKey(ctx: Ctx, key: Key): Promise<Answer | undefined> {
  const { numAffectedRows } = await sql`${prepared}
    insert into idempotency (operator_id, path, key, body_hash, created_at)
    values (${ctx.operator.id}, ${key.path}, ${key.key}, ${key.bodyHash}, ${ctx.now})
    on conflict (operator_id, path, key) do update set body_hash = excluded.body_hash
      where idempotency.answer is null`.execute(ctx.db);
  if (numAffectedRows === 1n) return undefined;
  const { rows } = await sql<{ body_hash: string; answer: Answer }>`${prepared}
    select body_hash, answer from idempotency
    where operator_id = ${ctx.operator.id} and path = ${key.path} and key = ${key.key}`.execute(ctx.db);
  const first = rows[0];
  if (!first || first.body_hash !== key.bodyHash) throw refuse(refusals.keyReused);
  return first.answer;
}

/** Stores the answer in the transaction of its effect. */
export async function storeAnswer(ctx: Ctx, key: Key, answer: Answer): Promise<void> {
  await sql`${prepared}update idempotency set answer = ${JSON.stringify(answer)}::json
    where operator_id = ${ctx.operator.id} and path = ${key.path} and key = ${key.key}`.execute(ctx.db);
}
