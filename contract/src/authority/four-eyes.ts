import type { LimitedPolicy } from './actions.ts';
import {
  APPROVER_DELAY,
  BRANCH_LIMIT_PREFIX,
  CHECK_LEVERAGE,
  CHECK_LINKS,
  CHECK_RISE,
  HOLD_REPEATED,
  HOUSE_LIMIT_PREFIX,
  PASSWORD_HOLD,
  POLICY,
  PRICE_HOURS,
  TWO_CHECKERS_PREFIX,
  limitedPolicies,
  policyNames,
  POLICY_PREFIX,
} from '../desk/approval/calls.ts';
import { HEADS_TO_PLATFORM } from '../house/audit/calls.ts';
import {
  BINARY_CONTRACT_RISK_EXPIRY,
  BINARY_CONTRACT_RISK_MARKET,
  BINARY_CONTRACT_TOLERANCE,
} from '../trading/binary-contract/calls.ts';
import type { ConfigValue } from '../desk/config/schema.ts';
import { PROOF_HOUR, PROOF_WALLETS } from '../desk/report/facts.ts';
import { KLINE_URL, REPORT_ZONE, SUPPORT_URL, WATERMARK } from '../desk/config/calls.ts';
import { compareAmounts } from '../values/money.ts';
import { OIDC_ONLY } from '../house/oidc/calls.ts';
import { OTP_EXACT, OTP_FRESH, OTP_REQUIRED } from '../house/otp/calls.ts';
import { PASSKEY_ALONE, PASSKEY_ONLY } from '../house/passkey/calls.ts';
import { PASSWORD_CHANGE, SESSION_MAX } from '../house/session/calls.ts';
import { AUTO_SILENT_COUNT, AUTO_SILENT_VALUE, AUTO_STOP_HOLDS } from '../risk/auto-payout/facts.ts';
import {
  SCREEN_ADDRESS,
  SCREEN_EXEMPT,
  SCREEN_MINIMUM,
  SCREEN_NAME,
  SCREEN_VALID,
  SCREEN_WAIT,
} from '../risk/screening/calls.ts';
import { SIGNING_REQUIRED, SIGNING_ROSTER_DIGEST } from '../risk/signing/calls.ts';
import { INSURANCE_BOUND } from '../funds/house/facts.ts';
import { MATCH_MINUTES } from '../funds/wallet/item.ts';
import { SWEEP_DAYS, TOP_UP_DAYS } from '../funds/wallet-coin/facts.ts';
import { HOLD_SHORTFALL, PAYING_MINUTES, RECALL_FROZEN } from '../funds/withdraw/calls.ts';
import { QUEUE_TARGET_PREFIX, queueKeys } from '../desk/queue/work-queue.ts';

/** Which changes of settings need a second person while four-eyes are locked. */

/**
 * Which change of a setting loosens protection:
 *
 * - policy: off is loosest, always is tightest; a higher amount loosens in every state
 * - limit: a higher number loosens, and so does any change from or to 0, the multiple
 * - band: 0 (one checker) is loosest, then a higher amount
 * - alarm: as band; 0 is no alarm
 * - on: switching off loosens
 * - off: switching on loosens
 * - higher: a lower number loosens
 * - lower: a higher number loosens
 * - any: every change loosens
 *
 * A part that the guard does not compare must stay as it is.
 */
export type SettingGuard = 'policy' | 'limit' | 'band' | 'alarm' | 'on' | 'off' | 'higher' | 'lower' | 'any';

type Prefixed<P extends string, N extends string, G extends SettingGuard> = Record<`${P}${N}`, G>;

const withPrefix = <const P extends string, const N extends string, const G extends SettingGuard>(
  prefix: P,
  names: readonly N[],
  guard: G,
): Prefixed<P, N, G> =>
  // The keys are exactly the names with the prefix.
  Object.fromEntries(names.map((name) => [`${prefix}${name}`, guard])) as Prefixed<P, N, G>;

