import { ABILITIES, ABILITY, ADMIN_GRANTED, type Ability, abilityLabels } from '@hengtai/contract/authority/ability';
import type { AgentDetail, AgentRow } from '@hengtai/contract/people/agent/schema';
import type { Me } from '@hengtai/contract/house/session/schema';
import { can } from '../../../api/me.ts';

/** The abilities with a switch. 账号启用 has a dialog instead. */
export const SWITCHES: readonly Ability[] = ABILITIES.filter((ability) => ability !== ABILITY.enabled);

/** What each ability allows. */
export const abilityDescriptions: Readonly<Record<Ability, string>> = {
  [ABILITY.enabled]: '登录后台',
  [ABILITY.users]: '新增用户、重置密码、各项开关、更换代理、收益率档位',
  [ABILITY.assets]: '增减与冻结资产、挂起与放行充值、资金对账',
  [ABILITY.withdraw]: '通过、驳回、重新打款、退回提现',
  [ABILITY.identity]: '审核实名，查看未脱敏的证件信息',
  [ABILITY.subscription]: '通过与驳回代币认购',
  [ABILITY.orders]: '撤单、平仓、结束跟单、秒合约作废退款',
  [ABILITY.markets]: '市场与秒合约设置、交易信号',
  [ABILITY.plans]: '已授权市场的价格保护',
  [ABILITY.platform]: '公告、系统设置、预设 K 线',
  [ABILITY.export]: '全部导出',
  [ABILITY.approval]: '作为第二人复核他人的操作',
  [ABILITY.audit]: '查看审计日志并校验',
  [ABILITY.headquarters]: '可见范围为全部代理与用户',
};

type Operator = Pick<Me, 'id' | 'top' | 'abilities'>;

/** The reason why the operator cannot switch an ability of an agent; undefined if it can. */
export function grantDisabledReasonOf(
  me: Operator,
  { row, changeable }: Pick<AgentDetail, 'row' | 'changeable'>,
  ability: Ability,
): string | undefined {
  if (row.depth === 0) return '顶级管理员拥有全部权限，不能更改';
  const disabledReason = disabledReasonOf(me, row, changeable);
  if (disabledReason !== undefined) return disabledReason;
  if (ADMIN_GRANTED.includes(ability) && !me.top) return '此权限只能由顶级管理员授予或收回';
  return can(me, ability) ? undefined : `自己没有「${abilityLabels[ability]}」权限，不能授予或收回`;
}

/** The reason why the operator cannot change an agent; undefined if it can. `changeable` is undefined while loading. */
function disabledReasonOf(
  me: Operator,
  row: Pick<AgentRow, 'id' | 'depth'>,
  changeable: boolean | undefined,
): string | undefined {
  if (row.id === me.id) return '不能对自己操作，请联系上级';
  if (row.depth === 0) return '不能更改顶级管理员';
  if (changeable === undefined) return '正在查看…';
  return changeable ? undefined : '只能更改自己下级的代理';
}

/** True if the operator sees only its own subtree, so that it can change every other agent that it sees. */
export const seesOnlySubtree = (me: Operator): boolean => me.top || !me.abilities.includes(ABILITY.headquarters);

/** The actions on one agent that have a dialog. */
export const agentActions = ['password', 'otp', 'remark', 'parent', 'state', 'remove'] as const;
/** The link to the identity provider has its button in the drawer, because few installations have one. */
export type AgentAction = (typeof agentActions)[number] | 'oidc';

export const actionName = (action: AgentAction, row: Pick<AgentRow, 'state'>): string =>
  ({
    password: '重置密码',
    otp: '重置第二因素',
    oidc: '关联企业账号',
    remark: '修改备注',
    parent: '更换上级',
    state: row.state === 1 ? '停用' : '启用',
    remove: '删除',
  })[action];

/** Holders of these abilities whose password and codes only the admin resets. */
const ADMIN_RESET_ONLY: readonly number[] = [ABILITY.approval, ABILITY.headquarters];

/** The credentials that an action changes. */
const credentialNames: Partial<Record<AgentAction, string>> = { password: '密码', otp: '第二因素', oidc: '企业账号' };

/** The reason why an action is not possible; undefined if it is. */
export function actionDisabledReasonOf(
  me: Operator,
  row: AgentRow,
  action: AgentAction,
  changeable: boolean | undefined,
): string | undefined {
  const disabledReason = disabledReasonOf(me, row, changeable);
  const credential = credentialNames[action];
  if (disabledReason !== undefined || credential === undefined) return disabledReason;
  if (action === 'otp' && row.otp === 0) return '未启用第二因素';
  return !me.top && ADMIN_RESET_ONLY.some((ability) => row.abilities.includes(ability))
    ? `复核员与总部人员的${credential}只能由顶级管理员${action === 'oidc' ? '关联' : '重置'}`
    : undefined;
}

/** `授予 alice 「提现审核」权限？` */
export const grantQuestion = (ability: Ability, to: 0 | 1, account: string): string =>
  to === 1
    ? `授予 ${account}「${abilityLabels[ability]}」权限？`
    : `收回 ${account} 的「${abilityLabels[ability]}」权限？`;

/** The consequence of granting or revoking, with the number of agents below that lose the ability too. */
export function grantConsequence(to: 0 | 1, below: number): string {
  if (to === 1) return '该代理当前的会话随即结束，重新登录后生效；下级不会自动获得。';
  const reach = below > 0 ? `同时从下级 ${below} 个代理收回；` : '';
  return `${reach}相关会话立即结束，他们提交的待复核申请将无法执行。再次授予时下级需逐个重新授予。`;
}

/** `提现审核（2 个代理）、资产调整（1 个代理）` */
export const lostAbilitiesText = (lost: readonly { ability: number; agents: number }[]): string =>
  lost.map(({ ability, agents }) => `${abilityLabels[ability as Ability] ?? ability}（${agents} 个代理）`).join('、');
