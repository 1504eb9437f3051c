import { Decimal } from '@hengtai/contract/values/decimal';
import { type CorporateKind, corporateKinds } from '@hengtai/contract/funds/ledger-entry/calls';
import { ENTRY, type Platform } from '@hengtai/contract/values/money';
import type { EventHandlers } from '../../../gateway/handlers.ts';
import { mustFindCoin, mustFindUser } from '../../../gateway/lookup.store.ts';
import { reject } from '../../../gateway/rejected.ts';
import { activeOf } from '../../../books/ledger/hold.ts';
import { leg } from '../../../books/ledger/post.ts';
import { isKnownCorporateAction, newCorporateActions } from './corporate-action.store.ts';

export const corporateActionEvents: EventHandlers<'balance.adjusted'> = {
  /** Adds to or takes from an active balance. Frozen money belongs to its record, so orders are cancelled first. */
  'balance.adjusted': async ({ batch, db, at, now }, data) => {
    const { no, batch: batchNo, kind, platform, amount, reason, balance } = data;
    const user = await mustFindUser(batch, data.account);
    const market = await mustFindCoin(batch, data.market);
    const own = activeOf({ user, marketId: market.id, platform: platform as Platform });
    const house = { house: 'adjustment', stripe: user.id, marketId: market.id } as const;
    const [before = '0'] = await batch.lockBalances([own, house]);
    const after = new Decimal(before).plus(amount);
    const isOther = balance !== undefined && !after.eq(balance);
    if (after.isNegative() || isOther) {
      if (await isKnownCorporateAction(db, no)) throw reject('exists');
      throw after.isNegative() ? reject('insufficient') : reject('invalid', 'balance');
    }
    const owner = { userId: user.id, agentId: user.agentId, marketId: market.id, platform };
    const row = { no, batch: batchNo, kind, ...owner, amount, reason, createdAt: at, now };
    const id = await batch.insertWithId(newCorporateActions, row);
    const head = {
      refType: 'corporate',
      refId: id,
      at,
      now,
      remark: `${corporateKinds[kind as CorporateKind]} ${batchNo}：${reason}`,
    };
    const size = new Decimal(amount).abs().toFixed();
    const isAdded = new Decimal(amount).isPositive();
    await batch.post(head, [leg(isAdded ? house : own, isAdded ? own : house, size, ENTRY.corporateAction)]);
  },
};
