import type { HandlersOf } from '../resources.ts';
import { userAdd, userAsset } from './user.service.ts';
import { listUsers } from './user.store.ts';

export const userRoutes: HandlersOf<'user'> = { list: listUsers, add: userAdd, asset: userAsset };
