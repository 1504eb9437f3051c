import { ABILITY } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';

/** What a provider found. */
export const screenResults = { clear: '未命中', hit: '命中', unknown: '没有结论' } as const;
export type ScreenResult = keyof typeof screenResults;

/** Why screening forbids to pass a record. */
export const screenObstacles = {
  listed: '地址在黑名单或制裁名单中',
  hit: '筛查命中',
  missing: '尚未筛查',
  pending: '正在等待筛查答复',
  silent: '筛查没有按时答复',
  unknown: '筛查没有结论',
  expired: '筛查结果已过期',
} as const;
export type ScreenObstacle = keyof typeof screenObstacles;

const bypass = {
  summary: '绕过筛查',
  danger: true,
  fresh: true,
  reason: 'required',
  reasons: ['已人工核实地址归属', '服务商确认为误报', '服务商故障，已另行核实'],
  guard: { loosens: '筛查未通过时放行' },
} as const;
const request = { summary: '重新筛查', reason: 'optional', guard: 'none' } as const;

export const screeningActions = {
  requestWithdraw: { ...request, audit: '重新筛查提现地址', ability: ABILITY.withdraw, target: 'withdraw' },
  bypassWithdraw: { ...bypass, audit: '绕过提现筛查', ability: ABILITY.withdraw, target: 'withdraw' },
  requestAuth: { ...request, audit: '重新筛查实名', ability: ABILITY.identity, target: 'auth' },
  bypassAuth: { ...bypass, audit: '绕过实名筛查', ability: ABILITY.identity, target: 'auth' },
} as const satisfies ActionTable;

export const screeningFacts = {
  actions: screeningActions,
  targets: { screening: { label: '筛查' } },
  notifications: {
    'screening.answered': { label: '筛查有答复', noun: 'withdraw', quiet: true },
    'screening.hit': { label: '提现筛查命中', noun: 'withdraw', rings: true },
    'screening.nameAnswered': { label: '实名筛查有答复', noun: 'auth', quiet: true },
    'screening.nameHit': { label: '实名筛查命中', noun: 'auth', rings: true },
  },
} as const satisfies NounFacts;
