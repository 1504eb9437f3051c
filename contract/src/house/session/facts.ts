import type { ActionTable, NounFacts } from '../../authority/action.ts';

export const sessionActions = {
  login: { summary: '登录', guard: 'none' },
  logout: { summary: '退出登录', guard: 'none' },
  password: { summary: '修改自己的密码', guard: { tightens: '修改自己的密码' } },
  redeem: { summary: '用一次性链接设置密码', guard: 'none' },
  kick: { summary: '结束会话', target: 'session', reason: 'optional', guard: { tightens: '结束会话' } },
  kickOthers: { summary: '结束自己的其他会话', reason: 'optional', guard: { tightens: '结束会话' } },
} as const satisfies ActionTable;

export const sessionFacts = {
  actions: sessionActions,
  targets: { session: { label: '会话', path: '/session?id={id}' } },
  notifications: {
    'session.reused': { label: '登录会话因旧令牌被再次使用而结束', rings: true },
    'session.password': { label: '您的登录密码已变更', rings: true },
    'session.factor': { label: '您的验证码或通行密钥已变更', rings: true },
    'session.link': { label: '您的企业账号关联已变更', rings: true },
    'session.signingKey': { label: '您的账号登记了用于签名的密钥', rings: true },
  },
} as const satisfies NounFacts;
