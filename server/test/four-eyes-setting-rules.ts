import { BRANCH_MULTIPLE, HOUSE_MULTIPLE, POLICY, limitedPolicies } from '@hengtai/contract/desk/approval/calls';
import { Decimal } from '@hengtai/contract/values/decimal';

/** Which change of a setting protects less, by rules that are independent of the server's. */

export interface Setting {
  key: string;
  state: number;
  num: string;
  str: string;
}

const decimalOf = (text: string): Decimal => new Decimal(text);
/** A stored 0 means no threshold. */
const thresholdOf = (text: string): Decimal => (decimalOf(text).isZero() ? new Decimal(Infinity) : decimalOf(text));
const strictnessOf = (state: number): number => [POLICY.off, POLICY.above, POLICY.always].indexOf(state as 0 | 1 | 2);

type IsLooser = (previous: Setting, current: Setting, settings: readonly Setting[]) => boolean;

const isLooserPolicy: IsLooser = (previous, current) =>
  strictnessOf(current.state) < strictnessOf(previous.state) || decimalOf(current.num).gt(previous.num);
const looserLimitRule =
  (prefix: string, multiple: number): IsLooser =>
  (previous, current, settings) => {
    const policy = settings.find(({ key }) => key === `policy.${current.key.slice(prefix.length)}`);
    const effective = ({ num }: Setting): Decimal =>
      decimalOf(num).isZero() ? decimalOf(policy?.num ?? '0').mul(multiple) : decimalOf(num);
    return effective(current).gt(effective(previous));
  };
const isHigherThreshold: IsLooser = (previous, current) => thresholdOf(current.num).gt(thresholdOf(previous.num));
const isLower: IsLooser = (previous, current) => decimalOf(current.num).lt(previous.num);
const isHigher: IsLooser = (previous, current) => decimalOf(current.num).gt(previous.num);
const isSwitchedOff: IsLooser = (previous, current) => previous.state === 1 && current.state !== 1;
const isSwitchedOn: IsLooser = (previous, current) => previous.state !== 1 && current.state === 1;
const isChanged: IsLooser = (previous, current) =>
  previous.str !== current.str || previous.state !== current.state || !decimalOf(previous.num).eq(current.num);

/** Rules by key prefix. A setting without a rule must not change at all. */
const LOOSER_RULES: readonly [string, IsLooser][] = [
  ['policy.', isLooserPolicy],
  ['branchLimit.', looserLimitRule('branchLimit.', BRANCH_MULTIPLE)],
  ['houseLimit.', looserLimitRule('houseLimit.', HOUSE_MULTIPLE)],
  ['twoCheckers.', isHigherThreshold],
  ['fourEyes.approverHours', isLower],
  ['fourEyes.priceHours', isHigher],
  ['fourEyes.links', isSwitchedOff],
  ['fourEyes.leverage', isSwitchedOff],
  ['fourEyes.limitRise', isSwitchedOff],
  ['withdraw.limit24h', isHigherThreshold],
  ['withdraw.holdShortfall', isSwitchedOff],
  ['withdraw.payingMinutes', isHigherThreshold],
  ['wallet.matchMinutes', isHigherThreshold],
  ['wallet.topUpDays', isHigher],
  ['wallet.sweepDays', isHigherThreshold],
  ['withdraw.recallFrozen', isSwitchedOff],
  ['withdraw.refuseFormat', isSwitchedOff],
  ['withdraw.autoSilent', isHigherThreshold],
  ['withdraw.autoStopHolds', isSwitchedOff],
  ['recharge.holdRepeated', isSwitchedOff],
  ['signing.rosterDigest', isSwitchedOff],
  ['withdraw.credentialHours', isLower],
  ['second.risk', isHigherThreshold],
  ['house.insuranceBound', isLower],
  ['queue.target.', isHigherThreshold],
  ['session.max', isHigher],
  ['otp.', isSwitchedOff],
  ['passkey.only', isSwitchedOff],
  ['passkey.alone', isSwitchedOn],
  ['oidc.', isSwitchedOff],
  ['password.change', isSwitchedOff],
  ['console.watermark', isSwitchedOff],
  ['audit.', isSwitchedOff],
  ['screening.address', isSwitchedOff],
  ['screening.name', isSwitchedOff],
  ['screening.minimum', isHigher],
  ['screening.waitMinutes', isHigher],
  ['screening.validHours', isHigher],
];

/** Whether a setting protects less than before. */
export const isLooserSetting: IsLooser = (previous, current, settings) =>
  (LOOSER_RULES.find(([prefix]) => current.key.startsWith(prefix))?.[1] ?? isChanged)(previous, current, settings);

/** What one person reaches by a policy with a limit once it asks above an amount: the amount counts in every state. */
export function reachOfPolicies(settings: readonly Setting[]): Readonly<Record<string, Decimal>> {
  const numOf = (key: string): Decimal => decimalOf(settings.find((one) => one.key === key)?.num ?? '0');
  const reach = limitedPolicies.flatMap((policy): [string, Decimal][] => {
    const perUser = numOf(`policy.${policy}`);
    const limit = (kind: string, multiple: number): Decimal => {
      const own = numOf(`${kind}.${policy}`);
      return own.isZero() ? perUser.mul(multiple) : own;
    };
    return [
      [`${policy} per user`, perUser],
      [`${policy} per branch`, limit('branchLimit', BRANCH_MULTIPLE)],
      [`${policy} for the house`, limit('houseLimit', HOUSE_MULTIPLE)],
      [`${policy} with one checker`, thresholdOf(numOf(`twoCheckers.${policy}`).toFixed())],
    ];
  });
  return Object.fromEntries(reach);
}

/** Describes the first setting that protects less, or what one person reaches by several settings together. */
export function findLooserSetting(previous: readonly Setting[], current: readonly Setting[]): string | undefined {
  for (const after of current) {
    const before = previous.find(({ key }) => key === after.key);
    if (!before || isLooserSetting(before, after, current)) return `setting ${after.key} is looser`;
  }
  if (current.length < previous.length) return 'a setting is gone';
  const before = reachOfPolicies(previous);
  const gained = Object.entries(reachOfPolicies(current)).find(([what, amount]) => amount.gt(before[what] ?? 0));
  return gained && `${gained[0]}: ${gained[1].toFixed()} instead of ${before[gained[0]]?.toFixed()}`;
}
