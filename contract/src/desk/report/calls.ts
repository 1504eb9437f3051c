import { ABILITY } from '../../authority/ability.ts';
import { actionText } from '../../house/audit/calls.ts';
import { action, listCall, read } from '../../wire/endpoint.ts';
import type { ListColumn } from '../../wire/list.ts';
import type { IdInput } from '../../wire/schema.ts';
import { countSpecs } from '../notify/notification.ts';
import { type EntryType, canonical } from '../../values/money.ts';
import { reportActions } from './facts.ts';
import type {
  FundDayRow,
  FundDaySum,
  CurrentFunds,
  LiabilityMakeInput,
  LiabilityProof,
  LiabilityRow,
  LiabilityProofInput,
  ProofLeaves,
  ProofLeavesInput,
  ReportAgent,
  ReviewTimeRow,
  Solvency,
  WorkAmount,
  WorkRow,
} from './schema.ts';
import { type ReviewQueueKey, reviewQueueKeys } from '../queue/work-queue.ts';

/** Maximum days of a report. */
export const REPORT_DAYS_MAX = 400;
/** Days of a report without `from`. */
export const REPORT_DAYS = 30;

/** A flow without an entry type: a user moved to another agent together with its balances. */
export const FLOW_MOVE = 100;

/** Kinds of business that move money, each with its entry types. */
export const flowKinds = {
  recharge: { label: '充值', types: [1, 25] },
  withdraw: { label: '提现', types: [2, 3] },
  transfer: { label: '内部转账', types: [4, 5, 6] },
  adjust: { label: '人工调账', types: [7, 8, 9, 10] },
  spot: { label: '现货', types: [11, 12] },
  fee: { label: '手续费', types: [13, 26] },
  future: { label: '合约', types: [14, 15, 16, 17] },
  second: { label: '秒合约', types: [18, 19, 20] },
  ieo: { label: '认购', types: [21, 22, 23] },
  follow: { label: '跟单', types: [24] },
  corporate: { label: '权益调整', types: [27] },
  move: { label: '用户迁移', types: [FLOW_MOVE] },
} as const satisfies Record<string, { label: string; types: readonly (EntryType | typeof FLOW_MOVE)[] }>;
export type FlowKind = keyof typeof flowKinds;
export const FLOW_KINDS = Object.keys(flowKinds) as FlowKind[];

/** Scope of a row: an agent with its subtree, a child agent with its subtree, or the agent's own users. */
export const fundParts = { 0: '含全部下级', 1: '下级代理', 2: '本级直属用户' } as const;
const fundSplits = { 0: '合计', 1: '按下级代理' } as const;
const balanceLabels = { 1: '平衡', 0: '不平' } as const;

const flowColumns = FLOW_KINDS.flatMap((kind): ListColumn[] => [
  { field: `${kind}In`, title: `${flowKinds[kind].label}转入`, kind: 'amount' },
  { field: `${kind}Out`, title: `${flowKinds[kind].label}转出`, kind: 'amount' },
]);
export const flowFields = FLOW_KINDS.flatMap((kind) => [`${kind}In` as const, `${kind}Out` as const]);

const funds = {
  filters: [
    { field: 'agent', label: '代理', kind: 'agent', type: 'text' },
    { field: 'split', label: '展开', kind: 'eq', type: 'int', options: fundSplits },
    { field: 'marketId', label: '币种', kind: 'eq', type: 'id' },
  ],
  columns: [
    { field: 'day', title: '日期', kind: 'text' },
    { field: 'hours', title: '小时数', kind: 'count' },
    { field: 'agent', title: '代理', kind: 'agent' },
    { field: 'part', title: '范围', kind: 'state', labels: fundParts },
    { field: 'marketName', title: '币种', kind: 'text' },
    { field: 'opening', title: '期初余额', kind: 'amount' },
    { field: 'in', title: '转入合计', kind: 'amount' },
    { field: 'out', title: '转出合计', kind: 'amount' },
    { field: 'closing', title: '期末余额', kind: 'amount' },
    { field: 'balanced', title: '核对', kind: 'state', labels: balanceLabels },
    ...flowColumns,
    { field: 'createdAt', title: '当日起点', kind: 'time' },
  ] as readonly ListColumn[],
  sortable: ['opening', 'in', 'out', 'closing'],
  sums: ['in', 'out'],
} as const;

