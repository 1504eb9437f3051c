import { ABILITY, type Ability } from './ability.ts';
import { type ActionCallName, type LimitedPolicy, allActions } from './actions.ts';
import {
  APPROVER_DELAY,
  BRANCH_LIMIT_PREFIX,
  HOUSE_LIMIT_PREFIX,
  PASSWORD_HOLD,
  POLICY,
  TWO_CHECKERS_PREFIX,
  limitedPolicies,
  policyNames,
} from './approval.ts';
import { HEADS_TO_PLATFORM } from './audit.ts';
import {
  BINARY_CONTRACT_RISK_EXPIRY,
  BINARY_CONTRACT_RISK_MARKET,
  BINARY_CONTRACT_TOLERANCE,
} from './binary-contract.ts';
import type { ConfigValue } from './config.schema.ts';
import { KLINE_URL, POLICY_PREFIX, WATERMARK } from './config.ts';
import { compareAmounts } from './money.ts';
import { OIDC_ONLY } from './oidc.ts';
import { OTP_EXACT, OTP_FRESH, OTP_REQUIRED } from './otp.ts';
import { PASSKEY_ALONE, PASSKEY_ONLY } from './passkey.ts';
import { PASSWORD_CHANGE, SESSION_MAX } from './session.ts';
import { SCREEN_ADDRESS, SCREEN_EXEMPT, SCREEN_MINIMUM, SCREEN_NAME, SCREEN_VALID, SCREEN_WAIT } from './screening.ts';
import { SIGNING_REQUIRED, SIGNING_ROSTER_DIGEST } from './signing.ts';
import { QUEUE_TARGET_PREFIX, queueKeys } from './work-queue.ts';

/** What needs a second person while four-eyes are locked: uses of calls, and changes of settings. */

/** Abilities to move money, change protection, or approve. Granting one needs a second person. */
export const GUARDED_ABILITIES: readonly Ability[] = [
  ABILITY.users,
  ABILITY.assets,
  ABILITY.withdraw,
  ABILITY.platform,
  ABILITY.approval,
  ABILITY.audit,
  ABILITY.headquarters,
];

export const isGuardedAbility = (ability: number): boolean => GUARDED_ABILITIES.some((guarded) => guarded === ability);

interface CallGuard {
  /** Uses of the call that need a second person while locked; empty if none does. */
  loosening: string;
  /** Uses that need no confirmation because they only add protection. */
  tightening: string;
}

/** `noun.call` of every action. A bulk call is guarded as its action. */
export type MutatingCall = ActionCallName;

export const callGuards = Object.fromEntries(
  allActions.map(({ call, guard }): [MutatingCall, CallGuard] => {
    if (typeof guard === 'string') return [call, { loosening: guard === 'policy' ? '按复核策略' : '', tightening: '' }];
    return [call, { loosening: guard.loosens ?? '', tightening: guard.tightens ?? '' }];
  }),
) as Readonly<Record<MutatingCall, CallGuard>>;

/**
 * Which change of a setting loosens protection:
 *
 * - policy: off is loosest, then a higher amount; always is tightest
 * - limit: a higher number loosens, and so does any change from or to 0, the multiple
 * - band: 0 (one checker) is loosest, then a higher amount
 * - alarm: as band; 0 is no alarm
 * - on: switching off loosens
 * - off: switching on loosens
 * - higher: a lower number loosens
 * - lower: a higher number loosens
 * - any: every change loosens
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
  'withdraw.limit24h': 'alarm',
  'withdraw.credentialHours': 'higher',
  [BINARY_CONTRACT_TOLERANCE]: 'any',
  [BINARY_CONTRACT_RISK_EXPIRY]: 'alarm',
  [BINARY_CONTRACT_RISK_MARKET]: 'alarm',
  'support.url': 'any',
  [KLINE_URL]: 'any',
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

function loosensPolicy(before: Value, after: Value): boolean {
  const [current, next] = [strictness[before.state] ?? 0, strictness[after.state] ?? 0];
  if (current !== next) return next < current;
  return after.state === POLICY.above && compareAmounts(after.num, before.num) > 0;
}

/** Whether a change of a setting reduces protection. Any change of an unlisted setting does. */
export function loosensSetting(key: string, before: Value, after: Value): boolean {
  const guards: Readonly<Record<string, SettingGuard>> = settingGuards;
  switch (guards[key] ?? 'any') {
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
      return after.state < before.state;
    case 'off':
      return after.state > before.state;
    case 'higher':
      return compareAmounts(after.num, before.num) < 0;
    case 'lower':
      return compareAmounts(after.num, before.num) > 0;
    case 'any':
    default:
      return before.str !== after.str || before.state !== after.state || compareAmounts(before.num, after.num) !== 0;
  }
}
