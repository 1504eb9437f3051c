import { approvalTypes } from '@hengtai/contract/approval';
import { kycLevels } from '@hengtai/contract/kyc';
import { followStates } from '@hengtai/contract/follow.facts';
import { demoLabels, futureSides } from '@hengtai/contract/future';
import { futureStates } from '@hengtai/contract/future.facts';
import { bucketLabels, platformLabels } from '@hengtai/contract/money';
import { rechargeStates } from '@hengtai/contract/recharge.facts';
import { binaryContractSides } from '@hengtai/contract/binary-contract';
import { spotSides } from '@hengtai/contract/spot';
import { spotStates } from '@hengtai/contract/spot.facts';
import { type UserOpenKind, userOpenKinds } from '@hengtai/contract/user';
import type { UserOpen } from '@hengtai/contract/user.schema';
import { withdrawStates } from '@hengtai/contract/withdraw.facts';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../postgres/connect.ts';

/** Maximum listed items of a kind; the rest is counted. */
const MAX_LISTED = 20;

/** Finds open items of one kind; `query` selects the columns that `describe` needs. */
interface Probe {
  what: UserOpenKind;
  query: (userId: number) => RawBuilder<unknown>;
  describe: (row: Record<string, string | number>) => string;
}

/**
 * Everything that prevents the deletion of a user. A resource that can hold a user's money or wait for a decision adds
 * its probe here and its name to `userOpenKinds`.
 */
const probes: readonly Probe[] = [
  {
    what: 'balance',
    query: (userId) => sql`select m.market_name as market, a.platform, a.bucket, a.balance from account a
      join market m on m.id = a.market_id where a.user_id = ${userId} and a.balance > 0
      order by a.platform, m.sort, m.id, a.bucket`,
    describe: ({ market, platform, bucket, balance }) =>
      `${label(platformLabels, platform)} ${market} ${label(bucketLabels, bucket)} ${balance}`,
  },
  {
    what: 'recharge',
    query: (userId) => sql`select r.no, r.amount, m.market_name as market, r.state from recharge r
      join market m on m.id = r.market_id where r.user_id = ${userId} and r.state in (0, 3) order by r.id`,
    describe: ({ no, amount, market, state }) => `充值 ${no}（${amount} ${market}，${label(rechargeStates, state)}）`,
  },
  {
    what: 'withdraw',
    query: (userId) => sql`select w.no, w.amount, m.market_name as market, w.state from withdraw w
      join market m on m.id = w.market_id where w.user_id = ${userId} and w.state in (0, 1, 2, 3, 7, 8) order by w.id`,
    describe: ({ no, amount, market, state }) => `提现 ${no}（${amount} ${market}，${label(withdrawStates, state)}）`,
  },
  {
    what: 'trade',
    query: (userId) => sql`select o.no, m.market_name as market, o.side, o.state from trade_order o
      join market m on m.id = o.market_id where o.user_id = ${userId} and o.state in (0, 1, 4) order by o.id`,
    describe: ({ no, market, side, state }) =>
      `现货委托 ${no}（${label(spotSides, side)} ${market}，${label(spotStates, state)}）`,
  },
  {
    what: 'second',
    query: (userId) => sql`select c.no, c.amount, m.market_name as market, c.side from second_contract c
      join market m on m.id = c.market_id where c.user_id = ${userId} and c.state = 0 order by c.id`,
    describe: ({ no, amount, market, side }) =>
      `秒合约 ${no}（${market} ${label(binaryContractSides, side)} ${amount} USDT）`,
  },
  {
    what: 'follow',
    query: (userId) => sql`select f.no, f.amount, s.title, f.state from follow f
      join signal s on s.id = f.signal_id where f.user_id = ${userId} and f.state in (1, 3) order by f.id`,
    describe: ({ no, amount, title, state }) => `跟单 ${no}（${title}，${amount} USDT，${label(followStates, state)}）`,
  },
  {
    what: 'future',
    query: (userId) => sql`select o.no, m.market_name as market, o.demo, o.side, o.state from future_order o
      join market m on m.id = o.market_id where o.user_id = ${userId} and o.state in (0, 1, 5, 6) order by o.id`,
    describe: ({ no, market, demo, side, state }) =>
      `合约订单 ${no}（${label(demoLabels, demo)} ${label(futureSides, side)} ${market}，${label(futureStates, state)}）`,
  },
  {
    what: 'auth',
    query: (userId) => sql`select a.id, a.level from auth a where a.user_id = ${userId} and a.state = 0 order by a.id`,
    describe: ({ id, level }) => `待审核实名 #${id}（${label(kycLevels, level)}）`,
  },
  {
    what: 'ieo',
    query: (userId) => sql`select o.no, o.amount, m.market_name as market from ieo o
      join market m on m.id = o.market_id where o.user_id = ${userId} and o.state = 0 order by o.id`,
    describe: ({ no, amount, market }) => `待审核认购 ${no}（${amount} ${market}）`,
  },
  {
    what: 'approval',
    query: (userId) =>
      sql`select a.id, a.action from approval a where a.user_id = ${userId} and a.state = 0 order by a.id`,
    describe: ({ id, action }) => `待复核审批 #${id}（${label(approvalTypes, action)}）`,
  },
];

const label = (labels: Readonly<Record<string | number, string>>, key: string | number | undefined): string =>
  labels[String(key)] ?? String(key);

/** The open items of a user; empty if it may be deleted. */
export async function findOpenItems(db: Db, userId: number): Promise<UserOpen[]> {
  const found: UserOpen[] = [];
  for (const { what, query, describe } of probes) {
    const { rows } = await sql<Record<string, string | number>>`select found.*, count(*) over () as "openCount"
      from (${query(userId)}) found limit ${MAX_LISTED}`.execute(db);
    found.push(...rows.map((row) => ({ what, text: describe(row) })));
    const more = Number(rows[0]?.['openCount'] ?? 0) - rows.length;
    if (more > 0) found.push({ what, text: `另有 ${more} 项${userOpenKinds[what]}` });
  }
  return found;
}