/** Kinds of work with their audit actions. A mutation that is not listed counts as `other`. */
export const workKinds = {
  withdrawPass: { label: '提现通过', actions: ['withdraw.pass'] },
  withdrawReject: { label: '提现驳回', actions: ['withdraw.reject'] },
  withdrawLater: { label: '提现后续处理', actions: ['withdraw.retry', 'withdraw.refund', 'withdraw.resolve'] },
  recharge: { label: '充值处理', actions: ['recharge.hold', 'recharge.release'] },
  authPass: { label: '实名通过', actions: ['auth.pass'] },
  authReject: { label: '实名驳回', actions: ['auth.reject'] },
  ieoPass: { label: '认购通过', actions: ['ieo.pass'] },
  ieoReject: { label: '认购驳回', actions: ['ieo.reject'] },
  approvalPass: { label: '复核通过', actions: ['approval.pass'] },
  approvalReject: { label: '复核驳回', actions: ['approval.reject'] },
  adjust: {
    label: '资产调整',
    actions: ['asset.active.add', 'asset.active.sub', 'asset.frozen.add', 'asset.frozen.sub'],
  },
  order: {
    label: '撤单与平仓',
    actions: [
      'trade.cancel',
      'trade.cancelAll',
      'future.cancel',
      'future.cancelAll',
      'future.close',
      'follow.close',
      'second.void',
    ],
  },
  announce: { label: '公告', actions: ['announce.add', 'announce.save', 'announce.del'] },
} as const satisfies Record<string, { label: string; actions: readonly string[] }>;
export type WorkKind = keyof typeof workKinds;
export const WORK_KINDS = Object.keys(workKinds) as WorkKind[];

/** Audit actions that do not count as work. */
export const ACTIONS_WITHOUT_WORK = [
  'session.login',
  'session.logout',
  'session.reused',
  'otp.fresh',
  'preference.save',
  'view.save',
  'view.del',
  'queue.absent',
] as const;

const workSplits = { 0: '按操作员合计', 1: '按操作员每日' } as const;

export const workAmountText = ({ action, marketName, amount }: WorkAmount): string =>
  `${actionText(action)} ${canonical(amount)} ${marketName}`;

/** Names of the review queues. */
export const reviewQueueLabels = Object.fromEntries(
  reviewQueueKeys.map((key) => [key, countSpecs[key].label]),
) as Readonly<Record<ReviewQueueKey, string>>;

const formatSeconds = (ms: number | null): string => (ms === null ? '' : (ms / 1_000).toFixed(1));

const works = {
  filters: [
    { field: 'operator', label: '操作员', kind: 'prefix', type: 'text' },
    { field: 'split', label: '统计', kind: 'eq', type: 'int', options: workSplits },
  ],
  columns: [
    { field: 'day', title: '日期', kind: 'text' },
    { field: 'hours', title: '小时数', kind: 'count' },
    { field: 'operator', title: '操作员', kind: 'agent' },
    { field: 'decided', title: '审核合计', kind: 'count' },
    { field: 'median', title: '等待中位数(秒)', kind: 'text', text: (row: WorkRow) => formatSeconds(row.median) },
    { field: 'p95', title: '等待 95 分位(秒)', kind: 'text', text: (row: WorkRow) => formatSeconds(row.p95) },
    ...WORK_KINDS.map((kind): ListColumn => ({ field: kind, title: workKinds[kind].label, kind: 'count' })),
    { field: 'other', title: '其他操作', kind: 'count' },
    { field: 'asked', title: '提交复核', kind: 'count' },
    {
      field: 'amounts',
      title: '金额',
      kind: 'text',
      text: (row: WorkRow) => row.amounts.map(workAmountText).join('；'),
    },
    { field: 'logins', title: '登录', kind: 'count' },
    { field: 'denied', title: '被拒绝', kind: 'count' },
    { field: 'createdAt', title: '起始时间', kind: 'time' },
  ] as readonly ListColumn[],
  sortable: ['operator', 'decided', 'median', 'p95', ...WORK_KINDS, 'other', 'asked', 'logins', 'denied'],
} as const;

