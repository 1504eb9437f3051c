import { randomUUID } from 'node:crypto';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { CODE } from '@hengtai/contract/wire/envelope';
import { recordAudit } from '../actions/audit.store.ts';
import { type Db, inTransaction, openPool } from '../database/connect.ts';
import { writeLine } from './exit.ts';
import { findCredentials } from '../domains/house/session/login.store.ts';
import { appointApprover, unlockFourEyes } from '../domains/desk/approval/four-eyes-host.store.ts';
import { findHolders, findLockedAt } from '../actions/four-eyes.store.ts';
import { notifyApprovers } from '../actions/approver-notification.store.ts';

/** Effective approvers that locked four-eyes need: a maker and a checker. */
const NEEDED = 2;

/**
 * Opens locked four-eyes, for the administrator of the host only. Audited, notified to every approver and shown in the console
 * for a week.
 */
export const unlock = (url: string): Promise<void> => override(url, (db) => openFourEyes(db, Date.now()));

/** Adds an approver to locked four-eyes when fewer than two are effective; audited, notified and shown as `unlock` is. */
export const appoint = (url: string, account: string): Promise<void> =>
  override(url, (db) => addApprover(db, account, Date.now()));

/** Runs one override in a transaction and prints its message. */
async function override(url: string, work: (db: Db) => Promise<string>): Promise<void> {
  const { db, end } = openPool({ url, max: 1, name: 'hengtai-four-eyes', onError: () => undefined });
  try {
    writeLine(await inTransaction(db, work));
  } finally {
    await end();
  }
}

async function openFourEyes(db: Db, now: number): Promise<string> {
  if ((await findLockedAt(db)) === null) throw new Error('Four-eyes are not locked. 四眼未锁定。');
  await unlockFourEyes(db, now);
  await audit(db, 'fourEyes.unlock', { targetType: 'installation' }, { locked: false }, now);
  await notifyApprovers({ db, now }, 'fourEyes.unlocked');
  return 'Four-eyes are unlocked; every approver was notified. 四眼已解除锁定，已通知全部复核员。';
}

async function addApprover(db: Db, account: string, now: number): Promise<string> {
  if ((await findLockedAt(db)) === null) throw new Error('Four-eyes are not locked. 四眼未锁定。');
  const effective = (await findHolders(db, now)).filter(({ approver, codes }) => approver && codes);
  if (effective.length >= NEEDED)
    throw new Error(
      `${effective.length} approvers are effective: ${effective.map((holder) => holder.account).join(', ')}. ` +
        '仍有足够的有效复核员，请由他们授予。',
    );
  const operator = await findCredentials(db, account);
  if (!operator) throw new Error(`Operator ${account} does not exist. 操作员不存在。`);
  const abilities = [ABILITY.approval, ABILITY.headquarters];
  await appointApprover(db, operator.id, abilities, now);
  const target = { targetType: 'agent', targetId: operator.id, agentId: operator.id };
  await audit(db, 'fourEyes.appoint', target, { abilities }, now);
  await notifyApprovers({ db, now }, 'fourEyes.appointed', account);
  return (
    `${account} may approve now, once it has one-time codes; every approver was notified. ` +
    `${account} 启用验证码或通行密钥后即可复核，已通知全部复核员。`
  );
}

async function audit(
  db: Db,
  action: string,
  target: { targetType: string; targetId?: number; agentId?: number },
  after: object,
  now: number,
): Promise<void> {
  const caller = { operator: null, sessionId: null, ip: '', userAgent: 'host', requestId: randomUUID(), now };
  await recordAudit(db, caller, { ...target, action, result: CODE.ok, after });
}
