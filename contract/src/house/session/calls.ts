import type { ActionInput } from '../../wire/schema.ts';
import { action, call, listCall } from '../../wire/endpoint.ts';
import { sessionActions } from './facts.ts';
import type {
  KickOthers,
  KickOthersResult,
  LoginData,
  LoginInput,
  Me,
  EmptyInput,
  PasswordInput,
  ResetRedeem,
  ResetRedeemed,
  SessionRow,
} from './schema.ts';

/** A session expires this long after its last use. */
export const SESSION_MINUTES = 115;
/** An answer to an older token contains a new token. */
export const TOKEN_RENEW_MINUTES = 10;
/** The old token stays valid for this long after the new one was first used. */
export const TOKEN_OVERLAP_SECONDS = 60;
/** A session ends after this time regardless of use. */
export const SESSION_ABSOLUTE_HOURS = 24;
/** Failed logins per account in any 60 minutes from unknown devices. Each known device is counted separately. */
export const LOGIN_TRIES_PER_HOUR = 20;
/** Failed logins per IP address in any 60 minutes over all accounts. Known devices are not counted. */
export const ADDRESS_TRIES_PER_HOUR = 300;
/** Setting: maximum sessions of one operator. A further login ends the one that has been idle longest. */
export const SESSION_MAX = 'session.max';
export const SESSION_MAX_DEFAULT = 50;
/** Setting: an operator must change a password that another operator set before anything else. */
export const PASSWORD_CHANGE = 'password.change';
/** Data of a 428 answer: no code is accepted, because the operator must change its password first. */
export const PASSWORD_CHANGE_DUE = { password: true } as const;
/** Request header, 1 for background requests of an idle console. They do not extend the session. */
export const IDLE_HEADER = 'idle';

/** The refusal of a wrong account, password or second factor. The login page compares it without loading the others. */
export const WRONG_CREDENTIALS = '账号、密码或验证码错误';
export const LOGIN_DONE = '登录成功';
export const PASSWORD_CHANGED = '密码修改成功，请重新登录';

export const SESSION = { ended: 0, online: 1 } as const;
export const sessionStates = { 1: '在线', 0: '已结束' } as const;
/** Of each operator who was active within ONLINE_MINUTES: the session used last. */
const activeLabels = { 1: '在线操作员（每人一条）' } as const;
/** An operator who used a session within this time is online. */
export const ONLINE_MINUTES = 5;
export const knownLabels = { 1: '常用设备', 0: '新设备' } as const;

/** Why a session ended. */
export const sessionEnds = {
  logout: '退出登录',
  expired: '超时',
  kick: '被强制结束',
  password: '密码变更',
  otp: '验证码变更',
  passkey: '通行密钥变更',
  oidc: '企业账号关联变更',
  ability: '权限或账号状态变更',
  parent: '上级变更',
  deleted: '账号删除',
  reused: '旧令牌被再次使用',
  limit: '超过会话数上限',
} as const;

const list = {
  filters: [
    { field: 'account', label: '账号', kind: 'prefix', type: 'text' },
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: sessionStates },
    { field: 'ip', label: '登录 IP', kind: 'eq', type: 'text' },
    { field: 'id', label: '编号', kind: 'eq', type: 'id', more: true },
    { field: 'known', label: '设备', kind: 'eq', type: 'int', options: knownLabels, more: true },
    { field: 'active', label: '当前在线', kind: 'eq', type: 'int', options: activeLabels, more: true },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'account', title: '账号', kind: 'agent' },
    { field: 'state', title: '状态', kind: 'state', labels: sessionStates },
    { field: 'ip', title: '登录 IP', kind: 'text' },
    { field: 'userAgent', title: '浏览器', kind: 'text' },
    { field: 'known', title: '设备', kind: 'state', labels: knownLabels },
    { field: 'createdAt', title: '登录时间', kind: 'time' },
    { field: 'lastSeenAt', title: '最近活动', kind: 'time' },
    { field: 'expiresAt', title: '到期时间', kind: 'time' },
    { field: 'endedAt', title: '结束时间', kind: 'time' },
    { field: 'endReason', title: '结束原因', kind: 'state', labels: sessionEnds },
  ],
  sortable: ['lastSeenAt'],
  views: [{ name: '在线', query: 'state=1' }],
} as const;

export const session = {
  login: call<LoginInput, LoginData>()({
    ...sessionActions.login,
    method: 'POST',
    kind: 'session',
    path: 'login',
    public: true,
  }),
  logout: call<EmptyInput, null>()({
    ...sessionActions.logout,
    method: 'POST',
    kind: 'session',
    path: 'logout',
    allowedBeforeSetup: true,
  }),
  me: call<EmptyInput, Me>()({
    method: 'GET',
    path: 'me',
    summary: '当前操作员',
    kind: 'session',
    allowedBeforeSetup: true,
  }),
  password: call<PasswordInput, null>()({
    ...sessionActions.password,
    method: 'POST',
    kind: 'session',
    path: 'pwd_update',
    allowedBeforeSetup: true,
  }),
  /** Sets a password with the one-time link from a checker. The link is the only credential. */
  redeem: call<ResetRedeem, ResetRedeemed>()({
    ...sessionActions.redeem,
    method: 'POST',
    kind: 'session',
    path: 'reset/redeem',
    public: true,
  }),
  list: listCall<SessionRow>()('session/list', '登录会话', list),
  /** Ends a session of the caller or of an agent below it. */
  kick: action<ActionInput, SessionRow>()(sessionActions.kick, 'session/kick'),
  kickOthers: action<KickOthers, KickOthersResult>()(sessionActions.kickOthers, 'session/kick_others'),
};
