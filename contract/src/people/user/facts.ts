import { ABILITY } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';
import { frozenLabels } from '../../wire/switches.ts';

const onUser = { ability: ABILITY.users, target: 'user', reason: 'optional' } as const;

/** Why a user with open records cannot be deleted. */
export const USER_BUSY = '用户仍有未了结的事项，不能删除';

export const winTypeLabels = { 0: '标准收益率', 1: '专属收益率' } as const;

export const userActions = {
  add: { summary: '新增用户', ability: ABILITY.users, reason: 'optional', guard: 'none' },
  noteAdd: { ...onUser, summary: '添加备注记录', guard: 'none' },
  remark: { ...onUser, summary: '修改用户备注', guard: 'none' },
  enable: { ...onUser, summary: '启用用户', guard: 'none' },
  disable: { ...onUser, summary: '冻结用户', guard: { tightens: '冻结用户' } },
  tradeOpen: { ...onUser, summary: '允许交易', guard: 'none' },
  tradeClose: { ...onUser, summary: '禁止交易', guard: { tightens: '禁止交易' } },
  ieoBuy: { ...onUser, summary: '设置认购买入', guard: 'none' },
  ieoSellOpen: { ...onUser, summary: '允许认购卖出', guard: 'none' },
  ieoSellClose: { ...onUser, summary: '禁止认购卖出', guard: 'none' },
  ai: { ...onUser, summary: '设置智能跟单', guard: 'none' },
  second: {
    ...onUser,
    summary: '设置收益率档位',
    approvable: 'user.second',
    policy: { mode: 0, amount: '0', who: 'user' },
    guard: 'policy',
  },
  token: { ...onUser, summary: '生成客服链接', fresh: true, guard: { loosens: '生成客服链接' } },
  pwdUpdate: { ...onUser, summary: '重置用户密码', fresh: true, guard: { loosens: '重置用户密码' } },
  agentChange: { ...onUser, summary: '更换所属代理', guard: 'none' },
  del: { ...onUser, summary: '删除用户', fresh: true, guard: 'none' },
} as const satisfies ActionTable;

export const userFacts = {
  actions: userActions,
  targets: {
    user: { label: '用户', path: '/user?open={id}', isSearchable: true, states: frozenLabels },
    // The id is that of the user.
    import: { label: '期初导入', path: '/user?open={id}', ledgerOnly: true },
    'asset.frozen': { label: '人工冻结', path: '/user?open={id}', ledgerOnly: true },
  },
  notifications: { 'user.registered': { label: '新用户注册' } },
} as const satisfies NounFacts;
