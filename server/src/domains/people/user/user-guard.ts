import { PASSWORD_HOLD, PASSWORD_HOLD_HOURS, PERMIT_MINUTES } from '@hengtai/contract/desk/approval/calls';
import { refusals } from '@hengtai/contract/wire/refusals';
import { findLockedAt } from '../../../actions/four-eyes.store.ts';
import { isSettingOn } from '../../../app/setting.store.ts';
import type { Ctx } from '../../../app/context.ts';
import type { Guard } from '../../../actions/action.ts';
import { textItem } from '../../../actions/preview.ts';
import { subjectOf } from './user.steps.ts';
import { type UserRecord, findUser, setPayoutHold } from './user.store.ts';

/**
 * While four-eyes are locked, the call needs an approval that permits the maker to repeat it once for this user. The
 * checker never gets the password or link.
 */
export const permitGuard = <I extends { id: number }>(operation: string): Guard<I, UserRecord> => ({
  subject: subjectOf,
  permits: true,
  preview: async (ctx, { id }) => {
    const user = await findUser(ctx, id);
    if (!user) return { input: [], now: [], legs: [], problem: refusals.notFound.msg };
    return {
      input: [textItem('用户', `${user.account}（${user.id}）`), textItem('操作', operation)],
      now: [textItem('所属代理', user.agent), textItem('通过后', `提交人可在 ${PERMIT_MINUTES} 分钟内操作一次`)],
      legs: [],
      problem: null,
    };
  },
});

/**
 * Holds payouts of a user after one operator resets its password without a checker. Only while four-eyes are locked and
 * the setting is on.
 */
export async function holdPayouts({ db, now }: Ctx, userId: number): Promise<void> {
  if (!(await isSettingOn(db, PASSWORD_HOLD)) || (await findLockedAt(db)) === null) return;
  await setPayoutHold(db, userId, now + PASSWORD_HOLD_HOURS * 3_600_000);
}
