import { type Static, Type } from '@sinclair/typebox';
import { PROOF_FILES_MAX, PROOF_FILE_NAME_MAX } from '../../wire/input-values.ts';
import {
  Account,
  Id,
  IdInput,
  IdOrZero,
  Int,
  Ms,
  Name,
  Nullable,
  Reason,
  AnswerAmount,
  Strict,
  coinSum,
  page,
  pageWithSums,
} from '../../wire/schema.ts';

/** Inflow and outflow by kind of business; both are positive. */
const flows = {
  rechargeIn: AnswerAmount,
  rechargeOut: AnswerAmount,
  withdrawIn: AnswerAmount,
  withdrawOut: AnswerAmount,
  transferIn: AnswerAmount,
  transferOut: AnswerAmount,
  adjustIn: AnswerAmount,
  adjustOut: AnswerAmount,
  spotIn: AnswerAmount,
  spotOut: AnswerAmount,
  feeIn: AnswerAmount,
  feeOut: AnswerAmount,
  futureIn: AnswerAmount,
  futureOut: AnswerAmount,
  secondIn: AnswerAmount,
  secondOut: AnswerAmount,
  ieoIn: AnswerAmount,
  ieoOut: AnswerAmount,
  followIn: AnswerAmount,
  followOut: AnswerAmount,
  corporateIn: AnswerAmount,
  corporateOut: AnswerAmount,
  moveIn: AnswerAmount,
  moveOut: AnswerAmount,
};

const Day = Type.String({ description: 'YYYY-MM-DD in the report zone' });

const Hours = Type.Number({
  description: 'length of the day: 23 to 25 when clocks change, 24 to 49 when the report zone changed',
});

const FundDay = Type.Object({
  id: Type.Integer({ description: 'position in this report; it has no meaning elsewhere' }),
  day: Day,
  hours: Hours,
  agentId: Id,
  agent: Type.String(),
  part: Int,
  marketId: Id,
  marketName: Type.String(),
  opening: AnswerAmount,
  in: AnswerAmount,
  out: AnswerAmount,
  closing: AnswerAmount,
  balanced: Type.Integer({ description: '1 if opening + in - out = closing exactly' }),
  ...flows,
  createdAt: Type.Integer({ description: 'start of the day, unix milliseconds' }),
});
export type FundDayRow = Static<typeof FundDay>;

const FundDaySums = coinSum({ in: AnswerAmount, out: AnswerAmount, ...flows });
export type FundDaySum = Static<typeof FundDaySums>;

const ByAgent = Strict({ agent: Type.Optional(Account) });
export type ReportAgent = Static<typeof ByAgent>;

const Current = Type.Object({
  zone: Type.String({ description: 'the report zone, which decides where days begin' }),
  today: Day,
  agent: Type.String(),
  coins: Type.Array(
    Type.Object({
      marketId: Id,
      marketName: Type.String(),
      closing: Type.String({ description: 'closing balance of today in the report' }),
      ledger: Type.String({ description: "sum of the users' accounts in the ledger" }),
      same: Type.Boolean(),
    }),
  ),
});
export type CurrentFunds = Static<typeof Current>;

const Amount = Type.Object({ action: Type.String(), marketName: Type.String(), amount: AnswerAmount });
export type WorkAmount = Static<typeof Amount>;

const Work = Type.Object({
  id: Type.Integer({ description: 'position in this report; it has no meaning elsewhere' }),
  day: Type.String({ description: 'YYYY-MM-DD in the report zone, or first and last day' }),
  hours: Type.Number({ description: 'length of the day, or of all days' }),
  operatorId: Id,
  operator: Type.String(),
  decided: Int,
  median: Nullable(
    Type.Integer({ description: 'milliseconds from request to decision; an observed value, not interpolated' }),
  ),
  p95: Nullable(Type.Integer({ description: 'milliseconds; an observed value, not interpolated' })),
  withdrawPass: Int,
  withdrawReject: Int,
  withdrawLater: Int,
  recharge: Int,
  authPass: Int,
  authReject: Int,
  ieoPass: Int,
  ieoReject: Int,
  approvalPass: Int,
  approvalReject: Int,
  adjust: Int,
  order: Int,
  announce: Int,
  other: Int,
  asked: Int,
  amounts: Type.Array(Amount),
  logins: Int,
  denied: Int,
  createdAt: Ms,
});
export type WorkRow = Static<typeof Work>;

const Duration = Nullable(Type.Integer({ description: 'milliseconds; an observed value, not interpolated' }));
const ReviewTime = Type.Object({
  id: Type.Integer({ description: 'position in this report; it has no meaning elsewhere' }),
  day: Type.String({ description: 'YYYY-MM-DD in the report zone' }),
  hours: Hours,
  queue: Type.String({ description: 'key of the review queue' }),
  operatorId: Id,
  operator: Type.String(),
  decided: Int,
  late: Type.Integer({ description: 'decided after more than the present target time of the queue' }),
  waitP50: Duration,
  waitP90: Duration,
  workP50: Duration,
  workP90: Duration,
  createdAt: Ms,
});
export type ReviewTimeRow = Static<typeof ReviewTime>;

