import { type Static, Type } from '@sinclair/typebox';
import { auditRowSchema } from '../../house/audit/schema.ts';
import { followRowSchema } from '../../trading/follow/schema.ts';
import { ledgerEntryRowSchema } from '../../funds/ledger-entry/schema.ts';
import { futureRowSchema } from '../../trading/future/schema.ts';
import { ieoRowSchema } from '../../trading/ieo/schema.ts';
import { transferRowSchema } from '../../funds/internal-transfer/schema.ts';
import { rechargeRowSchema } from '../../funds/recharge/schema.ts';
import { binaryContractRowSchema } from '../../trading/binary-contract/schema.ts';
import {
  Account,
  Amount,
  BulkResult,
  FilledText,
  IGNORED_WHEN,
  Id,
  Ids,
  type IgnoredWhen,
  Int,
  Ms,
  Nullable,
  Password,
  Reason,
  AnswerAmount,
  Strict,
  Switch,
  Text,
  page,
  ActionInput,
  BulkInput,
  IdInput,
} from '../../wire/schema.ts';
import { spotRowSchema } from '../../trading/spot/schema.ts';
import { withdrawRowSchema } from '../../funds/withdraw/schema.ts';

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
  winRate: Nullable(AnswerAmount),
  auth: Int,
  userGroup: Nullable(Type.String({ description: 'group for limits of withdrawals' })),
  valuation: Nullable(AnswerAmount),
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
  active: AnswerAmount,
  frozen: AnswerAmount,
  total: AnswerAmount,
  valuation: Nullable(AnswerAmount),
});
export type AssetRow = Static<typeof Asset>;

const NewPassword = Strict({ id: Id, password: Password, reason: Type.Optional(Reason) });
export type UserPassword = Static<typeof NewPassword>;
const IeoBuy = Strict({ id: Id, state: Switch, reason: Type.Optional(Reason) });
export type UserIeoBuy = Static<typeof IeoBuy>;
const Ai = Strict({ userId: Id, state: Switch, reason: Type.Optional(Reason) });
export type UserAi = Static<typeof Ai>;
const Tier = Strict({
  id: Id,
  winType: Switch,
  winRate: Type.Optional(
    Type.Union([Type.String({ ...Amount, description: 'payout in percent, 1 to 100' }), Type.Null()], {
      [IGNORED_WHEN]: { field: 'winType', value: 0 } satisfies IgnoredWhen,
    }),
  ),
  reason: Type.Optional(Reason),
});
export type UserTier = Static<typeof Tier>;
const ToAgent = Strict({ userId: Id, agent: Account, reason: Type.Optional(Reason) });
export type UserAgent = Static<typeof ToAgent>;
const ToAgentBulk = Strict({ ids: Ids, agent: Account, reason: Type.Optional(Reason) });
export type UserAgentBulk = Static<typeof ToAgentBulk>;
const Remark = Strict({ id: Id, remark: Text(200), reason: Type.Optional(Reason) });
export type UserRemark = Static<typeof Remark>;
const NewNote = Strict({ id: Id, text: FilledText(500), reason: Type.Optional(Reason) });
export type UserNote = Static<typeof NewNote>;
const BalanceQuery = Strict({
  id: Id,
  at: Ms,
  platform: Type.Optional(Type.Integer({ minimum: 1, maximum: 4 })),
});
export type UserBalance = Static<typeof BalanceQuery>;

const Link = Type.Object({
  url: Type.String({ description: "address of the platform's site: read-only, usable once" }),
  expire: Ms,
});
export type UserLink = Static<typeof Link>;

const Deleted = Type.Object({ id: Id, account: Type.String(), deletedAt: Ms });
export type UserDeleted = Static<typeof Deleted>;

/** One reason why a user cannot be deleted. A refused deletion answers with all reasons. */
const Open = Type.Object({
  what: Type.String({ description: 'a key of userOpenKinds' }),
  text: Type.String({ description: 'Chinese text for the screen' }),
});
export type UserOpen = Static<typeof Open>;

const Note = Type.Object({
  id: Id,
  userId: Id,
  account: Type.String(),
  text: Type.String(),
  by: Type.String({ description: "-- if the operator is outside the caller's tree" }),
  createdAt: Ms,
});
export type NoteRow = Static<typeof Note>;

const Money = Nullable(AnswerAmount);
const Detail = Type.Object({
  row: Row,
  assets: Type.Array(Asset),
  totals: Type.Object(
    {
      recharge: Money,
      rechargeCount: Int,
      withdraw: Money,
      withdrawCount: Int,
      net: Money,
    },
    { description: 'credited recharges, paid withdrawals and their difference, in USDT at the last prices' },
  ),
  deposits: Type.Array(
    Type.Object({
      marketId: Id,
      marketName: Type.String(),
      recharge: AnswerAmount,
      withdraw: AnswerAmount,
      net: AnswerAmount,
    }),
  ),
  recharges: Type.Array(rechargeRowSchema),
  withdraws: Type.Array(withdrawRowSchema),
  ieos: Type.Array(ieoRowSchema),
  funds: Type.Array(ledgerEntryRowSchema),
  transfers: Type.Array(transferRowSchema),
  trades: Type.Array(spotRowSchema),
  contracts: Type.Array(binaryContractRowSchema),
  futures: Type.Array(futureRowSchema),
  follows: Type.Array(followRowSchema),
  logins: Type.Array(Type.Object({ id: Id, ip: Type.String(), device: Nullable(Type.String()), at: Ms })),
  devices: Type.Array(
    Type.Object({
      device: Nullable(Type.String()),
      times: Int,
      firstAt: Ms,
      lastAt: Ms,
      lastIp: Type.String(),
    }),
    { description: 'devices of the stored logins; null: not reported by the platform' },
  ),
  credentials: Type.Array(Type.Object({ kind: Type.String(), at: Ms })),
  notes: Type.Array(Note),
  audits: Type.Array(auditRowSchema),
  auditsShown: Type.Boolean({ description: 'whether the caller may see the audit log; if not, audits is empty' }),
  deletable: Type.Boolean(),
  open: Type.Array(Open, { description: 'reasons why the user cannot be deleted' }),
});
export type UserDetail = Static<typeof Detail>;

export const userSchemas = {
  list: { output: page(Row) },
  add: { input: Add, output: Row },
  asset: { input: AssetQuery, output: Type.Array(Asset) },
  detail: { input: IdInput, output: Detail },
  balance: { input: BalanceQuery, output: Type.Array(Asset) },
  noteList: { output: page(Note) },
  noteAdd: { input: NewNote, output: Note },
  remark: { input: Remark, output: Row },
  pwdUpdate: { input: NewPassword, output: Row },
  enable: { input: ActionInput, output: Row },
  disable: { input: ActionInput, output: Row },
  enableMany: { input: BulkInput, output: BulkResult },
  disableMany: { input: BulkInput, output: BulkResult },
  tradeOpen: { input: ActionInput, output: Row },
  tradeClose: { input: ActionInput, output: Row },
  ieoBuy: { input: IeoBuy, output: Row },
  ieoSellOpen: { input: ActionInput, output: Row },
  ieoSellClose: { input: ActionInput, output: Row },
  ai: { input: Ai, output: Row },
  second: { input: Tier, output: Row },
  token: { input: ActionInput, output: Link },
  agentChange: { input: ToAgent, output: Row },
  agentChangeMany: { input: ToAgentBulk, output: BulkResult },
  del: { input: ActionInput, output: Deleted },
};
