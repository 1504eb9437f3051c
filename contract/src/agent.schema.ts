import { type Static, Type } from '@sinclair/typebox';
import { agent } from './agent.ts';
import {
  Account,
  Id,
  Int,
  Ms,
  Nullable,
  Password,
  Reason,
  Strict,
  Switch,
  Text,
  endpoint,
  listEndpoint,
  page,
} from './schema.ts';

const Row = Type.Object({
  id: Id,
  account: Type.String(),
  parent: Nullable(Id),
  parentAccount: Nullable(Type.String()),
  root: Nullable(Type.String({ description: 'account of the ancestor directly below the admin' })),
  remark: Type.String(),
  depth: Int,
  userCount: Type.Integer({ description: 'users in the whole subtree' }),
  agentCount: Type.Integer({ description: 'agents below' }),
  abilities: Type.Array(Type.Integer()),
  state: Switch,
  createdAt: Ms,
  updatedAt: Ms,
  lastLoginAt: Nullable(Ms),
  lastLoginIp: Nullable(Type.String()),
});
export type AgentRow = Static<typeof Row>;

const Add = Strict({
  account: Account,
  password: Password,
  parentAccount: Type.Optional(Text(64)),
  remark: Type.Optional(Text(200)),
  reason: Type.Optional(Reason),
});
export type AgentAdd = Static<typeof Add>;

const State = Strict({
  id: Id,
  type: Type.Integer({ minimum: 0, maximum: 13 }),
  state: Switch,
  reason: Type.Optional(Reason),
});
export type AgentState = Static<typeof State>;

export const agentEndpoints = {
  list: listEndpoint(agent.list, page(Row)),
  add: endpoint(agent.add, Add, Row),
  state: endpoint(agent.state, State, Row),
};
