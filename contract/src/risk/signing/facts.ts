import { ABILITY } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';

export const PROPOSAL = { open: 0, inForce: 1, closed: 2 } as const;
export const proposalStates = { 0: '待签名', 1: '已生效', 2: '已关闭' } as const;

export const signingActions = {
  enrol: { summary: '登记签名密钥', fresh: true, guard: 'none' },
  propose: {
    summary: '提交签名名册或授权草案',
    ability: ABILITY.approval,
    fresh: true,
    guard: { tightens: '草案须由名册中的足够人数签名才生效' },
  },
  add: { summary: '签名', audit: '提交签名', guard: 'none' },
  close: {
    summary: '关闭草案或撤销授权',
    ability: ABILITY.approval,
    danger: true,
    fresh: true,
    reason: 'optional',
    guard: { tightens: '关闭草案，撤销自动打款授权' },
  },
} as const satisfies ActionTable;

export const signingFacts = {
  actions: signingActions,
  targets: { signing: { label: '签名草案', path: '/config/signing', states: proposalStates } },
  notifications: {
    'signing.reset': { label: '签名名册已在服务器上重置', noun: 'fourEyes', rings: true },
  },
} as const satisfies NounFacts;
