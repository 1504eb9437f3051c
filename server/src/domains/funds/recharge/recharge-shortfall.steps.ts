import { HOLD_SHORTFALL } from '@hengtai/contract/funds/withdraw/calls';
import { refusals } from '@hengtai/contract/wire/refusals';
import { refuse } from '../../../app/refuse.ts';
import { isSettingOn } from '../../../app/setting.store.ts';
import { type PayoutStep, PayoutRefused } from '../withdraw/payout-step.store.ts';
import { findShortfallAlarm } from './recharge-shortfall.store.ts';

/** Nothing is paid to a user whose reversed recharge was not covered, until the alarm about it is closed. */
export const shortfallPayout = {
  findObstacle: async (db, { userId }) => {
    const alarmId = (await isSettingOn(db, HOLD_SHORTFALL)) ? await findShortfallAlarm(db, userId) : undefined;
    if (alarmId === undefined) return null;
    const text = `${refusals.shortfallOpen.msg}，请先处理告警 #${alarmId}`;
    return new PayoutRefused(refuse(refusals.shortfallOpen, text, { alarm: alarmId }), 'shortfall');
  },
} satisfies PayoutStep;
