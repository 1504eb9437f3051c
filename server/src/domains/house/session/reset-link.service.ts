import { CODE } from '@hengtai/contract/wire/envelope';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { ResetRedeem } from '@hengtai/contract/house/session/schema';
import { clearControls, findDependentPair } from '../../../authority/control.store.ts';
import { takeResetLink } from '../../../actions/four-eyes.store.ts';
import { recordAudit } from '../../../actions/audit.store.ts';
import { inTransaction } from '../../../database/connect.ts';
import type { SessionHandler } from '../../../http/handler.ts';
import { refuse } from '../../../app/refuse.ts';
import { hashPassword } from '../../../host/password.ts';
import { refuseWeak } from '../../../authority/password-rules.ts';
import { setPassword } from './login.store.ts';
import { endSessionsOf } from '../../../authority/session.store.ts';
import { hashOf } from '../../../authority/token.ts';

/**
 * Sets the password of the operator that a one-time link belongs to. The account then counts as known: an independent checker
 * handed the link over, and only the owner knows the password.
 *
 * @throws Refused 404 when the link is unknown, used, expired or superseded; 422 when the password is weak
 */
export const redeem: SessionHandler<ResetRedeem> = async ({ app, origin }, { token, password }) => {
  const now = app.clock.now();
  const account = await inTransaction(app.system, async (db) => {
    const found = await takeResetLink(db, hashOf(token), now);
    if (!found) throw refuse(refusals.resetLink);
    const { operatorId, checkerId } = found;
    // A weak password rolls the transaction back, so the link stays valid.
    refuseWeak('password', password, found.account);
    await setPassword(db, { id: operatorId, hash: await hashPassword(password), by: 'owner', now });
    await endSessionsOf(db, [operatorId], 'password', now);
    // A checker who controls the account could have used the link itself.
    if (!(await findDependentPair(db, [operatorId, checkerId]))) await clearControls(db, [operatorId], now);
    const operator = { id: operatorId, account: found.account };
    await recordAudit(
      db,
      { ...origin, operator, sessionId: null, now, clockOffset: app.clock.offset() },
      {
        action: 'session.redeem',
        result: CODE.ok,
        targetType: 'agent',
        targetId: operatorId,
        agentId: operatorId,
        approvalId: found.approvalId,
      },
    );
    return found.account;
  });
  return { code: CODE.ok, msg: '密码已设置，请用新密码登录', data: { account } };
};
