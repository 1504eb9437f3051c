import type { ActionInput, IdInput, ReasonInput } from '../../wire/schema.ts';
import { ABILITY, abilityLabels } from '../../authority/ability.ts';
import { agentActions } from './facts.ts';
import type {
  AgentAdd,
  AgentDel,
  AgentDelPreview,
  AgentDetail,
  AgentFind,
  AgentFound,
  AgentMovePreview,
  AgentOidcLink,
  AgentParent,
  AgentPassword,
  AgentRemark,
  AgentRoot,
  AgentRootInput,
  AgentRow,
  AgentState,
} from './schema.ts';
import { action, call, listCall, read } from '../../wire/endpoint.ts';
import { enabledLabels } from '../../wire/switches.ts';

export const agentStates = enabledLabels;

const list = {
  filters: [
    { field: 'account', label: '账号', kind: 'contains', type: 'text' },
    { field: 'parentAccount', label: '上级账号', kind: 'agent', type: 'text' },
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: enabledLabels },
    // These two read a tree level by level: its topmost agents, and the direct children of an agent.
    { field: 'depth', label: '层级', kind: 'eq', type: 'int', more: true },
    { field: 'parent', label: '上级编号', kind: 'eq', type: 'id', more: true },
    { field: 'id', label: '编号', kind: 'eq', type: 'id', more: true },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'account', title: '账号', kind: 'agent' },
    { field: 'parentAccount', title: '上级账号', kind: 'agent' },
    { field: 'root', title: '顶级代理', kind: 'agent' },
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
  sortable: ['account', 'depth', 'lastLoginAt', 'userCount'],
} as const;

export const agent = {
  list: listCall<AgentRow>()('agent/list', '代理列表', list),
  /** One agent: its path in the tree, its abilities with their grantors, and its open records. */
  detail: read<IdInput, AgentDetail>()('agent/detail', '代理详情', { target: 'agent' }),
  /** The number of an agent of the caller's scope, itself included, by its account. */
  find: read<AgentFind, AgentFound>()('agent/find', '按账号查找代理'),
  add: action<AgentAdd, AgentRow>()(agentActions.add, 'agent/add'),
  state: action<AgentState, AgentRow>()(agentActions.state, 'agent/state'),
  ieoReviewOpen: action<ActionInput, AgentRow>()(agentActions.ieoReviewOpen, 'agent/ieo_review/open'),
  ieoReviewClose: action<ActionInput, AgentRow>()(agentActions.ieoReviewClose, 'agent/ieo_review/close'),
  pwdUpdate: action<AgentPassword, AgentRow>()(agentActions.pwdUpdate, 'agent/pwd_update'),
  /** For an agent that lost the authenticator and the recovery codes: it then logs in with the password alone. */
  otpReset: action<ReasonInput, AgentRow>()(agentActions.otpReset, 'agent/otp/reset'),
  /** Names the account at the identity provider that the agent logs in with; null removes it. */
  oidcLink: action<AgentOidcLink, AgentRow>()(agentActions.oidcLink, 'agent/oidc/link'),
  remark: action<AgentRemark, AgentRow>()(agentActions.remark, 'agent/remark', { record: 'detail.row' }),
  /** The ancestor of each agent directly below the top-level admin. Agents outside the caller's scope are omitted. */
  root: call<AgentRootInput, AgentRoot[]>()({
    method: 'POST',
    path: 'agent/root',
    summary: '所属顶级代理',
    kind: 'read',
  }),
  parentPreview: read<AgentParent, AgentMovePreview>()('agent/parent/preview', '更换上级预览', {
    target: 'agent',
  }),
  parentChange: action<AgentParent, AgentRow>()(agentActions.parentChange, 'agent/parent/change'),
  delPreview: read<AgentDel, AgentDelPreview>()('agent/del/preview', '删除代理预览', {
    target: 'agent',
    targetBy: 'deleteId',
  }),
  del: action<AgentDel, AgentRow>()(agentActions.del, 'agent/del', { targetBy: 'deleteId' }),
};

export const AGENT_ENABLED = ABILITY.enabled;
