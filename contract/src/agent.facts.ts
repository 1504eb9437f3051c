import type { ActionTable, NounFacts } from './action.ts';
import { enabledLabels } from './switches.ts';

export const agentActions = {
  add: { summary: '新增代理', reason: 'optional', fresh: true, guard: 'none' },
  state: {
    summary: '设置代理权限',
    target: 'agent',
    reason: 'optional',
    fresh: true,
    guard: {
      loosens: '授予用户管理、资产调整、提现审核、平台设置、审批复核、审计查看或总部人员；重新启用持有者',
      tightens: '停用账号、收回权限',
    },
  },
  ieoReviewOpen: { summary: '开通认购审核', target: 'agent', reason: 'optional', fresh: true, guard: 'none' },
  ieoReviewClose: {
    summary: '收回认购审核',
    target: 'agent',
    reason: 'optional',
    fresh: true,
    guard: { tightens: '收回认购审核' },
  },
  pwdUpdate: {
    summary: '重置代理密码',
    target: 'agent',
    reason: 'optional',
    fresh: true,
    guard: { loosens: '重置关键权限持有者的密码' },
  },
  otpReset: {
    summary: '重置代理的一次性验证码',
    target: 'agent',
    reason: 'required',
    fresh: true,
    guard: { loosens: '重置关键权限持有者的验证码' },
  },
  remark: { summary: '修改代理备注', target: 'agent', reason: 'optional', guard: 'none' },
  parentChange: {
    summary: '更换上级代理',
    target: 'agent',
    reason: 'optional',
    fresh: true,
    guard: { loosens: '移动关键权限持有者' },
  },
  del: {
    summary: '删除代理',
    target: 'agent',
    reason: 'optional',
    fresh: true,
    approvable: 'agent.del',
    policy: { mode: 1, amount: '0', what: '删除代理账号', who: 'agent' },
    guard: 'policy',
  },
} as const satisfies ActionTable;

export const agentFacts = {
  actions: agentActions,
  targets: { agent: { label: '代理', path: '/agent?open={id}', states: enabledLabels } },
} as const satisfies NounFacts;
