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

const list = {
  filters: [
    { field: 'account', label: '账号', kind: 'prefix', type: 'text' },
    { field: 'agent', label: '所属代理', kind: 'agent', type: 'text' },
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: frozenLabels },
    { field: 'agentRoot', label: '代理及下级', kind: 'subtree', type: 'text', more: true },
    { field: 'id', label: '用户编号', kind: 'eq', type: 'int', more: true },
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
