import type { HandlersOf } from '../resources.ts';
import { login } from './login.service.ts';
import { listSessions } from './session-list.store.ts';
import { changePassword, logout, me, sessionKick, sessionKickOthers } from './session.service.ts';

export const sessionRoutes: HandlersOf<'session'> = {
  login,
  logout,
  me,
  password: changePassword,
  list: listSessions,
  kick: sessionKick,
  kickOthers: sessionKickOthers,
};
