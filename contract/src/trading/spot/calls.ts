import { orderTypes, spotActions, spotStates } from './facts.ts';
import { ABILITY } from '../../authority/ability.ts';
import { actionStatesOf } from '../../authority/action.ts';
import { action, bulkAction, listCall, read } from '../../wire/endpoint.ts';
import { coinAmountsText } from '../../values/money.ts';
import type {
  BulkResult,
  ActionInput,
  BulkInput,
  IdInput,
  MarketCancelInput,
  MarketCancelled,
  MarketInput,
} from '../../wire/schema.ts';
import type { SpotDetail, SpotFill, SpotFillSum, SpotPreview, SpotRow, SpotSum } from './schema.ts';

export type SpotState = keyof typeof spotStates;

export const SPOT_SIDE = { buy: 1, sell: 2 } as const;
export const spotSides = { 1: '买入', 2: '卖出' } as const;
export type SpotSide = keyof typeof spotSides;
const spotOpenOptions = { 1: '未完成', 0: '已结束' } as const;

/** States in which each action is allowed. The server enforces them, the console disables buttons by them. */
export const spotActionStates = actionStatesOf(spotActions) satisfies Record<string, readonly SpotState[]>;

/** States in which each event of the engine is accepted. Fills continue while a cancel is pending. */
export const spotEventStates = {
  filled: [0, 1, 4],
  cancelled: [0, 1, 4],
} as const satisfies Record<string, readonly SpotState[]>;

/** Fees in other coins than what the user received, such as `0.1 BNB；0.2 HTT`. Also of a line of sums. */
export const otherFeesText = ({ otherFees }: Pick<SpotRow, 'otherFees'>): string => coinAmountsText(otherFees ?? []);

const byMarket = [
  { field: 'account', label: '账号', kind: 'part', type: 'text' },
  { field: 'marketId', label: '市场', kind: 'eq', type: 'id' },
] as const;
const byId = { field: 'id', label: '编号', kind: 'eq', type: 'id' } as const;
const bySide = { field: 'side', label: '方向', kind: 'eq', type: 'int', options: spotSides } as const;
const byOwner = [
  { field: 'agent', label: '所属代理', kind: 'agent', type: 'text', more: true },
  { field: 'agentRoot', label: '代理及下级', kind: 'subtree', type: 'text' },
  { field: 'userId', label: '用户编号', kind: 'eq', type: 'id', more: true },
] as const;

const ownerColumns = [
  { field: 'account', title: '账号', kind: 'user' },
  { field: 'marketName', title: '市场', kind: 'text' },
  { field: 'quoteName', title: '计价币', kind: 'text' },
  { field: 'side', title: '方向', kind: 'state', labels: spotSides },
] as const;
const resultColumns = [
  { field: 'turnover', title: '成交额', kind: 'amount' },
  { field: 'fee', title: '手续费', kind: 'amount' },
  { field: 'feeMarket', title: '手续费币种', kind: 'text' },
] as const;

const list = {
  filters: [
    ...byMarket,
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: spotStates },
    byId,
    { ...bySide, more: true },
    { field: 'type', label: '类型', kind: 'eq', type: 'int', options: orderTypes, more: true },
    { field: 'unfinished', label: '进度', kind: 'eq', type: 'int', options: spotOpenOptions, more: true },
    ...byOwner,
    { field: 'no', label: '平台单号', kind: 'eq', type: 'text', more: true },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'state', title: '状态', kind: 'state', labels: spotStates },
    ...ownerColumns,
    { field: 'type', title: '类型', kind: 'state', labels: orderTypes },
    { field: 'price', title: '委托价', kind: 'amount' },
    { field: 'amount', title: '委托数量', kind: 'amount' },
    { field: 'filled', title: '已成交', kind: 'amount' },
    { field: 'avgPrice', title: '成交均价', kind: 'amount' },
    ...resultColumns,
    { field: 'otherFees', title: '其他币种手续费', kind: 'text', text: otherFeesText },
    { field: 'createdAt', title: '委托时间', kind: 'time' },
    { field: 'agent', title: '所属代理', kind: 'agent' },
    { field: 'funds', title: '委托金额', kind: 'amount' },
    { field: 'frozen', title: '冻结', kind: 'amount' },
    { field: 'by', title: '撤单人', kind: 'operator' },
    { field: 'reason', title: '原因', kind: 'text' },
    { field: 'no', title: '平台单号', kind: 'hash' },
    { field: 'userId', title: '用户编号', kind: 'id' },
    { field: 'updatedAt', title: '更新时间', kind: 'time' },
  ],
  sortable: ['price', 'amount', 'filled', 'turnover'],
  sums: ['filled', 'turnover', 'feeCoin', 'feeUsdt'],
  coinSums: ['otherFees'],
  views: [
    { name: '未完成', query: 'unfinished=1' },
    { name: '撤单中', query: 'state=4' },
  ],
} as const;

/** Every fill of an order. */
const fills = {
  filters: [
    ...byMarket,
    bySide,
    byId,
    ...byOwner,
    { field: 'orderId', label: '委托编号', kind: 'eq', type: 'id', more: true },
    { field: 'tradeNo', label: '成交编号', kind: 'eq', type: 'text', more: true },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'orderId', title: '委托编号', kind: 'id' },
    ...ownerColumns,
    { field: 'price', title: '成交价', kind: 'amount' },
    { field: 'amount', title: '数量', kind: 'amount' },
    ...resultColumns,
    { field: 'createdAt', title: '成交时间', kind: 'time' },
    { field: 'agent', title: '所属代理', kind: 'agent' },
    { field: 'tradeNo', title: '成交编号', kind: 'hash' },
    { field: 'userId', title: '用户编号', kind: 'id' },
  ],
  sortable: ['price', 'amount', 'turnover'],
  sums: ['amount', 'turnover'],
  coinSums: ['fee'],
} as const;

export const spot = {
  list: listCall<SpotRow, SpotSum>()('trade/order/list', '现货委托', list),
  detail: read<IdInput, SpotDetail>()('trade/order/detail', '现货委托详情', { target: 'trade' }),
  fills: listCall<SpotFill, SpotFillSum>()('trade/fill/list', '现货成交', fills),
  cancel: action<ActionInput, SpotRow>()(spotActions.cancel, 'trade/order/cancel'),
  cancelMany: bulkAction<BulkInput, BulkResult>()(spotActions.cancel, 'trade/order/cancel/many'),
  /** Orders of the caller's tree that `cancelAll` of a market would cancel. */
  preview: read<MarketInput, SpotPreview>()('trade/order/cancel/preview', '市场撤单预览', { ability: ABILITY.orders }),
  cancelAll: action<MarketCancelInput, MarketCancelled>()(spotActions.cancelAll, 'trade/order/cancel/all'),
};
