import { ABILITY, type Ability } from './ability.ts';
import {
  APPROVER_DELAY,
  BRANCH_LIMIT_PREFIX,
  HOUSE_LIMIT_PREFIX,
  type LimitedPolicy,
  PASSWORD_HOLD,
  POLICY,
  type PolicyName,
  TWO_CHECKERS_PREFIX,
  limitedPolicies,
  policyDefaults,
} from './approval.ts';
import { HEADS_TO_PLATFORM } from './audit.ts';
import { KLINE_URL, POLICY_PREFIX, WATERMARK } from './config.ts';
import type { ConfigValue } from './config.schema.ts';
import type { nouns } from './index.ts';
import { compareAmounts } from './money.ts';
import { OTP_FRESH, OTP_REQUIRED } from './otp.ts';
import {
  BINARY_CONTRACT_RISK_EXPIRY,
  BINARY_CONTRACT_RISK_MARKET,
  BINARY_CONTRACT_TOLERANCE,
} from './binary-contract.ts';
import { PASSWORD_CHANGE, SESSION_MAX } from './session.ts';

/**
 * What needs a second person while four-eyes are locked. Lists every mutating call and every setting with what it loosens
 * and tightens. A missing one is a type error.
 */

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

type Nouns = typeof nouns;
type MutatingOf<N extends keyof Nouns> = {
  [C in keyof Nouns[N] & string]: Nouns[N][C] extends { kind: 'action' | 'session' } ? `${N & string}.${C}` : never;
}[keyof Nouns[N] & string];
/** `noun.call` of every call that can change something. */
export type MutatingCall = { [N in keyof Nouns]: MutatingOf<N> }[keyof Nouns];

const NEITHER: CallGuard = { loosening: '', tightening: '' };
/** Its own policy decides, locked or not. */
const BY_POLICY: CallGuard = { loosening: '按复核策略', tightening: '' };
const tightens = (tightening: string): CallGuard => ({ loosening: '', tightening });

