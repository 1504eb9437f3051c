import { ABILITY } from './ability.ts';
import { call } from './endpoint.ts';
import type { ListInput, Page } from './list.ts';
import type { BulkResult } from './schema.ts';
import { frozenLabels, onOffLabels } from './switches.ts';
import type {
  AssetInput,
  AssetRow,
  NoteRow,
  UserAdd,
  UserAgent,
  UserAgentBulk,
  UserAi,
  UserBalance,
  UserDeleted,
  UserDetail,
  UserActionInput,
  UserId,
  UserIeoBuy,
  UserLink,
  UserBulk,
  UserNote,
  UserPassword,
  UserRemark,
  UserRow,
  UserTier,
} from './user.schema.ts';

export const userStates = frozenLabels;
export const userSwitches = onOffLabels;
export const winTypeLabels = { 0: '标准收益率', 1: '专属收益率' } as const;
/** KYC state of a user. */
export const userKycLabels = { 0: '未认证', 1: '待审核', 2: '初级认证', 3: '高级认证', 4: '已驳回' } as const;
export const credentialLabels = { password: '登录密码', otp: '一次性验证码', phone: '手机', mail: '邮箱' } as const;

/**
 * The field that each action changes, from which value to which. The server enforces it, the console disables buttons by
 * it.
 */
export const userSwitchActions = {
  enable: { field: 'state', from: 0, to: 1 },
  disable: { field: 'state', from: 1, to: 0 },
  tradeOpen: { field: 'trade', from: 0, to: 1 },
  tradeClose: { field: 'trade', from: 1, to: 0 },
  ieoSellOpen: { field: 'ieoSell', from: 0, to: 1 },
  ieoSellClose: { field: 'ieoSell', from: 1, to: 0 },
} as const satisfies Record<string, { field: UserSwitch; from: 0 | 1; to: 0 | 1 }>;
export type UserSwitch = 'state' | 'trade' | 'ieoBuy' | 'ieoSell' | 'ai';
export type UserSwitchAction = keyof typeof userSwitchActions;
export const userSwitchNames: Readonly<Record<UserSwitch, string>> = {
  state: '账号',
  trade: '交易',
  ieoBuy: '认购买入',
  ieoSell: '认购卖出',
  ai: '智能跟单',
};

/** Kinds of open records that prevent the deletion of a user: those that hold money or wait for a decision. */
export const userOpenKinds = {
  balance: '余额',
  recharge: '充值',
  withdraw: '提现',
  auth: '实名审核',
  ieo: '认购',
  approval: '待复核审批',
  trade: '现货委托',
  second: '秒合约',
  follow: '跟单',
  future: '合约订单',
} as const;
export type UserOpenKind = keyof typeof userOpenKinds;

/** A support link expires after this time, and works once. */
export const SUPPORT_LINK_MS = 5 * 60_000;

/** The payout tier of a user's binary contracts as text, with the rate of an individual tier. */
export const userPayout = ({ winType, winRate }: Pick<UserRow, 'winType' | 'winRate'>): string =>
  winType === 1 ? `${winTypeLabels[winType]} ${winRate ?? '--'}%` : winTypeLabels[winType];

const list = {
  filters: [
    { field: 'account', label: '账号', kind: 'prefix', type: 'text' },
    { field: 'agent', label: '所属代理', kind: 'agent', type: 'text' },
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: frozenLabels },
    { field: 'agentRoot', label: '代理及下级', kind: 'subtree', type: 'text', more: true },
    { field: 'auth', label: '实名', kind: 'eq', type: 'int', options: userKycLabels, more: true },
    { field: 'id', label: '用户编号', kind: 'eq', type: 'id', more: true },
  ],
  columns: [
    { field: 'id', title: '用户编号', kind: 'id' },
    { field: 'account', title: '账号', kind: 'text' },
    { field: 'agent', title: '所属代理', kind: 'text' },
    { field: 'agentRoot', title: '顶级代理', kind: 'text' },
    { field: 'remark', title: '备注', kind: 'text' },
    { field: 'state', title: '状态', kind: 'state', labels: userStates },
    { field: 'trade', title: '交易', kind: 'state', labels: userSwitches },
    { field: 'ieoBuy', title: '认购买入', kind: 'state', labels: userSwitches },
    { field: 'ieoSell', title: '认购卖出', kind: 'state', labels: userSwitches },
    { field: 'ai', title: '智能跟单', kind: 'state', labels: userSwitches },
    { field: 'winType', title: '收益率档位', kind: 'text', text: userPayout },
    { field: 'auth', title: '实名', kind: 'state', labels: userKycLabels },
    { field: 'valuation', title: '估值(USDT)', kind: 'amount' },
    { field: 'createdAt', title: '注册时间', kind: 'time' },
    { field: 'lastLoginAt', title: '最近登录', kind: 'time' },
    { field: 'lastLoginIp', title: '登录 IP', kind: 'text' },
    { field: 'updatedAt', title: '更新时间', kind: 'time' },
  ],
} as const;

