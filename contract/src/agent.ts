import { ABILITY, abilityLabels } from './ability.ts';
import type { AgentAdd, AgentRow, AgentState } from './agent.schema.ts';
import { call } from './endpoint.ts';
import type { ListInput, Page } from './list.ts';
import { enabledLabels } from './switches.ts';

export const agentStates = enabledLabels;

const list = {
  filters: [
    { field: 'account', label: '账号', kind: 'prefix', type: 'text' },
    { field: 'parentAccount', label: '上级账号', kind: 'agent', type: 'text' },
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: enabledLabels },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'account', title: '账号', kind: 'text' },
    { field: 'parentAccount', title: '上级账号', kind: 'text' },
    { field: 'root', title: '顶级代理', kind: 'text' },
    { field: 'state', title: '状态', kind: 'state', labels: agentStates },
    { field: 'userCount', title: '用户数', kind: 'count' },
    { field: 'agentCount', title: '下级代理数', kind: 'count' },
    { field: 'depth', title: '层级', kind: 'count' },
    { field: 'abilities', title: '权限', kind: 'states', labels: abilityLabels },
    { field: 'remark', title: '备注', kind: 'text' },
    { field: 'createdAt', title: '创建时间', kind: 'time' },
    { field: 'lastLoginAt', title: '最近登录', kind: 'time' },
    { field: 'lastLoginIp', title: '登录 IP', kind: 'text' },
    { field: 'updatedAt', title: '更新时间', kind: 'time' },
  ],
} as const;

export const agent = {
  list: call<ListInput<typeof list>, Page<AgentRow>>()({
    method: 'GET',
    path: 'agent/list',
    summary: '代理列表',
    kind: 'list',
    list,
  }),
  add: call<AgentAdd, AgentRow>()({
    method: 'POST',
    path: 'agent/add',
    summary: '新增代理',
    kind: 'action',
    reason: 'optional',
  }),
  state: call<AgentState, AgentRow>()({
    method: 'POST',
    path: 'agent/state',
    summary: '设置代理权限',
    kind: 'action',
    target: 'agent',
    targetBy: 'id',
    reason: 'optional',
  }),
};

/** What type 0 (账号启用) and the abilities are called on screens. */
export const agentStateTypes = abilityLabels;
export const AGENT_ENABLED = ABILITY.enabled;
