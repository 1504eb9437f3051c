import { binaryContractStates, binaryContractActions } from './facts.ts';
import { actionStatesOf } from '../../authority/action.ts';
import type {
  BinaryContractConfigDetail,
  BinaryContractConfigRow,
  BinaryContractConfigSave,
  BinaryContractDetail,
  BinaryContractEvidence,
  BinaryContractRisk,
  BinaryContractRow,
  BinaryContractSum,
  BinaryContractVoid,
  BinaryContractVoidBulk,
} from './schema.ts';
import { action, bulkAction, listCall, read } from '../../wire/endpoint.ts';
import type { BulkResult, ActionInput, IdInput } from '../../wire/schema.ts';
import type { EmptyInput } from '../../house/session/schema.ts';

export type BinaryContractState = keyof typeof binaryContractStates;
/** The final states. */
export const binaryContractFinalStates = { 1: binaryContractStates[1], 2: binaryContractStates[2] } as const;

/** Highest payout rate, in percent of the stake. */
export const PAYOUT_RATE_MAX = 100;

/** The outcome. Only the ticks decide it. */
export const BINARY_CONTRACT_RESULT = { none: 0, win: 1, lose: 2, draw: 3 } as const;
export const binaryContractResults = { 0: '未结', 1: '盈', 2: '亏', 3: '平' } as const;
export const BINARY_CONTRACT_SIDE = { up: 1, down: 2 } as const;
export const binaryContractSides = { 1: '看涨', 2: '看跌' } as const;
export type BinaryContractSide = keyof typeof binaryContractSides;

/** The filter of the page of open contracts and of the history page. */
const binaryContractOpenOptions = { 1: '进行中', 0: '已结束' } as const;
/** States in which each action is allowed. The server enforces them, the console disables buttons by them. */
export const binaryContractActionStates = actionStatesOf(binaryContractActions) satisfies Record<
  string,
  readonly BinaryContractState[]
>;

/** Reasons that the SQL function `settle_seconds` writes when it voids a contract. */
export const binaryContractVoidCauses = {
  open: '下单后的容许时间内没有行情',
  close: '到期后的容许时间内没有行情',
} as const;

export const binaryContractRules: Readonly<Record<number, string>> = {
  1: '开仓价为下单时间起（含）的第一笔行情，结算价为到期时间起（含）的第一笔行情，均取自只增不改的行情记录，按行情自身时间先后、同一时间按入库先后排列。任一笔晚于容许时间则作废并全额退款。结算价高于开仓价看涨盈，低于开仓价看跌盈，相等为平并退还本金。盈利为下单数量乘以下单时的收益率，按 USDT 精度向下取整。',
};

/** Setting, read when a contract is opened: a change affects later contracts only. */
export const BINARY_CONTRACT_TOLERANCE = 'second.tolerance';
/** Settings: thresholds of possible payouts that trigger a notification. They block nothing. */
export const BINARY_CONTRACT_RISK_EXPIRY = 'second.riskExpiry';
export const BINARY_CONTRACT_RISK_MARKET = 'second.riskMarket';

/** Rows of the risk panel: expiry seconds, largest risk first. */
export const BINARY_CONTRACT_RISK_ROWS = 50;
/** Maximum ticks in a contract's evidence. Those around the opening and the closing are always included. */
export const BINARY_CONTRACT_EVIDENCE_TICKS = 2_000;

export const binaryContractConfigStates = { 1: '启用', 0: '停用' } as const;

const configList = {
  filters: [
    { field: 'marketId', label: '市场', kind: 'eq', type: 'id' },
    { field: 'seconds', label: '时长(秒)', kind: 'eq', type: 'int' },
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: binaryContractConfigStates },
    { field: 'id', label: '编号', kind: 'eq', type: 'id', more: true },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'state', title: '状态', kind: 'state', labels: binaryContractConfigStates },
    { field: 'marketName', title: '市场', kind: 'text' },
    { field: 'seconds', title: '时长(秒)', kind: 'count' },
    { field: 'payoutRate', title: '收益率(%)', kind: 'amount' },
    { field: 'minAmount', title: '最小下单(USDT)', kind: 'amount' },
    { field: 'maxAmount', title: '最大下单(USDT)', kind: 'amount' },
    { field: 'running', title: '进行中', kind: 'count' },
    { field: 'sort', title: '排序', kind: 'count' },
    { field: 'by', title: '操作人', kind: 'agent' },
    { field: 'updatedAt', title: '更新时间', kind: 'time' },
    { field: 'createdAt', title: '创建时间', kind: 'time' },
  ],
  sortable: ['seconds', 'payoutRate', 'sort'],
  views: [{ name: '启用', query: 'state=1' }],
} as const;

