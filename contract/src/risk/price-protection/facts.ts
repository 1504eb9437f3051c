import { ABILITY } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';

export const PRICE_PROTECTION = { off: 0, watching: 1, halted: 2 } as const;
export const priceProtectionStates = { 0: '关闭', 1: '监控中', 2: '已触发' } as const;

const onPlan = { ability: ABILITY.plans, target: 'plan' } as const;

export const priceProtectionActions = {
  save: {
    ...onPlan,
    summary: '保存风控计划',
    reason: 'optional',
    approvable: 'plan.save',
    policy: { mode: 0, amount: '0', who: 'maker' },
    guard: { loosens: '关闭价格保护、放宽区间、缩短暂停时长', tightens: '开启价格保护、收窄区间' },
  },
  halt: {
    ...onPlan,
    summary: '暂停交易',
    from: [0, 1],
    reason: 'required',
    reasons: ['行情异常波动', '价格来源异常', '系统维护', '监管要求'],
    audit: '手动暂停交易',
    guard: { tightens: '暂停交易' },
  },
  resume: {
    ...onPlan,
    summary: '恢复交易',
    from: [2],
    reason: 'required',
    reasons: ['行情恢复正常', '误触发', '价格来源已恢复'],
    audit: '手动恢复交易',
    guard: 'none',
  },
  permit: {
    summary: '保存风控计划授权',
    ability: ABILITY.plans,
    reason: 'optional',
    audit: '设置风控计划授权',
    approval: '授权风控计划',
    guard: { loosens: '授权更多代理', tightens: '收回授权' },
  },
} as const satisfies ActionTable;

export const priceProtectionFacts = {
  actions: priceProtectionActions,
  targets: { plan: { label: '风控计划', path: '/plan' } },
  notifications: {
    'plan.halted': { label: '市场暂停交易', rings: true },
    'plan.resumed': { label: '市场恢复交易' },
  },
  waiting: {
    /** Halts of markets whose plans the caller may manage, one per kind of trading. */
    marketHalted: {
      label: '暂停交易的市场',
      query: '?planState=2',
      ability: ABILITY.plans,
      queue: { targetMinutes: 60 },
    },
  },
} as const satisfies NounFacts;
