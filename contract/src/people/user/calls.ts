import { action, bulkAction, listCall, read } from '../../wire/endpoint.ts';
import type { BulkResult, ActionInput, BulkInput, IdInput } from '../../wire/schema.ts';
import { frozenLabels, onOffLabels } from '../../wire/switches.ts';
import { userActions, winTypeLabels } from './facts.ts';
import { targetTypes } from '../../authority/target.ts';
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
  UserIeoBuy,
  UserLink,
  UserNote,
  UserPassword,
  UserRemark,
  UserRow,
  UserTier,
} from './schema.ts';

export const userStates = frozenLabels;
export const userSwitches = onOffLabels;
/** States of a user's identity in which a level is verified. */
export const USER_KYC = { basic: 2, advanced: 3 } as const;
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

/** Kinds of open records that prevent the deletion of a user. */
export const userOpenKinds: Readonly<Record<string, string>> = {
  ...targetTypes,
  balance: '余额',
  approval: '待复核审批',
};

/** A support link expires after this time, and works once. */
export const SUPPORT_LINK_MS = 5 * 60_000;

/** The payout tier of a user's binary contracts as text, with the rate of an individual tier. */
export const userPayout = ({ winType, winRate }: Pick<UserRow, 'winType' | 'winRate'>): string =>
  winType === 1 ? `${winTypeLabels[winType]} ${winRate ?? '--'}%` : winTypeLabels[winType];

const list = {
  filters: [
    { field: 'account', label: '账号', kind: 'part', type: 'text' },
    { field: 'agent', label: '所属代理', kind: 'agent', type: 'text' },
    { field: 'agentRoot', label: '代理及下级', kind: 'subtree', type: 'text' },
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: frozenLabels },
    { field: 'auth', label: '实名', kind: 'eq', type: 'int', options: userKycLabels, more: true },
    { field: 'groupId', label: '用户组', kind: 'eq', type: 'id', more: true },
    { field: 'id', label: '用户编号', kind: 'eq', type: 'id', more: true },
    {
      field: 'ip',
      label: '登录 IP',
      kind: 'eq',
      type: 'text',
      hint: '180 天内任一次登录的完整 IP',
      more: true,
    },
    { field: 'trade', label: '交易', kind: 'eq', type: 'int', options: userSwitches, more: true },
    { field: 'ieoBuy', label: '认购买入', kind: 'eq', type: 'int', options: userSwitches, more: true },
    { field: 'ieoSell', label: '认购卖出', kind: 'eq', type: 'int', options: userSwitches, more: true },
    { field: 'ai', label: '智能跟单', kind: 'eq', type: 'int', options: userSwitches, more: true },
    { field: 'winType', label: '收益率档位', kind: 'eq', type: 'int', options: winTypeLabels, more: true },
  ],
  columns: [
    { field: 'id', title: '用户编号', kind: 'id' },
    { field: 'account', title: '账号', kind: 'user' },
    { field: 'agent', title: '所属代理', kind: 'agent' },
    { field: 'agentRoot', title: '顶级代理', kind: 'agent' },
    { field: 'remark', title: '备注', kind: 'text' },
    { field: 'state', title: '状态', kind: 'state', labels: userStates },
    { field: 'trade', title: '交易', kind: 'state', labels: userSwitches },
    { field: 'ieoBuy', title: '认购买入', kind: 'state', labels: userSwitches },
    { field: 'ieoSell', title: '认购卖出', kind: 'state', labels: userSwitches },
    { field: 'ai', title: '智能跟单', kind: 'state', labels: userSwitches },
    { field: 'winType', title: '收益率档位', kind: 'text', text: userPayout },
    { field: 'auth', title: '实名', kind: 'state', labels: userKycLabels },
    { field: 'userGroup', title: '用户组', kind: 'text' },
    { field: 'valuation', title: '估值(USDT)', kind: 'amount' },
    { field: 'createdAt', title: '注册时间', kind: 'time' },
    { field: 'lastLoginAt', title: '最近登录', kind: 'time' },
    { field: 'lastLoginIp', title: '登录 IP', kind: 'text' },
    { field: 'updatedAt', title: '更新时间', kind: 'time' },
  ],
  sortable: ['valuation', 'lastLoginAt'],
} as const;

const notes = { filters: [{ field: 'id', label: '用户编号', kind: 'eq', type: 'id' }] } as const;

export const user = {
  list: listCall<UserRow>()('user/list', '用户列表', list),
  add: action<UserAdd, UserRow>()(userActions.add, 'user/add'),
  asset: read<AssetInput, AssetRow[]>()('user/asset', '用户资产', { target: 'user' }),
  detail: read<IdInput, UserDetail>()('user/detail', '用户全貌', { target: 'user' }),
  balance: read<UserBalance, AssetRow[]>()('user/balance', '历史时点资产', { target: 'user' }),
  noteList: listCall<NoteRow>()('user/note/list', '用户备注记录', notes),
  noteAdd: action<UserNote, NoteRow>()(userActions.noteAdd, 'user/note/add'),
  remark: action<UserRemark, UserRow>()(userActions.remark, 'user/remark', { record: 'detail.row' }),
  pwdUpdate: action<UserPassword, UserRow>()(userActions.pwdUpdate, 'user/pwd_update'),
  enable: action<ActionInput, UserRow>()(userActions.enable, 'user/state/enable'),
  disable: action<ActionInput, UserRow>()(userActions.disable, 'user/state/disable'),
  enableMany: bulkAction<BulkInput, BulkResult>()(userActions.enable, 'user/state/enable/many'),
  disableMany: bulkAction<BulkInput, BulkResult>()(userActions.disable, 'user/state/disable/many'),
  tradeOpen: action<ActionInput, UserRow>()(userActions.tradeOpen, 'user/trade/open'),
  tradeClose: action<ActionInput, UserRow>()(userActions.tradeClose, 'user/trade/close'),
  ieoBuy: action<UserIeoBuy, UserRow>()(userActions.ieoBuy, 'user/ieo_buy/state'),
  ieoSellOpen: action<ActionInput, UserRow>()(userActions.ieoSellOpen, 'user/ieo_sell/open'),
  ieoSellClose: action<ActionInput, UserRow>()(userActions.ieoSellClose, 'user/ieo_sell/close'),
  ai: action<UserAi, UserRow>()(userActions.ai, 'user/ai/change', { targetBy: 'userId' }),
  second: action<UserTier, UserRow>()(userActions.second, 'user/second/change', { record: 'detail.row' }),
  token: action<ActionInput, UserLink>()(userActions.token, 'user/token', { secret: true }),
  agentChange: action<UserAgent, UserRow>()(userActions.agentChange, 'user/agent/change', { targetBy: 'userId' }),
  agentChangeMany: bulkAction<UserAgentBulk, BulkResult>()(userActions.agentChange, 'user/agent/change/many'),
  del: action<ActionInput, UserDeleted>()(userActions.del, 'user/del'),
};
