import { type Static, Type } from '@sinclair/typebox';
import { auditRowSchema } from '../../house/audit/schema.ts';
import {
  Account,
  Id,
  Ids,
  Int,
  Ms,
  Nullable,
  Password,
  Reason,
  Strict,
  Switch,
  Text,
  page,
  ActionInput,
  IdInput,
  ReasonInput,
} from '../../wire/schema.ts';

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
  otp: Switch,
});
export type AgentRow = Static<typeof Row>;

const AbilityHolders = Type.Object({
  ability: Type.Integer(),
  agents: Type.Integer({ description: 'how many agents' }),
});
export type AgentAbilityHolders = Static<typeof AbilityHolders>;

const Detail = Type.Object({
  row: Row,
  path: Type.Array(Type.Object({ id: Id, account: Type.String() }), {
    description: 'from the topmost agent that the caller may see down to this one',
  }),
  changeable: Type.Boolean({ description: 'whether the agent is below the caller, so that the caller may change it' }),
  grants: Type.Array(
    Type.Object({
      ability: Type.Integer(),
      by: Nullable(Type.String({ description: 'account of the grantor; null if unknown' })),
      at: Nullable(Ms),
    }),
  ),
  below: Type.Array(AbilityHolders, { description: 'for each ability, how many agents below hold it' }),
  workingBelow: Type.Integer({ description: 'agents below that are enabled' }),
  children: Type.Integer({ description: 'agents directly below' }),
  ownUsers: Type.Integer({ description: 'users directly below' }),
  oidc: Nullable(
    Type.Object(
      {
        issuer: Type.String({ description: 'address of the identity provider' }),
        subject: Nullable(Type.String({ description: 'the linked account there' })),
        by: Nullable(Type.String({ description: 'account of who linked it; null if it was linked on the host' })),
        at: Nullable(Ms),
        passwordUntil: Nullable(Type.Integer({ description: 'the host allows the password until then' })),
      },
      { description: 'null if no identity provider is configured' },
    ),
  ),
  sessions: Type.Integer({ description: 'active sessions' }),
  approvals: Type.Object({
    made: Type.Integer({ description: 'open approvals that the agent requested' }),
    about: Type.Integer({ description: 'open approvals that target the agent' }),
  }),
  audits: Type.Array(auditRowSchema),
  auditsShown: Type.Boolean({ description: 'whether the caller may see the audit log; if not, audits is empty' }),
});
export type AgentDetail = Static<typeof Detail>;

const Find = Strict({ account: Account });
export type AgentFind = Static<typeof Find>;
const Found = Type.Object({ id: Id, account: Type.String() });
export type AgentFound = Static<typeof Found>;

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

const NewPassword = Strict({ id: Id, password: Password, reason: Type.Optional(Reason) });
export type AgentPassword = Static<typeof NewPassword>;

const OidcLink = Strict({
  id: Id,
  subject: Nullable(
    Type.String({
      pattern: '^[\\x21-\\x7e]{1,255}$',
      description: 'claim sub of the account at the identity provider',
    }),
  ),
  reason: Type.Optional(Reason),
});
export type AgentOidcLink = Static<typeof OidcLink>;

const Remark = Strict({ id: Id, remark: Text(200), reason: Type.Optional(Reason) });
export type AgentRemark = Static<typeof Remark>;

const RootInput = Strict({ agentId: Ids });
export type AgentRootInput = Static<typeof RootInput>;
const Root = Type.Object({ agentId: Id, root: Nullable(Id), rootAccount: Nullable(Type.String()) });
export type AgentRoot = Static<typeof Root>;

const Parent = Strict({ id: Id, parent: Account, reason: Type.Optional(Reason) });
export type AgentParent = Static<typeof Parent>;

const movedFields = {
  agents: Type.Integer({ description: 'agents that move with it, in the whole subtree' }),
  users: Type.Integer({ description: 'users of the whole subtree' }),
  lost: Type.Array(AbilityHolders, { description: 'abilities that moving agents hold and their new parent does not' }),
  refusal: Nullable(Type.String({ description: 'why the call would be refused now' })),
};
const MovePreview = Type.Object({
  ...movedFields,
  path: Type.Array(Type.String(), {
    description: 'accounts from the topmost agent that the caller may see down to this one',
  }),
  newPath: Type.Array(Type.String()),
});
export type AgentMovePreview = Static<typeof MovePreview>;

const Del = Strict({ deleteId: Id, replaceAccount: Account, reason: Type.Optional(Reason) });
export type AgentDel = Static<typeof Del>;
const DelPreview = Type.Object({
  ...movedFields,
  ownUsers: Type.Integer({ description: 'users directly below the agent' }),
  children: Type.Array(Type.String(), { description: 'accounts of the agents directly below it' }),
  waiting: Type.Array(Type.Object({ text: Type.String(), count: Int }), {
    description: 'open records of its own users; they continue under the replacement',
  }),
  second: Type.Boolean({ description: 'whether the call would need a second person' }),
});
export type AgentDelPreview = Static<typeof DelPreview>;

export const agentSchemas = {
  list: { output: page(Row) },
  detail: { input: IdInput, output: Detail },
  find: { input: Find, output: Found },
  add: { input: Add, output: Row },
  state: { input: State, output: Row },
  ieoReviewOpen: { input: ActionInput, output: Row },
  ieoReviewClose: { input: ActionInput, output: Row },
  pwdUpdate: { input: NewPassword, output: Row },
  otpReset: { input: ReasonInput, output: Row },
  oidcLink: { input: OidcLink, output: Row },
  remark: { input: Remark, output: Row },
  root: { input: RootInput, output: Type.Array(Root) },
  parentPreview: { input: Parent, output: MovePreview },
  parentChange: { input: Parent, output: Row },
  delPreview: { input: Del, output: DelPreview },
  del: { input: Del, output: Row },
};
