import { CODE } from '@hengtai/contract/wire/envelope';
import { COMMAND } from '@hengtai/contract/gateway/gateway';
import { RECALL_FROZEN } from '@hengtai/contract/funds/withdraw/calls';
import { USER_FROZEN, WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import { auditSubject, recordSubject } from '../../../actions/action-audit.ts';
import { recordAudit } from '../../../actions/audit.store.ts';
import type { Ctx } from '../../../app/context.ts';
import { requireFound } from '../../../app/refuse.ts';
import { enqueue, finishCommand } from '../../../gateway/command.store.ts';
import { lockUndelivered } from '../../../gateway/payout.store.ts';
import { isSettingOn } from '../../../app/setting.store.ts';
import { auditedFields, reviewedCommand } from './withdraw.rules.ts';
import { findWithdraw, moveWithdraw } from './withdraw.store.ts';

const subjectOf = recordSubject('withdraw');

/**
 * Calls back the payouts of a user that is being frozen and that no program of the platform was ever given: their commands
 * fail, and the withdrawals wait for a retry or refund. The caller has locked the user, so no payout is ordered meanwhile.
 */
export async function recallPayouts(ctx: Ctx, userId: number): Promise<void> {
  const { db, now, operator } = ctx;
  if (!(await isSettingOn(db, RECALL_FROZEN))) return;
  for (const { commandId, withdrawId } of await lockUndelivered(db, userId)) {
    const before = requireFound(await findWithdraw(ctx, withdrawId));
    const move = { from: [WITHDRAW.queued], to: WITHDRAW.failed, reason: USER_FROZEN, by: operator.account, now };
    // An event of the wallet may have moved it although nobody received the command.
    if (!(await moveWithdraw(db, withdrawId, move))) continue;
    await finishCommand(db, commandId, COMMAND.failed, USER_FROZEN, now, [COMMAND.waiting]);
    const after = requireFound(await findWithdraw(ctx, withdrawId));
    await enqueue(db, reviewedCommand(after, now));
    await recordAudit(db, ctx, {
      ...auditSubject(subjectOf(after)),
      action: 'withdraw.recalled',
      result: CODE.ok,
      before: auditedFields(before),
      after: auditedFields(after),
      reason: USER_FROZEN,
    });
  }
}
