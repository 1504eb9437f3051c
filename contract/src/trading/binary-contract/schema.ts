import { type Static, Type } from '@sinclair/typebox';
import {
  Amount,
  BulkResult,
  Id,
  IdOrZero,
  Ids,
  Int,
  Ms,
  EmptyInput,
  Nullable,
  PositiveAmount,
  Reason,
  AnswerAmount,
  Strict,
  Switch,
  coinSum,
  page,
  pageWithSums,
  ActionInput,
  IdInput,
  marketRecord,
  recordApproval,
} from '../../wire/schema.ts';
import { BINARY_CONTRACT_LENGTH_MAX, BINARY_CONTRACT_VOID } from '../../wire/input-values.ts';
import { LedgerLine } from '../../funds/withdraw/schema.ts';

const ConfigRow = Type.Object({
  id: Id,
  marketId: Type.Integer({ minimum: 0, description: '0: for every market without settings of its own' }),
  marketName: Type.String(),
  seconds: Int,
  payoutRate: Type.String({ description: 'percent of the stake' }),
  minAmount: Type.String({ description: 'in USDT' }),
  maxAmount: Type.String({ description: 'in USDT; 0 for no limit' }),
  sort: Int,
  state: Int,
  running: Type.Integer({ description: "open contracts of the caller's tree that use this setting" }),
  version: Int,
  by: Nullable(Type.String({ description: "null if the operator is outside the caller's tree" })),
  createdAt: Ms,
  updatedAt: Ms,
});
export type BinaryContractConfigRow = Static<typeof ConfigRow>;

const ConfigSettings = Type.Object({
  marketId: IdOrZero,
  seconds: Type.Integer({ minimum: 1, maximum: BINARY_CONTRACT_LENGTH_MAX }),
  payoutRate: PositiveAmount,
  minAmount: PositiveAmount,
  maxAmount: Amount,
  sort: Type.Integer({ minimum: 0, maximum: 9_999 }),
  state: Switch,
});
/** The fields that an operator sets. */
export type BinaryContractConfigSettings = Static<typeof ConfigSettings>;

const ConfigVersion = Type.Object({
  version: Int,
  ...ConfigSettings.properties,
  marketName: Type.String(),
  by: Nullable(Type.String({ description: "null if the operator is outside the caller's tree" })),
  createdAt: Ms,
});
export type BinaryContractConfigVersion = Static<typeof ConfigVersion>;

const ConfigDetail = Type.Object({
  /** Null if it was deleted. */
  row: Nullable(ConfigRow),
  versions: Type.Array(ConfigVersion, { description: 'latest first' }),
});
export type BinaryContractConfigDetail = Static<typeof ConfigDetail>;

/** Omitted fields stay unchanged. A new setting needs seconds, payoutRate and minAmount. */
const ConfigSave = Strict({
  id: Type.Optional(Id),
  ...Type.Partial(ConfigSettings).properties,
  version: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'version that was read; 409 if the setting changed since',
    }),
  ),
  reason: Type.Optional(Reason),
});
export type BinaryContractConfigSave = Static<typeof ConfigSave>;

const Row = Type.Object({
  ...marketRecord,
  side: Int,
  seconds: Int,
  amount: Type.String({ description: 'the stake in USDT' }),
  payoutRate: Type.String({ description: 'percent, fixed when the contract was opened' }),
  tier: Type.Integer({ description: "0: the setting's rate; 1: the user's own" }),
  payout: Type.String({ description: 'profit of a win in USDT, fixed when the contract was opened' }),
  openPrice: Nullable(Type.String({ description: 'null until the first tick at or after openAt' })),
  openTick: Nullable(Id),
  closePrice: Nullable(Type.String()),
  closeTick: Nullable(Id),
  state: Int,
  type: Int,
  profit: Nullable(
    Type.String({ description: 'signed, in USDT; null while the contract is open and if it was voided' }),
  ),
  openAt: Ms,
  settleAt: Ms,
  settledAt: Nullable(Ms),
  reason: Type.String(),
  by: Nullable(Type.String({ description: 'operator who voided it; null if the settlement did' })),
  secondBy: Nullable(Type.String()),
  createdAt: Ms,
  updatedAt: Ms,
});
export type BinaryContractRow = Static<typeof Row>;
export { Row as binaryContractRowSchema };

const Sum = coinSum({ amount: AnswerAmount, payout: AnswerAmount, profit: AnswerAmount });
export type BinaryContractSum = Static<typeof Sum>;

