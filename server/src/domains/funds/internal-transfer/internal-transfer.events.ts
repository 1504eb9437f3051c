import { ENTRY, type Platform } from '@hengtai/contract/values/money';
import type { EventHandlers } from '../../../gateway/handlers.ts';
import { isFrozen, mustFindCoin, mustFindUser } from '../../../gateway/lookup.store.ts';
import { reject } from '../../../gateway/rejected.ts';
import { insertTransfer } from './internal-transfer.store.ts';

export const transferEvents: EventHandlers<'transfer.made'> = {
  // Moves money between two users, or between two account types of one user.
  'transfer.made': async ({ batch, at, now }, data) => {
    const from = await mustFindUser(batch, data.account);
    const to = await mustFindUser(batch, data.toAccount, 'toAccount');
    const market = await mustFindCoin(batch, data.market);
    const isSameUser = from.id === to.id;
    if (isSameUser && data.platform === data.toPlatform) throw reject('sameAccount');
    if (isFrozen(from) || isFrozen(to)) throw reject('frozen');
    const { no, platform, toPlatform, amount } = data;
    const id = await insertTransfer(batch, {
      no,
      from,
      to,
      marketId: market.id,
      platform,
      toPlatform,
      amount,
      createdAt: at,
      now,
    });
    await batch.post({ refType: 'internalTransfer', refId: id, at, now }, [
      {
        debit: { user: from, marketId: market.id, platform: data.platform as Platform, bucket: 'active' },
        credit: { user: to, marketId: market.id, platform: data.toPlatform as Platform, bucket: 'active' },
        amount: data.amount,
        debitType: isSameUser ? ENTRY.accountTransfer : ENTRY.transferOut,
        creditType: isSameUser ? ENTRY.accountTransfer : ENTRY.transferIn,
      },
    ]);
  },
};
