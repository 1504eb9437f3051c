import { ABILITY } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';

const onHouse = { ability: ABILITY.platform, fresh: true } as const;
const assign = {
  summary: '调整用户组',
  ability: ABILITY.users,
  target: 'user',
  reason: 'optional',
  approval: '放宽用户的提现限额',
  guard: { loosens: '放宽限额，改变手续费', tightens: '收紧限额' },
} as const;

export const withdrawLimitActions = {
  save: {
    ...onHouse,
    summary: '保存提现限额与手续费',
    reason: 'optional',
    approval: '放宽提现限额',
    guard: { loosens: '放宽限额，改变手续费', tightens: '收紧限额' },
  },
  groupSave: {
    ...onHouse,
    summary: '保存用户组',
    reason: 'optional',
    approval: '开放或改名用户组',
    guard: { loosens: '开放给代理，有限额、用户或已开放的组改名', tightens: '收回总部' },
  },
  groupDelete: {
    ...onHouse,
    summary: '删除用户组',
    danger: true,
    reason: 'optional',
    guard: { loosens: '删除限额更紧的组', tightens: '删除其他没有用户的组' },
  },
  assign,
} as const satisfies ActionTable;

export const withdrawLimitFacts = {
  actions: withdrawLimitActions,
  targets: {
    withdrawLimit: { label: '提现限额' },
    userGroup: { label: '用户组' },
  },
} as const satisfies NounFacts;
