import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import { approvalTypes } from '@hengtai/contract/desk/approval/calls';
import { bucketLabels, platformLabels } from '@hengtai/contract/values/money';
import { userOpenKinds } from '@hengtai/contract/people/user/calls';
import type { UserOpen } from '@hengtai/contract/people/user/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/connect.ts';

/** Maximum listed items of a kind; the rest is counted. */
const MAX_LISTED = 20;

/**
 * A search for the open items of one kind, which prevent the deletion of their user: they hold its money or wait for a decision.
 * `query` selects the columns that `describe` needs.
 */
export interface OpenProbe {
  /** A kind of target. */
  what: string;
  query: (userId: number) => RawBuilder<unknown>;
  describe: (row: Record<string, string | number>) => string;
}

export const openLabel = (
  labels: Readonly<Record<string | number, string>>,
  key: string | number | undefined,
): string => labels[String(key)] ?? String(key);

const balanceProbe: OpenProbe = {
  what: 'balance',
  query: (userId) => sql`select m.market_name as market, a.platform, a.bucket, a.balance from account a
    join market m on m.id = a.market_id where a.user_id = ${userId} and a.balance > 0
    order by a.platform, m.sort, m.id, a.bucket`,
  describe: ({ market, platform, bucket, balance }) =>
    `${openLabel(platformLabels, platform)} ${market} ${openLabel(bucketLabels, bucket)} ${balance}`,
};

const approvalProbe: OpenProbe = {
  what: 'approval',
  query: (userId) =>
    sql`select a.id, a.action from approval a where a.user_id = ${userId} and a.state = ${sql.lit(APPROVAL.open)} order by a.id`,
  describe: ({ id, action }) => `待复核审批 #${id}（${openLabel(approvalTypes, action)}）`,
};

/** The open items of a user; empty if it may be deleted. */
export async function findOpenItems(db: Db, probes: readonly OpenProbe[], userId: number): Promise<UserOpen[]> {
  const found: UserOpen[] = [];
  for (const { what, query, describe } of [balanceProbe, ...probes, approvalProbe]) {
    const { rows } = await sql<Record<string, string | number>>`select found.*, count(*) over () as "openCount"
      from (${query(userId)}) found limit ${MAX_LISTED}`.execute(db);
    found.push(...rows.map((row) => ({ what, text: describe(row) })));
    const more = Number(rows[0]?.['openCount'] ?? 0) - rows.length;
    if (more > 0) found.push({ what, text: `另有 ${more} 项${userOpenKinds[what]}` });
  }
  return found;
}