const voidFields = {
  state: Type.Union(
    [0, 1, 2].map((state) => Type.Literal(state)),
    { description: 'expected state of the contract; only an open one can be voided' },
  ),
  type: Type.Literal(BINARY_CONTRACT_VOID),
  reason: Type.Optional(Reason),
};
const Void = Strict({ id: Id, ...voidFields });
export type BinaryContractVoid = Static<typeof Void>;
const VoidBulk = Strict({ ids: Ids, ...voidFields });
export type BinaryContractVoidBulk = Static<typeof VoidBulk>;

const Tick = Type.Object({
  id: Id,
  price: AnswerAmount,
  at: Ms,
  recordedAt: Ms,
});
export type BinaryContractTick = Static<typeof Tick>;

/** The terms that decide the outcome together with the opening and closing ticks. */
const Terms = Type.Object({
  rule: Int,
  ruleText: Type.String(),
  toleranceMs: Int,
  configId: Id,
  configVersion: Int,
  recordedAt: Type.Integer({ description: 'arrival of the event, unix milliseconds' }),
});

const Entry = Type.Object({
  id: Id,
  platform: Int,
  bucket: Type.String(),
  type: Int,
  amount: AnswerAmount,
  balance: AnswerAmount,
  createdAt: Ms,
});

const Detail = Type.Object({
  row: Row,
  terms: Terms,
  ticks: Type.Object({
    beforeOpen: Nullable(Tick),
    open: Nullable(Tick),
    beforeClose: Nullable(Tick),
    close: Nullable(Tick),
  }),
  entries: Type.Array(Entry, { description: "the user's ledger entries of this contract, oldest first" }),
  preview: Type.Array(LedgerLine, { description: 'ledger lines that voiding would post now' }),
  commands: Type.Array(Type.Object({ id: Id, type: Type.String(), state: Int, createdAt: Ms, doneAt: Nullable(Ms) })),
  closing: Type.Boolean({
    description: 'whether the closing price is recorded, after which the contract cannot be voided',
  }),
  approval: Type.Object({
    needed: Type.Boolean({ description: 'whether voiding needs a second person under the current policy' }),
    ...recordApproval,
  }),
  now: Ms,
});
export type BinaryContractDetail = Static<typeof Detail>;

const Evidence = Type.Object({
  product: Type.String(),
  madeAt: Ms,
  madeBy: Type.String(),
  contract: Row,
  terms: Terms,
  ticks: Type.Array(Tick, {
    description: 'ticks of the market from the one before the opening to the closing one, in order',
  }),
  ticksLeftOut: Type.Integer({
    description: 'number of omitted ticks between the opening and the closing; they do not affect the outcome',
  }),
  entries: Type.Array(Entry),
  recomputed: Type.Object({
    openTick: Nullable(Id),
    closeTick: Nullable(Id),
    state: Int,
    type: Int,
    profit: Nullable(AnswerAmount),
    matches: Type.Boolean(),
  }),
  sha256: Type.String({ description: 'SHA-256 of the compact JSON of all fields above' }),
});
export type BinaryContractEvidence = Static<typeof Evidence>;

const side = {
  count: Int,
  amount: AnswerAmount,
  payout: AnswerAmount,
};
const Side = Type.Object(side);
const exposure = {
  marketId: Id,
  marketName: Type.String(),
  up: Side,
  down: Side,
  risk: Type.String({
    description: 'largest net payout of the house: payouts less the stakes it wins in that case, at least 0',
  }),
  alert: Type.Boolean(),
};
const Risk = Type.Object({
  now: Type.Integer({ description: "the server's clock, unix milliseconds" }),
  thresholds: Type.Object({ expiry: AnswerAmount, market: AnswerAmount }),
  markets: Type.Array(
    Type.Object({
      ...exposure,
      price: Nullable(AnswerAmount),
      priceAt: Nullable(Ms),
      overdue: Type.Integer({ description: 'contracts past their end and the tolerance that still have no tick' }),
    }),
  ),
  expiries: Type.Array(Type.Object({ ...exposure, settleAt: Ms }), {
    description: 'by expiry second, largest risk first',
  }),
});
export type BinaryContractRisk = Static<typeof Risk>;
export type BinaryContractExposure = BinaryContractRisk['expiries'][number];

export const binaryContractSchemas = {
  configList: { output: page(ConfigRow) },
  configDetail: { input: IdInput, output: ConfigDetail },
  configSave: { input: ConfigSave, output: ConfigRow },
  configDel: { input: ActionInput, output: ConfigRow },
  list: { output: pageWithSums(Row, Sum) },
  detail: { input: IdInput, output: Detail },
  change: { input: Void, output: Row },
  changeMany: { input: VoidBulk, output: BulkResult },
  evidence: { input: IdInput, output: Evidence },
  risk: { input: EmptyInput, output: Risk },
};
