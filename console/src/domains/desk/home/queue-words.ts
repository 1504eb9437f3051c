import { approvalTypes } from '@hengtai/contract/desk/approval/calls';
import { commandTypes } from '@hengtai/contract/house/command/facts';
import type { HomeQueue } from '@hengtai/contract/desk/home/schema';
import { kycLevels } from '@hengtai/contract/risk/kyc/calls';
import { marketTypes } from '@hengtai/contract/trading/market/type';
import { alarmKinds } from '@hengtai/contract/house/alarm/facts';
import { withdrawRisks } from '@hengtai/contract/funds/withdraw/calls';
import { countSpecs } from '@hengtai/contract/desk/notify/notification';
import type { QueueKey } from '@hengtai/contract/desk/queue/work-queue';
import { pathOfTarget } from '../../../navigation/target-path.ts';

/** A held recharge and a halted market are handled in their lists. */
export const recordPathOf = ({ key, riskiest }: HomeQueue): string =>
  pathOfTarget({ targetType: countSpecs[key].noun, targetId: riskiest.id }) ?? '/home';

const detailWords: Readonly<Partial<Record<QueueKey, Readonly<Record<string, string>>>>> = {
  withdrawUnknown: withdrawRisks,
  withdrawFailed: withdrawRisks,
  withdrawReview: withdrawRisks,
  commandUnknown: commandTypes,
  alarmOpen: alarmKinds,
  approvalOpen: approvalTypes,
  authReview: kycLevels,
  marketHalted: marketTypes,
};

/** What makes the record risky: the gravest first, then how many more; `all` names each. */
export function riskText({ key, riskiest: { details } }: HomeQueue, all = false): string {
  const words = details.map((detail) => detailWords[key]?.[detail] ?? detail);
  if (all || words.length < 2) return words.join('、');
  return `${words[0]} +${words.length - 1}`;
}