const reviews = {
  filters: [
    { field: 'queue', label: '队列', kind: 'eq', type: 'text', options: reviewQueueLabels },
    { field: 'operator', label: '操作员', kind: 'prefix', type: 'text' },
  ],
  columns: [
    { field: 'day', title: '日期', kind: 'text' },
    { field: 'hours', title: '小时数', kind: 'count' },
    { field: 'queue', title: '队列', kind: 'state', labels: reviewQueueLabels },
    { field: 'operator', title: '操作员', kind: 'agent' },
    { field: 'decided', title: '处理', kind: 'count' },
    { field: 'late', title: '超时', kind: 'count' },
    {
      field: 'waitP50',
      title: '等待中位数(秒)',
      kind: 'text',
      text: (row: ReviewTimeRow) => formatSeconds(row.waitP50),
    },
    {
      field: 'waitP90',
      title: '等待 90 分位(秒)',
      kind: 'text',
      text: (row: ReviewTimeRow) => formatSeconds(row.waitP90),
    },
    {
      field: 'workP50',
      title: '处理中位数(秒)',
      kind: 'text',
      text: (row: ReviewTimeRow) => formatSeconds(row.workP50),
    },
    {
      field: 'workP90',
      title: '处理 90 分位(秒)',
      kind: 'text',
      text: (row: ReviewTimeRow) => formatSeconds(row.workP90),
    },
    { field: 'createdAt', title: '起始时间', kind: 'time' },
  ] as readonly ListColumn[],
  sortable: ['operator', 'decided', 'late', 'waitP50', 'waitP90', 'workP50', 'workP90'],
} as const;

export const LIABILITY = { waiting: 0, running: 1, done: 2, failed: 3 } as const;
export const liabilityStates = { 0: '排队中', 1: '生成中', 2: '已完成', 3: '失败' } as const;
/** Whether the root's totals equal what the house holds for its users, per coin. */
const liabilityMatch = { 1: '相符', 0: '不符' } as const;

const liabilities = {
  filters: [{ field: 'state', label: '状态', kind: 'eq', type: 'int', options: liabilityStates }],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'state', title: '状态', kind: 'state', labels: liabilityStates },
    { field: 'at', title: '快照时间', kind: 'time' },
    { field: 'users', title: '用户数', kind: 'count' },
    { field: 'root', title: '根', kind: 'hash' },
    {
      field: 'totals',
      title: '负债合计',
      kind: 'text',
      text: (row: LiabilityRow) => row.totals.map(({ marketName, amount }) => `${amount} ${marketName}`).join('；'),
    },
    { field: 'matches', title: '与账本', kind: 'state', labels: liabilityMatch },
    { field: 'entry', title: '最后一笔账目', kind: 'count' },
    { field: 'operator', title: '操作员', kind: 'operator' },
    { field: 'reason', title: '说明', kind: 'text' },
    { field: 'createdAt', title: '提交时间', kind: 'time' },
    { field: 'updatedAt', title: '更新时间', kind: 'time' },
  ] as readonly ListColumn[],
} as const;

export const report = {
  fund: listCall<FundDayRow, FundDaySum>()('report/fund/list', '每日资金报表', funds),
  /** The current balances of the tree in the report, compared with the ledger's accounts. */
  fetchCurrentFunds: read<ReportAgent, CurrentFunds>()('report/fund/now', '资金报表与账本核对'),
  // The report is computed from the audit log.
  work: listCall<WorkRow>()('report/work/list', '操作员工作报表', works, { ability: ABILITY.audit }),
  /** How long records waited and were worked on, from the audit log and the claims. */
  reviews: listCall<ReviewTimeRow>()('report/review/list', '审核时效报表', reviews, { ability: ABILITY.audit }),
  liability: listCall<LiabilityRow>()('report/liability/list', '负债证明', liabilities),
  make: action<LiabilityMakeInput, LiabilityRow>()(reportActions.make, 'report/liability/make'),
  proof: read<LiabilityProofInput, LiabilityProof>()('report/liability/proof', '下载用户负债证明', {
    target: 'user',
    targetBy: 'userId',
  }),
  /** The signed statements of a proof: what is owed and what is held. Requires full scope, and ability 2 or 12. */
  solvency: read<IdInput, Solvency>()('report/liability/solvency', '下载储备声明'),
  /** The leaves of a proof without accounts, for an auditor. Requires full scope, and ability 2 or 12. */
  leaves: read<ProofLeavesInput, ProofLeaves>()('report/liability/leaves', '下载负债明细'),
};
