import { ENTRY, type Platform } from '@hengtai/contract/money';
import { sql } from 'kysely';
import type { EventHandlers } from '../gateway/events.ts';
import { mustFindMarket, mustFindUser } from '../gateway/lookup.store.ts';
import { reject } from '../gateway/rejected.ts';
import { post } from '../ledger/post.ts';

export const transferEvents: EventHandlers<'transfer.made'> = {
  /** Between two users, or between two account types of one; both sides at once. */
  'transfer.made': async ({ db, at, now }, data) => {
    const from = await mustFindUser(db, data.account);
    const to = await mustFindUser(db, data.toAccount, 'toAccount');
    const market = await mustFindMarket(db, data.market);
    const own = from.id === to.id;
    if (own && data.platform === data.toPlatform) throw reject('same');
    if (from.state !== 1 || to.state !== 1) throw reject('frozen');
    const { rows } = await sql<{ id: number }>`
      insert into internal_transfer (no, user_id, agent_id, to_user_id, to_agent_id, market_id, platform, to_platform,
        amount, state, created_at, recorded_at, updated_at)
      values (${data.no}, ${from.id}, ${from.agentId}, ${to.id}, ${to.agentId}, ${market.id}, ${data.platform},
        ${data.toPlatform}, ${data.amount}::numeric, 1, ${at}, ${now}, ${now})
      on conflict (no) do nothing returning id`.execute(db);
    const id = rows[0]?.id;
    if (id === undefined) throw reject('exists');
    await post(db, { refType: 'internalTransfer', refId: id, at, now }, [
      {
        debit: { user: from, marketId: market.id, platform: data.platform as Platform, bucket: 'active' },
        credit: { user: to, marketId: market.id, platform: data.toPlatform as Platform, bucket: 'active' },
        amount: data.amount,
        debitType: own ? ENTRY.accountTransfer : ENTRY.transferOut,
        creditType: own ? ENTRY.accountTransfer : ENTRY.transferIn,
      },
    ]);
  },
};
