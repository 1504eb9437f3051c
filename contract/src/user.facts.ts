import { ABILITY } from './ability.ts';
import type { ActionTable, NounFacts } from './action.ts';
import { frozenLabels } from './switches.ts';

export const userActions = {
  add: { summary: '新增用户', ability: ABILITY.users, reason: 'optional', guard: 'none' },
  noteAdd: { summary: '添加备注记录', ability: ABILITY.users, target: 'user', reason: 'optional', guard: 'none' },
  remark: { summary: '修改用户备注', ability: ABILITY.users, target: 'user', reason: 'optional', guard: 'none' },
  enable: { summary: '启用用户', ability: ABILITY.users, target: 'user', reason: 'optional', guard: 'none' },
  disable: {
    summary: '冻结用户',
    ability: ABILITY.users,
    target: 'user',
    reason: 'optional',
    guard: { tightens: '冻结用户' },
  },
  tradeOpen: { summary: '允许交易', ability: ABILITY.users, target: 'user', reason: 'optional', guard: 'none' },
  tradeClose: {
    summary: '禁止交易',
    ability: ABILITY.users,
    target: 'user',
    reason: 'optional',
    guard: { tightens: '禁止交易' },
  },
  ieoBuy: { summary: '设置认购买入', ability: ABILITY.users, target: 'user', reason: 'optional', guard: 'none' },
  ieoSellOpen: { summary: '允许认购卖出', ability: ABILITY.users, target: 'user', reason: 'optional', guard: 'none' },
  ieoSellClose: { summary: '禁止认购卖出', ability: ABILITY.users, target: 'user', reason: 'optional', guard: 'none' },
  ai: { summary: '设置智能跟单', ability: ABILITY.users, target: 'user', reason: 'optional', guard: 'none' },
  second: {
    summary: '设置收益率档位',
    ability: ABILITY.users,
    target: 'user',
    reason: 'optional',
    approvable: 'user.second',
    policy: { mode: 0, amount: '0', what: '为一位用户单独设置秒合约收益率', who: 'user' },
    guard: 'policy',
  },
  token: {
    summary: '生成客服链接',
    ability: ABILITY.users,
    target: 'user',
    reason: 'optional',
    fresh: true,
    guard: { loosens: '生成客服链接' },
  },
  pwdUpdate: {
    summary: '重置用户密码',
    ability: ABILITY.users,
    target: 'user',
    reason: 'optional',
    fresh: true,
    guard: { loosens: '重置用户密码' },
  },
  agentChange: { summary: '更换所属代理', ability: ABILITY.users, target: 'user', reason: 'optional', guard: 'none' },
  del: { summary: '删除用户', ability: ABILITY.users, target: 'user', reason: 'optional', fresh: true, guard: 'none' },
} as const satisfies ActionTable;

export const userFacts = {
  actions: userActions,
  targets: {
    user: { label: '用户', path: '/user?open={id}', searched: true, states: frozenLabels },
    // The id is that of the user.
    import: { label: '期初导入', path: '/user?open={id}', ledgerOnly: true },
    'asset.frozen': { label: '人工冻结', path: '/user?open={id}', ledgerOnly: true },
  },
  notifications: { 'user.registered': { label: '新用户注册' } },
} as const satisfies NounFacts;
