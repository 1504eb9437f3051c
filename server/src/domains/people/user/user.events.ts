import { isIP } from 'node:net';
import { ENTRY, type Platform } from '@hengtai/contract/values/money';
import type { EventHandlers } from '../../../gateway/handlers.ts';
import { isLive, mustFindAgent, mustFindCoin, mustFindUser, cacheUser } from '../../../gateway/lookup.store.ts';
import { leg } from '../../../books/ledger/post.ts';
import { reject, rejectField } from '../../../gateway/rejected.ts';
import { insertCredentialChange, insertUser, recordUserLogin } from './user.store.ts';

type UserEvent = 'user.registered' | 'user.login' | 'user.credential' | 'balance.imported';

export const userEvents: EventHandlers<UserEvent> = {
  'user.registered': async ({ batch, db, at, now }, data) => {
    const agent = await mustFindAgent(batch, data.agent, 'agent');
    const user = { account: data.account, agentId: agent.id, remark: data.remark ?? '', createdAt: at, now };
    // The user belongs to the platform that registers it.
    const inserted = await insertUser(db, { ...user, platformId: batch.scope.id });
    if (!inserted) throw reject('exists');
    cacheUser(batch, data.account, inserted);
  },

  'user.login': async ({ batch, at, now }, data) => {
    if (isIP(data.ip) === 0) throw rejectField('ip', 'IPv4 or IPv6 address');
    const user = await mustFindUser(batch, data.account);
    await recordUserLogin(batch, user, { ip: data.ip, device: data.device, at, now });
  },

  'user.credential': async ({ batch, db, at, now }, data) => {
    const user = await mustFindUser(batch, data.account);
    await insertCredentialChange(db, user, data.kind, at, now);
  },

  // The opening balance of a platform's user; custody is debited because it already holds the coins.
  'balance.imported': async ({ batch, at, now }, data) => {
    if (await isLive(batch)) throw reject('alreadyLive');
    const user = await mustFindUser(batch, data.account);
    const market = await mustFindCoin(batch, data.market);
    await batch.post({ refType: 'import', refId: user.id, at, now, remark: '期初余额' }, [
      leg(
        { house: 'custody', stripe: user.id, marketId: market.id },
        { user, marketId: market.id, platform: data.platform as Platform, bucket: 'active' },
        data.active,
        ENTRY.recharge,
      ),
    ]);
  },
};
