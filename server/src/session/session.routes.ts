import type { HandlersOf } from '../resources.ts';
import { changePassword, login, logout, me } from './session.service.ts';

export const sessionRoutes: HandlersOf<'session'> = { login, logout, me, password: changePassword };