const list = {
  filters: [
    { field: 'account', label: '账号', kind: 'part', type: 'text' },
    { field: 'marketId', label: '市场', kind: 'eq', type: 'id' },
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: binaryContractStates },
    { field: 'type', label: '结果', kind: 'eq', type: 'int', options: binaryContractResults },
    { field: 'running', label: '进度', kind: 'eq', type: 'int', options: binaryContractOpenOptions },
    { field: 'id', label: '编号', kind: 'eq', type: 'id' },
    { field: 'side', label: '方向', kind: 'eq', type: 'int', options: binaryContractSides, more: true },
    { field: 'seconds', label: '时长(秒)', kind: 'eq', type: 'int', more: true },
    { field: 'agent', label: '所属代理', kind: 'agent', type: 'text', more: true },
    { field: 'agentRoot', label: '代理及下级', kind: 'subtree', type: 'text' },
    { field: 'userId', label: '用户编号', kind: 'eq', type: 'id', more: true },
    { field: 'no', label: '平台单号', kind: 'eq', type: 'text', more: true },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'state', title: '状态', kind: 'state', labels: binaryContractStates },
    { field: 'account', title: '账号', kind: 'user' },
    { field: 'marketName', title: '市场', kind: 'text' },
    { field: 'side', title: '方向', kind: 'state', labels: binaryContractSides },
    { field: 'seconds', title: '时长(秒)', kind: 'count' },
    { field: 'amount', title: '下单(USDT)', kind: 'amount' },
    { field: 'payoutRate', title: '收益率(%)', kind: 'amount' },
    { field: 'openPrice', title: '开仓价', kind: 'amount' },
    { field: 'closePrice', title: '结算价', kind: 'amount' },
    { field: 'type', title: '结果', kind: 'state', labels: binaryContractResults },
    { field: 'profit', title: '盈亏(USDT)', kind: 'amount' },
    { field: 'openAt', title: '下单时间', kind: 'time' },
    { field: 'settleAt', title: '到期时间', kind: 'time' },
    { field: 'settledAt', title: '结算时间', kind: 'time' },
    { field: 'agent', title: '所属代理', kind: 'agent' },
    { field: 'payout', title: '可盈利(USDT)', kind: 'amount' },
    { field: 'by', title: '操作人', kind: 'operator' },
    { field: 'secondBy', title: '复核人', kind: 'operator' },
    { field: 'reason', title: '原因', kind: 'text' },
    { field: 'openTick', title: '开仓行情编号', kind: 'id' },
    { field: 'closeTick', title: '结算行情编号', kind: 'id' },
    { field: 'no', title: '平台单号', kind: 'hash' },
    { field: 'userId', title: '用户编号', kind: 'id' },
    { field: 'updatedAt', title: '更新时间', kind: 'time' },
  ],
  sortable: ['amount', 'profit', 'settleAt'],
  sums: ['amount', 'payout', 'profit'],
  views: [
    { name: '盈', query: 'running=0&type=1' },
    { name: '亏', query: 'running=0&type=2' },
    { name: '已作废', query: 'running=0&state=2' },
  ],
} as const;

export const binaryContract = {
  configList: listCall<BinaryContractConfigRow>()('second/config/list', '秒合约设置', configList),
  /** A setting with its versions, also after it was deleted: contracts name the version that they were opened with. */
  configDetail: read<IdInput, BinaryContractConfigDetail>()('second/config/detail', '秒合约设置详情'),
  /** Adds a setting if there is no id. */
  configSave: action<BinaryContractConfigSave, BinaryContractConfigRow>()(
    binaryContractActions.configSave,
    'second/config/save',
    { record: 'configList' },
  ),
  configDel: action<ActionInput, BinaryContractConfigRow>()(binaryContractActions.configDel, 'second/config/del'),
  list: listCall<BinaryContractRow, BinaryContractSum>()('second/contract/list', '秒合约', list),
  detail: read<IdInput, BinaryContractDetail>()('second/contract/detail', '秒合约详情', {
    target: 'second',
  }),
  /** Voids an open contract and refunds the stake: nobody wins or loses. */
  change: action<BinaryContractVoid, BinaryContractRow>()(binaryContractActions.change, 'second/contract/change'),
  /** Each contract is voided separately, with its own answer or its own approval. */
  changeMany: bulkAction<BinaryContractVoidBulk, BulkResult>()(
    binaryContractActions.change,
    'second/contract/change/many',
  ),
  /** Everything that decides the outcome, as a file. The download is audited. */
  evidence: action<IdInput, BinaryContractEvidence>()(binaryContractActions.evidence, 'second/contract/evidence'),
  /** What the house may have to pay for the caller's tree, by market, side and expiry second. */
  risk: read<EmptyInput, BinaryContractRisk>()('second/contract/risk', '秒合约风险敞口'),
};
