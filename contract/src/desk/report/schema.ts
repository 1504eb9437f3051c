import { type Static, Type } from '@sinclair/typebox';
import {
  Account,
  Id,
  Int,
  Ms,
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
  operator: Type.String(),
  reason: Type.String(),
  createdAt: Ms,
  updatedAt: Ms,
});
export type LiabilityRow = Static<typeof Liability>;

const Make = Strict({ reason: Type.Optional(Reason) });
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

export const reportSchemas = {
  fund: { output: pageWithSums(FundDay, FundDaySums) },
  fetchCurrentFunds: { input: ByAgent, output: Current },
  work: { output: page(Work) },
  reviews: { output: page(ReviewTime) },
  liability: { output: page(Liability) },
  make: { input: Make, output: Liability },
  proof: { input: ProofInput, output: LiabilityProof },
};
