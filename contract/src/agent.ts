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
