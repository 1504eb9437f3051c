import { ABILITY } from './ability.ts';
import { call } from './endpoint.ts';
import type { ListInput, Page } from './list.ts';
import { frozenLabels, onOffLabels } from './switches.ts';
import type { AssetInput, AssetRow, UserAdd, UserRow } from './user.schema.ts';

export const userStates = frozenLabels;
export const userSwitches = onOffLabels;
export const winTypeLabels = { 0: '标准收益率', 1: '专属收益率' } as const;
/** KYC state of a user. */
export const userAuthLabels = { 0: '未认证', 1: '待审核', 2: '初级认证', 3: '高级认证', 4: '已驳回' } as const;
export const credentialLabels = { password: '登录密码', otp: '一次性验证码', phone: '手机', mail: '邮箱' } as const;

/** The payout tier of a user's second contracts, with its rate where it is the user's own. */
export const userPayout = ({ winType, winRate }: Pick<UserRow, 'winType' | 'winRate'>): string =>
  winType === 1 ? `${winTypeLabels[winType]} ${winRate ?? '--'}%` : winTypeLabels[winType];

const list = {
  filters: [
    { field: 'account', label: '账号', kind: 'prefix', type: 'text' },
    { field: 'agent', label: '所属代理', kind: 'agent', type: 'text' },
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: frozenLabels },
    { field: 'agentRoot', label: '代理及下级', kind: 'subtree', type: 'text', more: true },
    { field: 'id', label: '用户编号', kind: 'eq', type: 'int', more: true },
  ],
  columns: [
    { field: 'id', title: '用户编号', kind: 'id' },
    { field: 'account', title: '账号', kind: 'text' },
    { field: 'agent', title: '所属代理', kind: 'text' },
    { field: 'agentRoot', title: '顶级代理', kind: 'text' },
    { field: 'state', title: '状态', kind: 'state', labels: userStates },
    { field: 'auth', title: '认证', kind: 'state', labels: userAuthLabels },
    { field: 'valuation', title: '资产估值(USDT)', kind: 'amount' },
    { field: 'trade', title: '交易', kind: 'state', labels: userSwitches },
    { field: 'ieoBuy', title: '认购', kind: 'state', labels: userSwitches },
    { field: 'ieoSell', title: '认购卖出', kind: 'state', labels: userSwitches },
    { field: 'ai', title: '智能跟单', kind: 'state', labels: userSwitches },
    { field: 'winType', title: '秒合约收益率', kind: 'text', text: userPayout },
    { field: 'remark', title: '备注', kind: 'text' },
    { field: 'createdAt', title: '注册时间', kind: 'time' },
    { field: 'lastLoginAt', title: '最近登录', kind: 'time' },
    { field: 'lastLoginIp', title: '登录 IP', kind: 'text' },
    { field: 'updatedAt', title: '更新时间', kind: 'time' },
  ],
} as const;

export const user = {
  list: call<ListInput<typeof list>, Page<UserRow>>()({
    method: 'GET',
    path: 'user/list',
    summary: '用户列表',
    kind: 'list',
    list,
  }),
  add: call<UserAdd, UserRow>()({
    method: 'POST',
    path: 'user/add',
    summary: '新增用户',
    kind: 'action',
    ability: ABILITY.users,
    reason: 'optional',
  }),
  asset: call<AssetInput, AssetRow[]>()({
    method: 'GET',
    path: 'user/asset',
    summary: '用户资产',
    kind: 'read',
    target: 'user',
    targetBy: 'id',
  }),
};