const notes = { filters: [{ field: 'id', label: '用户编号', kind: 'eq', type: 'id' }] } as const;

const mutation = {
  method: 'POST',
  kind: 'action',
  ability: ABILITY.users,
  target: 'user',
  targetBy: 'id',
  reason: 'optional',
} as const;
const bulkMutation = { ...mutation, targetBy: 'ids', bulk: true } as const;

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
  detail: call<UserId, UserDetail>()({
    method: 'GET',
    path: 'user/detail',
    summary: '用户全貌',
    kind: 'read',
    target: 'user',
    targetBy: 'id',
  }),
  balance: call<UserBalance, AssetRow[]>()({
    method: 'GET',
    path: 'user/balance',
    summary: '历史时点资产',
    kind: 'read',
    target: 'user',
    targetBy: 'id',
  }),
  noteList: call<ListInput<typeof notes>, Page<NoteRow>>()({
    method: 'GET',
    path: 'user/note/list',
    summary: '用户备注记录',
    kind: 'list',
    list: notes,
  }),
  noteAdd: call<UserNote, NoteRow>()({ ...mutation, path: 'user/note/add', summary: '添加备注记录' }),
  remark: call<UserRemark, UserRow>()({ ...mutation, path: 'user/remark', summary: '修改用户备注' }),
  pwdUpdate: call<UserPassword, UserRow>()({
    ...mutation,
    path: 'user/pwd_update',
    summary: '重置用户密码',
    fresh: true,
  }),
  enable: call<UserActionInput, UserRow>()({ ...mutation, path: 'user/state/enable', summary: '启用用户' }),
  disable: call<UserActionInput, UserRow>()({ ...mutation, path: 'user/state/disable', summary: '冻结用户' }),
  enableMany: call<UserBulk, BulkResult>()({
    ...bulkMutation,
    path: 'user/state/enable/many',
    summary: '批量启用用户',
  }),
  disableMany: call<UserBulk, BulkResult>()({
    ...bulkMutation,
    path: 'user/state/disable/many',
    summary: '批量冻结用户',
  }),
  tradeOpen: call<UserActionInput, UserRow>()({ ...mutation, path: 'user/trade/open', summary: '允许交易' }),
  tradeClose: call<UserActionInput, UserRow>()({ ...mutation, path: 'user/trade/close', summary: '禁止交易' }),
  ieoBuy: call<UserIeoBuy, UserRow>()({ ...mutation, path: 'user/ieo_buy/state', summary: '设置认购买入' }),
  ieoSellOpen: call<UserActionInput, UserRow>()({ ...mutation, path: 'user/ieo_sell/open', summary: '允许认购卖出' }),
  ieoSellClose: call<UserActionInput, UserRow>()({ ...mutation, path: 'user/ieo_sell/close', summary: '禁止认购卖出' }),
  ai: call<UserAi, UserRow>()({
    ...mutation,
    targetBy: 'userId',
    path: 'user/ai/change',
    summary: '设置智能跟单',
  }),
  second: call<UserTier, UserRow>()({
    ...mutation,
    path: 'user/second/change',
    summary: '设置收益率档位',
    approvable: 'user.second',
  }),
  token: call<UserActionInput, UserLink>()({
    ...mutation,
    path: 'user/token',
    summary: '生成客服链接',
    fresh: true,
    secret: true,
  }),
  agentChange: call<UserAgent, UserRow>()({
    ...mutation,
    targetBy: 'userId',
    path: 'user/agent/change',
    summary: '更换所属代理',
  }),
  agentChangeMany: call<UserAgentBulk, BulkResult>()({
    ...bulkMutation,
    path: 'user/agent/change/many',
    summary: '批量更换所属代理',
  }),
  del: call<UserActionInput, UserDeleted>()({ ...mutation, path: 'user/del', summary: '删除用户', fresh: true }),
};