const CoinBalance = Type.Object({ marketName: Type.String(), amount: Type.String() });
const CoinAndLedger = Type.Object({ marketName: Type.String(), amount: Type.String(), ledger: Type.String() });

const Liability = Type.Object({
  id: Id,
  state: Int,
  at: Nullable(Ms),
  users: Int,
  done: Type.Integer({ description: 'users hashed so far' }),
  root: Type.String(),
  totals: Type.Array(CoinAndLedger, { description: 'sums of the root, each with what the house holds for its users' }),
  matches: Nullable(Int),
  entry: Nullable(
    Type.Integer({ description: 'the last ledger entry that is included; null for proofs of earlier releases' }),
  ),
  operator: Type.String(),
  reason: Type.String(),
  createdAt: Ms,
  updatedAt: Ms,
});
export type LiabilityRow = Static<typeof Liability>;

const SignatureFile = Strict({
  name: Name(PROOF_FILE_NAME_MAX),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});
export type SignatureFile = Static<typeof SignatureFile>;

const Make = Strict({
  reason: Type.Optional(Reason),
  files: Type.Optional(
    Type.Array(SignatureFile, {
      maxItems: PROOF_FILES_MAX,
      uniqueItems: true,
      description: 'files with ownership signatures of wallets, which the statement of assets lists by their SHA-256',
    }),
  ),
});
export type LiabilityMakeInput = Static<typeof Make>;
const ProofInput = Strict({ id: Id, userId: Id });
export type LiabilityProofInput = Static<typeof ProofInput>;

/** The input of scripts/verify-liability.mjs. docs/liability.md describes the hashing. */
export const LiabilityProof = Type.Object({
  format: Type.Literal('hengtai.liability'),
  version: Type.Integer(),
  id: Id,
  at: Ms,
  users: Int,
  index: Int,
  account: Type.String(),
  salt: Type.String(),
  balances: Type.Array(CoinBalance),
  path: Type.Array(Type.Object({ hash: Type.String(), sums: Type.Array(Type.String()) })),
  totals: Type.Array(CoinBalance),
  root: Type.String(),
});
export type LiabilityProof = Static<typeof LiabilityProof>;

const SignedBy = {
  key: Type.String({ description: 'public key, Ed25519, as SPKI in base64' }),
  signature: Type.String({ description: 'Ed25519 in base64' }),
};
const Moment = { id: Id, at: Ms, entry: Type.Integer({ description: 'the last ledger entry that is included' }) };

const Holding = Type.Object({
  marketName: Type.String(),
  network: Type.String(),
  wallets: Type.Integer({ description: 'number of wallets' }),
  wallet: Nullable(Type.String({ description: "the platform's id of the wallet; null in a sum" })),
  address: Nullable(Type.String()),
  memo: Nullable(Type.String()),
  amount: AnswerAmount,
  block: Nullable(Type.Integer({ description: 'of the reading; in a sum the lowest' })),
  readAt: Type.Integer({ description: 'time of the reading, unix milliseconds; in a sum the earliest' }),
});
export type Holding = Static<typeof Holding>;

/** The input of scripts/verify-solvency.mjs. docs/liability.md describes the signed texts. */
const Solvency = Type.Object({
  format: Type.Literal('hengtai.solvency'),
  version: Type.Integer(),
  liabilities: Type.Object({
    ...Moment,
    users: Int,
    totals: Type.Array(CoinBalance),
    root: Type.String(),
    ...SignedBy,
  }),
  assets: Type.Object({
    ...Moment,
    coins: Type.Array(
      Type.Object({
        marketName: Type.String(),
        held: Nullable(
          Type.String({ description: 'null: a platform with balances of this coin has no wallet with a reading' }),
        ),
      }),
    ),
    holdings: Type.Array(Holding),
    files: Type.Array(SignatureFile),
    ...SignedBy,
  }),
});
export type Solvency = Static<typeof Solvency>;

const LeavesInput = Strict({ id: Id, after: Type.Optional(IdOrZero) });
/** `after` is `next` of the page before. */
export type ProofLeavesInput = Static<typeof LeavesInput>;
const Leaves = Type.Object({
  leaves: Type.Array(Type.Object({ index: Int, owner: Type.String(), amounts: Type.Array(Type.String()) })),
  next: Nullable(Type.Integer()),
});
export type ProofLeaves = Static<typeof Leaves>;

export const reportSchemas = {
  fund: { output: pageWithSums(FundDay, FundDaySums) },
  fetchCurrentFunds: { input: ByAgent, output: Current },
  work: { output: page(Work) },
  reviews: { output: page(ReviewTime) },
  liability: { output: page(Liability) },
  make: { input: Make, output: Liability },
  proof: { input: ProofInput, output: LiabilityProof },
  solvency: { input: IdInput, output: Solvency },
  leaves: { input: LeavesInput, output: Leaves },
};
