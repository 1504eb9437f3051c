import { randomUUID } from 'node:crypto';
import { CODE } from '@hengtai/contract/wire/envelope';
import { notifyApprovers } from '../actions/approver-notification.store.ts';
import { recordAudit } from '../actions/audit.store.ts';
import { closeAllProposals } from '../domains/risk/signing/signing.store.ts';
import { inTransaction, openPool } from '../database/connect.ts';
import { writeLine } from './exit.ts';

/**
 * Closes the roster and all mandates, for the administrator of the host only, when fewer people than the threshold still have
 * their authenticators. Signed mode stays on, so payouts stop. A wallet has to pin the next first roster by hand.
 */
export async function resetSigning(url: string): Promise<void> {
  const { db, end } = openPool({ url, max: 1, name: 'hengtai-signing', onError: () => undefined });
  try {
    await inTransaction(db, async (tx) => {
      const now = Date.now();
      const closed = await closeAllProposals(tx, now);
      if (closed === 0) throw new Error('There is no roster. 没有签名名册。');
      const caller = { operator: null, sessionId: null, ip: '', userAgent: 'host', requestId: randomUUID(), now };
      await recordAudit(tx, caller, { action: 'signing.reset', result: CODE.ok, after: { closed } });
      await notifyApprovers({ db: tx, now }, 'signing.reset');
    });
    writeLine('The roster is closed; every approver was notified. 签名名册已关闭，已通知全部复核员。');
  } finally {
    await end();
  }
}