export const callGuards: Readonly<Record<MutatingCall, CallGuard>> = {
  'session.login': NEITHER,
  'session.logout': NEITHER,
  'session.me': NEITHER,
  'session.redeem': NEITHER,
  'session.password': tightens('修改自己的密码'),
  'session.kick': tightens('结束会话'),
  'session.kickOthers': tightens('结束会话'),
  'agent.add': NEITHER,
  'agent.state': {
    loosening: '授予用户管理、资产调整、提现审核、平台设置、审批复核、审计查看或总部人员；重新启用持有者',
    tightening: '停用账号、收回权限',
  },
  'agent.ieoReviewOpen': NEITHER,
  'agent.ieoReviewClose': tightens('收回认购审核'),
  'agent.pwdUpdate': { loosening: '重置关键权限持有者的密码', tightening: '' },
  'agent.otpReset': { loosening: '重置关键权限持有者的验证码', tightening: '' },
  'agent.remark': NEITHER,
  'agent.parentChange': { loosening: '移动关键权限持有者', tightening: '' },
  'agent.del': BY_POLICY,
  'user.add': NEITHER,
  'user.noteAdd': NEITHER,
  'user.remark': NEITHER,
  'user.pwdUpdate': { loosening: '重置用户密码', tightening: '' },
  'user.enable': NEITHER,
  'user.disable': tightens('冻结用户'),
  'user.enableMany': NEITHER,
  'user.disableMany': tightens('冻结用户'),
  'user.tradeOpen': NEITHER,
  'user.tradeClose': tightens('禁止交易'),
  'user.ieoBuy': NEITHER,
  'user.ieoSellOpen': NEITHER,
  'user.ieoSellClose': NEITHER,
  'user.ai': NEITHER,
  'user.second': BY_POLICY,
  'user.token': { loosening: '生成客服链接', tightening: '' },
  'user.agentChange': NEITHER,
  'user.agentChangeMany': NEITHER,
  'user.del': NEITHER,
  'market.save': { loosening: '修改限额、费率、网络等；新增市场', tightening: '下架、暂停、关闭充值提现或交易' },
  'recharge.hold': tightens('挂起充值'),
  'recharge.release': { loosening: '放行他人挂起的充值', tightening: '' },
  'asset.activeAdd': BY_POLICY,
  'asset.activeSub': BY_POLICY,
  'asset.frozenAdd': BY_POLICY,
  'asset.frozenSub': BY_POLICY,
  'withdraw.pass': BY_POLICY,
  'withdraw.reject': tightens('驳回提现'),
  'withdraw.retry': BY_POLICY,
  'withdraw.refund': BY_POLICY,
  'withdraw.resolve': BY_POLICY,
  'withdraw.passMany': BY_POLICY,
  'withdraw.rejectMany': tightens('驳回提现'),
  'fund.check': NEITHER,
  'fund.doubt': NEITHER,
  'fund.reset': NEITHER,
  'approval.lock': BY_POLICY,
  'approval.pass': NEITHER,
  'approval.reject': tightens('驳回申请'),
  'auth.reveal': NEITHER,
  'auth.pass': NEITHER,
  'auth.reject': NEITHER,
  'auth.passMany': NEITHER,
  'auth.rejectMany': NEITHER,
  'config.save': { loosening: '放宽的设置', tightening: '收紧的设置' },
  'config.restore': { loosening: '放宽的设置', tightening: '收紧的设置' },
  'alarm.close': NEITHER,
  'command.retry': NEITHER,
  'command.resolve': NEITHER,
  'announce.add': NEITHER,
  'announce.save': NEITHER,
  'announce.del': NEITHER,
  'installation.live': tightens('上线后不再接受历史导入'),
  'preference.save': NEITHER,
  'view.save': NEITHER,
  'view.del': NEITHER,
  'otp.state': NEITHER,
  'otp.setup': NEITHER,
  'otp.confirm': tightens('启用自己的验证码'),
  'otp.disable': NEITHER,
  'otp.recovery': NEITHER,
  'otp.fresh': NEITHER,
  'export.cancel': NEITHER,
  'export.remove': NEITHER,
  'plan.save': { loosening: '关闭价格保护、放宽区间、缩短暂停时长', tightening: '开启价格保护、收窄区间' },
  'plan.halt': tightens('暂停交易'),
  'plan.resume': NEITHER,
  'plan.permit': { loosening: '授权更多代理', tightening: '收回授权' },
  'trade.cancel': BY_POLICY,
  'trade.cancelMany': BY_POLICY,
  'trade.cancelAll': BY_POLICY,
  'ieo.pass': BY_POLICY,
  'ieo.reject': NEITHER,
  'ieo.passMany': BY_POLICY,
  'ieo.rejectMany': NEITHER,
  'second.configSave': { loosening: '新增或修改设置', tightening: '停用设置' },
  'second.configDel': { loosening: '删除设置', tightening: '' },
  'second.change': BY_POLICY,
  'second.changeMany': BY_POLICY,
  'second.evidence': NEITHER,
  'signal.add': NEITHER,
  'signal.change': NEITHER,
  'follow.close': BY_POLICY,
  'follow.closeMany': BY_POLICY,
  'future.cancel': BY_POLICY,
  'future.cancelMany': BY_POLICY,
  'future.close': BY_POLICY,
  'future.closeMany': BY_POLICY,
  'service.open': NEITHER,
  'service.send': NEITHER,
  'service.close': NEITHER,
  'service.assign': NEITHER,
  'service.read': NEITHER,
  'service.replySave': NEITHER,
  'service.replyDel': NEITHER,
  'report.make': NEITHER,
};

/**
 * Which change of a setting loosens protection:
 *
 * - policy: off is loosest, then a higher amount; always is tightest
 * - limit: a higher number loosens, and so does any change from or to 0, the multiple
 * - band: 0 (one checker) is loosest, then a higher amount
 * - alarm: as band; 0 is no alarm
 * - on: switching off loosens
 * - higher: a lower number loosens
 * - lower: a higher number loosens
 * - any: every change loosens
 */
export type SettingGuard = 'policy' | 'limit' | 'band' | 'alarm' | 'on' | 'higher' | 'lower' | 'any';

type Prefixed<P extends string, N extends string, G extends SettingGuard> = Record<`${P}${N}`, G>;

const withPrefix = <const P extends string, const N extends string, const G extends SettingGuard>(
  prefix: P,
  names: readonly N[],
  guard: G,
): Prefixed<P, N, G> =>
  // The keys are exactly the names with the prefix.
  Object.fromEntries(names.map((name) => [`${prefix}${name}`, guard])) as Prefixed<P, N, G>;

export const settingGuards = {
  ...withPrefix(POLICY_PREFIX, Object.keys(policyDefaults) as PolicyName[], 'policy'),
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
  [PASSWORD_CHANGE]: 'on',
  [SESSION_MAX]: 'lower',
  [WATERMARK]: 'on',
  [HEADS_TO_PLATFORM]: 'on',
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
    case 'higher':
      return compareAmounts(after.num, before.num) < 0;
    case 'lower':
      return compareAmounts(after.num, before.num) > 0;
    case 'any':
    default:
      return before.str !== after.str || before.state !== after.state || compareAmounts(before.num, after.num) !== 0;
  }
}
