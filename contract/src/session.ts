import { call } from './endpoint.ts';
import type { LoginData, LoginInput, Me, Nothing, PasswordInput } from './session.schema.ts';

/** A session slides: it ends this long after its last use. */
export const SESSION_MINUTES = 115;
/** A token older than this is answered with its successor. */
export const TOKEN_RENEW_MINUTES = 10;
/** The old token stays good this long after its successor was first used. */
export const TOKEN_OVERLAP_SECONDS = 60;
/** No session lives longer, however busy. */
export const SESSION_ABSOLUTE_HOURS = 24;
/** Wrong guesses that one account takes in an hour from unknown devices. */
export const LOGIN_TRIES_PER_HOUR = 20;

export const LOGIN_DONE = '登录成功';
export const PASSWORD_CHANGED = '密码修改成功，请重新登录';

export const session = {
  login: call<LoginInput, LoginData>()({
    method: 'POST',
    path: 'login',
    summary: '登录',
    kind: 'session',
    public: true,
  }),
  logout: call<Nothing, null>()({ method: 'POST', path: 'logout', summary: '退出登录', kind: 'session' }),
  me: call<Nothing, Me>()({ method: 'GET', path: 'me', summary: '当前操作员', kind: 'session' }),
  password: call<PasswordInput, null>()({
    method: 'POST',
    path: 'pwd_update',
    summary: '修改自己的密码',
    kind: 'session',
  }),
};