export const settingGuards = {
  ...withPrefix(POLICY_PREFIX, policyNames, 'policy'),
  ...withPrefix<typeof BRANCH_LIMIT_PREFIX, LimitedPolicy, 'limit'>(BRANCH_LIMIT_PREFIX, limitedPolicies, 'limit'),
  ...withPrefix<typeof HOUSE_LIMIT_PREFIX, LimitedPolicy, 'limit'>(HOUSE_LIMIT_PREFIX, limitedPolicies, 'limit'),
  ...withPrefix<typeof TWO_CHECKERS_PREFIX, LimitedPolicy, 'band'>(TWO_CHECKERS_PREFIX, limitedPolicies, 'band'),
  [APPROVER_DELAY]: 'higher',
  [PASSWORD_HOLD]: 'any',
  [PRICE_HOURS]: 'lower',
  [CHECK_LINKS]: 'on',
  [CHECK_LEVERAGE]: 'on',
  [CHECK_RISE]: 'on',
  [HOLD_REPEATED]: 'on',
  'withdraw.limit24h': 'alarm',
  'withdraw.credentialHours': 'higher',
  [RECALL_FROZEN]: 'on',
  'withdraw.refuseFormat': 'on',
  [AUTO_SILENT_COUNT]: 'alarm',
  [AUTO_SILENT_VALUE]: 'alarm',
  [AUTO_STOP_HOLDS]: 'on',
  [PAYING_MINUTES]: 'alarm',
  [MATCH_MINUTES]: 'alarm',
  // What stays in hot wallets can be stolen.
  [TOP_UP_DAYS]: 'lower',
  [SWEEP_DAYS]: 'alarm',
  [HOLD_SHORTFALL]: 'on',
  [BINARY_CONTRACT_TOLERANCE]: 'any',
  [BINARY_CONTRACT_RISK_EXPIRY]: 'alarm',
  [BINARY_CONTRACT_RISK_MARKET]: 'alarm',
  [INSURANCE_BOUND]: 'higher',
  [SUPPORT_URL]: 'any',
  [KLINE_URL]: 'any',
  [REPORT_ZONE]: 'any',
  [PROOF_HOUR]: 'any',
  [PROOF_WALLETS]: 'any',
  [OTP_REQUIRED]: 'on',
  [OTP_FRESH]: 'on',
  [OTP_EXACT]: 'on',
  [PASSKEY_ONLY]: 'on',
  [PASSKEY_ALONE]: 'off',
  [OIDC_ONLY]: 'on',
  [PASSWORD_CHANGE]: 'on',
  [SESSION_MAX]: 'lower',
  [WATERMARK]: 'on',
  [HEADS_TO_PLATFORM]: 'on',
  [SIGNING_REQUIRED]: 'any',
  [SIGNING_ROSTER_DIGEST]: 'on',
  [SCREEN_ADDRESS]: 'on',
  [SCREEN_NAME]: 'on',
  [SCREEN_MINIMUM]: 'lower',
  [SCREEN_EXEMPT]: 'any',
  [SCREEN_WAIT]: 'lower',
  [SCREEN_VALID]: 'lower',
  ...withPrefix(QUEUE_TARGET_PREFIX, queueKeys, 'alarm'),
} as const satisfies Record<string, SettingGuard>;
/** Keys of all settings. A setting that is not listed above cannot be installed. */
export type SettingKey = keyof typeof settingGuards;

type Value = Pick<ConfigValue, 'num' | 'state' | 'str'>;

/** Strictness of a policy mode; a higher number is tighter. */
const strictness: Readonly<Record<number, number>> = { [POLICY.off]: 0, [POLICY.above]: 1, [POLICY.always]: 2 };

/** Whether a threshold became looser. 0 means no threshold and is looser than any number. */
function loosensThreshold(before: string, after: string): boolean {
  if (compareAmounts(after, '0') === 0) return compareAmounts(before, '0') !== 0;
  return compareAmounts(before, '0') !== 0 && compareAmounts(after, before) > 0;
}

/** The amount counts in every state, because it is what remains when the state changes. */
function loosensPolicy(before: Value, after: Value): boolean {
  const isWeaker = (strictness[after.state] ?? 0) < (strictness[before.state] ?? 0);
  return isWeaker || compareAmounts(after.num, before.num) > 0;
}

/** The parts of a value that each guard compares. */
const comparedParts: Readonly<Record<SettingGuard, readonly (keyof Value)[]>> = {
  policy: ['state', 'num'],
  limit: ['num'],
  band: ['num'],
  alarm: ['num'],
  on: ['state'],
  off: ['state'],
  higher: ['num'],
  lower: ['num'],
  any: [],
};

const isSamePart = (part: keyof Value, before: Value, after: Value): boolean =>
  part === 'num' ? compareAmounts(before.num, after.num) === 0 : before[part] === after[part];

/** Whether a change of a setting reduces protection. Any change of an unlisted setting does. */
export function loosensSetting(key: string, before: Value, after: Value): boolean {
  const guards: Readonly<Record<string, SettingGuard>> = settingGuards;
  const guard = guards[key] ?? 'any';
  const others = (['str', 'num', 'state'] as const).filter((part) => !comparedParts[guard].includes(part));
  return others.some((part) => !isSamePart(part, before, after)) || loosensParts(guard, before, after);
}

function loosensParts(guard: SettingGuard, before: Value, after: Value): boolean {
  switch (guard) {
    case 'policy':
      return loosensPolicy(before, after);
    case 'limit':
      return [before, after].some(({ num }) => compareAmounts(num, '0') === 0)
        ? compareAmounts(before.num, after.num) !== 0
        : compareAmounts(after.num, before.num) > 0;
    case 'band':
    case 'alarm':
      return loosensThreshold(before.num, after.num);
    case 'on':
      return before.state === 1 && after.state !== 1;
    case 'off':
      return before.state !== 1 && after.state === 1;
    case 'higher':
      return compareAmounts(after.num, before.num) < 0;
    case 'lower':
      return compareAmounts(after.num, before.num) > 0;
    case 'any':
    default:
      return false;
  }
}
