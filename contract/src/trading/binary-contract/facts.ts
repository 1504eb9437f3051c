import { ABILITY } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';

export const BINARY_CONTRACT = { open: 0, settled: 1, voided: 2 } as const;
export const binaryContractStates = { 0: '进行中', 1: '已结算', 2: '已作废' } as const;

export const binaryContractActions = {
  change: {
    summary: '作废秒合约并退款',
    ability: ABILITY.orders,
    target: 'second',
    from: [0],
    reason: 'expected',
    reasons: ['行情异常', '平台故障', '用户申诉成立', '重复下单'],
    fresh: true,
    name: 'second.void',
    audit: '作废秒合约',
    approvable: 'second.void',
    policy: { mode: 1, amount: '0', who: 'user' },
    guard: 'policy',
  },
  configSave: {
    summary: '保存秒合约设置',
    ability: ABILITY.markets,
    reason: 'optional',
    fresh: true,
    approvable: 'second.configSave',
    policy: { mode: 0, amount: '0', who: 'maker' },
    guard: { loosens: '新增或修改设置', tightens: '停用设置' },
  },
  configDel: {
    summary: '删除秒合约设置',
    ability: ABILITY.markets,
    reason: 'optional',
    fresh: true,
    approvable: 'second.configDel',
    policy: { mode: 0, amount: '0', who: 'maker' },
    guard: { loosens: '删除设置' },
  },
  evidence: { summary: '下载秒合约结算凭证', ability: ABILITY.export, target: 'second', guard: 'none' },
} as const satisfies ActionTable;

export const binaryContractFacts = {
  actions: binaryContractActions,
  targets: {
    second: { label: '秒合约', path: '/second/close?open={id}', isSearchable: true, states: binaryContractStates },
    secondConfig: { label: '秒合约设置', path: '/second/config' },
  },
  notifications: {
    'second.voided': { label: '秒合约作废' },
    'second.risk': { label: '秒合约敞口告警', rings: true },
    'second.stuck': { label: '秒合约缺少行情', rings: true },
  },
} as const satisfies NounFacts;
