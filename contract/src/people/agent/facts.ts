import type { ActionTable, NounFacts } from '../../authority/action.ts';
import { enabledLabels } from '../../wire/switches.ts';

const onAgent = { target: 'agent', reason: 'optional', fresh: true } as const;

export const agentActions = {
  add: { summary: '新增代理', reason: 'optional', fresh: true, guard: 'none' },
  state: {
    ...onAgent,
    summary: '设置代理权限',
    guard: {
      loosens: '授予用户管理、资产调整、提现审核、平台设置、审批复核、审计查看或总部人员；重新启用持有者',
      tightens: '停用账号、收回权限',
    },
  },
  ieoReviewOpen: { ...onAgent, summary: '开通认购审核', guard: 'none' },
  ieoReviewClose: { ...onAgent, summary: '收回认购审核', guard: { tightens: '收回认购审核' } },
  pwdUpdate: { ...onAgent, summary: '重置代理密码', guard: { loosens: '重置关键权限持有者的密码' } },
  otpReset: {
    summary: '重置代理的第二因素',
    target: 'agent',
    reason: 'required',
    fresh: true,
    guard: { loosens: '重置关键权限持有者的验证码与通行密钥' },
  },
  oidcLink: {
    summary: '关联企业账号',
    target: 'agent',
    reason: 'optional',
    fresh: true,
    guard: { loosens: '关联或解除关键权限持有者的企业账号' },
  },
  remark: { summary: '修改代理备注', target: 'agent', reason: 'optional', guard: 'none' },
  parentChange: { ...onAgent, summary: '更换上级代理', guard: { loosens: '移动关键权限持有者' } },
  del: {
    ...onAgent,
    summary: '删除代理',
    approvable: 'agent.del',
    policy: { mode: 1, amount: '0', who: 'agent' },
    guard: 'policy',
  },
} as const satisfies ActionTable;

export const agentFacts = {
  actions: agentActions,
  targets: { agent: { label: '代理', path: '/agent?open={id}', states: enabledLabels } },
} as const satisfies NounFacts;
