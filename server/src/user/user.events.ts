import { ENTRY, type Platform } from '@hengtai/contract/money';
import { sql } from 'kysely';
import type { EventHandlers } from '../gateway/events.ts';
import { mustFindAgent, mustFindMarket, mustFindUser } from '../gateway/lookup.store.ts';
import { reject } from '../gateway/rejected.ts';
import { post } from '../ledger/post.ts';
import { installationOf } from '../session/session.store.ts';
import { insertUser } from './user.store.ts';

type UserEvent = 'user.registered' | 'user.login' | 'user.credential' | 'balance.imported';

export const userEvents: EventHandlers<UserEvent> = {
  'user.registered': async ({ db, at, now }, data) => {
    const agent = await mustFindAgent(db, data.agent, 'agent');
    const user = { account: data.account, agentId: agent.id, remark: data.remark ?? '', createdAt: at, now };
    if ((await insertUser(db, user)) === undefined) throw reject('exists');
  },

  'user.login': async ({ db, at }, data) => {
    const user = await mustFindUser(db, data.account);
    await sql`update users set last_login_at = ${at}, last_login_ip = ${data.ip}
      where id = ${user.id} and coalesce(last_login_at, 0) <= ${at}`.execute(db);
  },

  'user.credential': async ({ db, at, now }, data) => {
    const user = await mustFindUser(db, data.account);
    await sql`insert into credential_change (user_id, agent_id, kind, created_at, recorded_at)
      values (${user.id}, ${user.agentId}, ${data.kind}, ${at}, ${now})`.execute(db);
  },

  /** What a platform that moves in owes its users: the coins lie in its custody already. */
  'balance.imported': async ({ db, at, now }, data) => {
    if ((await installationOf(db)).live === 1) throw reject('live');
    const user = await mustFindUser(db, data.account);
    const market = await mustFindMarket(db, data.market);
    await post(db, { refType: 'import', refId: user.id, at, now, remark: '期初余额' }, [
      {
        debit: { house: 'custody', stripe: user.id, marketId: market.id },
        credit: { user, marketId: market.id, platform: data.platform as Platform, bucket: 'active' },
        amount: data.active,
        debitType: ENTRY.recharge,
        creditType: ENTRY.recharge,
      },
    ]);
  },
};
