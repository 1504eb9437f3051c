import { GATEWAY_PLATFORMS_MAX } from '@hengtai/contract/house/gateway-key/calls';
import type { GatewayPlatform, GatewayPlatformSave } from '@hengtai/contract/house/gateway-key/schema';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { lockGatewayKeys } from '../../../gateway/gateway-key.store.ts';
import type { Db } from '../../../database/connect.ts';

const fields = sql`id, name, markets, by_account as by, created_at as "createdAt", updated_at as "updatedAt"`;

/** The default platform first. */
export async function listPlatforms(db: Db): Promise<GatewayPlatform[]> {
  const { rows } = await sql<GatewayPlatform>`select ${fields} from platform order by id`.execute(db);
  return rows;
}

export async function findPlatform(db: Db, id: number): Promise<GatewayPlatform | undefined> {
  const { rows } = await sql<GatewayPlatform>`select ${fields} from platform where id = ${id}`.execute(db);
  return rows[0];
}

type Terms = Pick<GatewayPlatformSave, 'name' | 'markets'>;

/** Inserts a platform; undefined if there are `GATEWAY_PLATFORMS_MAX`. */
export async function insertPlatform(
  { db, operator, now }: Ctx,
  { name, markets }: Terms,
): Promise<GatewayPlatform | undefined> {
  const { rows } = await sql<GatewayPlatform>`
    insert into platform (name, markets, by_account, created_at, recorded_at, updated_at)
    select ${name}::text, ${markets && [...markets]}::text[], ${operator.account}::text, ${now}::bigint, ${now}::bigint,
      ${now}::bigint
    where (select count(*) from platform) < ${GATEWAY_PLATFORMS_MAX} returning ${fields}`.execute(db);
  return rows[0];
}

/** Changes a platform that nobody changed since it was read. */
export async function updatePlatform(
  { db, operator, now }: Ctx,
  { id, updatedAt }: Pick<GatewayPlatform, 'id' | 'updatedAt'>,
  { name, markets }: Terms,
): Promise<GatewayPlatform | undefined> {
  await lockGatewayKeys(db);
  const { rows } = await sql<GatewayPlatform>`
    update platform set name = ${name}, markets = ${markets && [...markets]}::text[], by_account = ${operator.account},
      updated_at = greatest(${now}, updated_at + 1)
    where id = ${id} and updated_at = ${updatedAt} returning ${fields}`.execute(db);
  return rows[0];
}

/** Those of these names that are no market. */
export async function findUnknownMarkets(db: Db, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${[...names]}::text[]) as n(name)
    where not exists (select from market m where m.market_name = n.name)`.execute(db);
  return rows.map(({ name }) => name);
}
