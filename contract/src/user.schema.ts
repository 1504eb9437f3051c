import { type Static, Type } from '@sinclair/typebox';
import {
  Account,
  Id,
  Int,
  Ms,
  Nullable,
  Password,
  Reason,
  Signed,
  Strict,
  Switch,
  Text,
  endpoint,
  listEndpoint,
  page,
} from './schema.ts';
import { user } from './user.ts';

const Row = Type.Object({
  id: Id,
  userId: Id,
  account: Type.String(),
  agent: Type.String({ description: 'account of the direct agent' }),
  agentRoot: Type.String({ description: 'account of the ancestor directly below the admin' }),
  remark: Type.String(),
  state: Switch,
  trade: Switch,
  ieoBuy: Switch,
  ieoSell: Switch,
  ai: Switch,
  winType: Switch,
  winRate: Nullable(Signed),
  auth: Int,
  valuation: Nullable(Signed),
  createdAt: Ms,
  updatedAt: Ms,
  lastLoginAt: Nullable(Ms),
  lastLoginIp: Nullable(Type.String()),
});
export type UserRow = Static<typeof Row>;

const Add = Strict({
  account: Account,
  password: Password,
  agent: Type.Optional(Text(64)),
  remark: Type.Optional(Text(200)),
  reason: Type.Optional(Reason),
});
export type UserAdd = Static<typeof Add>;

const AssetQuery = Strict({ id: Id, platform: Type.Optional(Type.Integer({ minimum: 1, maximum: 4 })) });
export type AssetInput = Static<typeof AssetQuery>;

export const Asset = Type.Object({
  marketId: Id,
  marketName: Type.String(),
  platform: Int,
  active: Signed,
  frozen: Signed,
  total: Signed,
  valuation: Nullable(Signed),
});
export type AssetRow = Static<typeof Asset>;

export const userEndpoints = {
  list: listEndpoint(user.list, page(Row)),
  add: endpoint(user.add, Add, Row),
  asset: endpoint(user.asset, AssetQuery, Type.Array(Asset)),
};
