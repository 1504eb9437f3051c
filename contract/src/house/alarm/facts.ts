import { ABILITY, type Ability } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';

export const ALARM = { open: 0, closed: 1 } as const;
export const alarmStates = { 0: '未处理', 1: '已关闭' } as const;

export const alarmKinds = {
  'recharge.reversed': '冲正时余额不足',
  'recharge.repeated': '同一笔转账重复入账',
  'withdraw.paidAfterRefund': '退回后又打款',
  'withdraw.unexpected': '重复或意外打款',
  'withdraw.screenHit': '通过后筛查命中',
  'auth.screenHit': '实名通过后筛查命中',
  'holds.differ': '冻结余额与占用不符',
  'event.conflict': '平台事件内容不一致',
  'passkey.cloned': '通行密钥可能被复制',
  'market.networks': '升级后网络待确认',
  'house.insuranceLow': '风险准备金低于下限',
  'chain.unordered': '无指令的链上转出',
  'wallet.differs': '钱包余额与链上流水不符',
} as const;
export type AlarmKind = keyof typeof alarmKinds;

/** The ability needed to close an alarm of each kind. */
export const alarmAbilities: Readonly<Record<AlarmKind, Ability>> = {
  'recharge.reversed': ABILITY.assets,
  'recharge.repeated': ABILITY.assets,
  'withdraw.paidAfterRefund': ABILITY.withdraw,
  'withdraw.unexpected': ABILITY.withdraw,
  'withdraw.screenHit': ABILITY.withdraw,
  'auth.screenHit': ABILITY.identity,
  'holds.differ': ABILITY.assets,
  'event.conflict': ABILITY.platform,
  'passkey.cloned': ABILITY.platform,
  'market.networks': ABILITY.markets,
  'house.insuranceLow': ABILITY.assets,
  'chain.unordered': ABILITY.assets,
  'wallet.differs': ABILITY.assets,
};

export const alarmActions = {
  close: {
    summary: '关闭告警',
    target: 'alarm',
    reason: 'required',
    reasons: ['已向用户追回', '已从用户资产扣减', '平台已更正', '已核实，无需处理'],
    guard: 'none',
  },
} as const satisfies ActionTable;

export const alarmFacts = {
  actions: alarmActions,
  targets: { alarm: { label: '告警', path: '/alarm?open={id}', states: alarmStates } },
  notifications: {
    'alarm.raised': { label: '告警', rings: true },
    'alarm.closed': { label: '告警已关闭' },
    'alarm.overdue': { label: '告警超时未处理', rings: true },
  },
  waiting: {
    /** Open alarms that the caller may close. Alarms about no user count only for operators with full scope. */
    alarmOpen: {
      label: '未处理告警',
      query: '?state=0',
      ability: [...new Set(Object.values(alarmAbilities))],
      queue: { targetMinutes: 30, decisions: ['close'], above: ABILITY.headquarters },
    },
  },
} as const satisfies NounFacts;
