import { ABILITY } from '../../authority/ability.ts';
import { futureStates, futureActions } from './facts.ts';
import { actionStatesOf } from '../../authority/action.ts';
import { action, bulkAction, call, listCall, read } from '../../wire/endpoint.ts';
import { columns, filters } from './columns.ts';
import type {
  FutureClose,
  FutureCloseBulk,
  FutureCloseRow,
  FutureCancelPreview,
  FutureCloseSum,
  FutureDetail,
  FutureEndedSum,
  FutureAccountRisk,
  FutureUsersInput,
  FutureExposure,
  FutureExposureInput,
  FutureHeat,
  FutureHeatInput,
  FutureRow,
  FutureSum,
} from './schema.ts';
import type {
  BulkResult,
  ActionInput,
  BulkInput,
  IdInput,
  MarketCancelInput,
  MarketCancelled,
  MarketInput,
} from '../../wire/schema.ts';
import { orderTypes } from '../spot/facts.ts';

export type FutureState = keyof typeof futureStates;

export const FUTURE_SIDE = { long: 1, short: 2 } as const;
export const futureSides = { 1: '做多', 2: '做空' } as const;
export type FutureSide = keyof typeof futureSides;
/** Demo positions use no money: they touch no account, and no sum mixes them with real ones. */
export const demoLabels = { 0: '实盘', 1: '模拟' } as const;
export type Demo = keyof typeof demoLabels;

export const CLOSE_TYPE = { user: 1, takeProfit: 2, stopLoss: 3, liquidation: 4, operator: 5 } as const;
export const closeTypes = { 1: '用户', 2: '止盈', 3: '止损', 4: '强平', 5: '管理员' } as const;
/** Stages of open orders and positions. A pending cancel or close does not change the stage. */
const futureStages = { 0: '委托中', 1: '持仓中' } as const;
const futurePendingStates = { 5: '撤单中', 6: '平仓中' } as const;
const futureFinalStates = { 2: '已平仓', 3: '已撤销', 4: '已强平' } as const;
const stages = { ...futureStages, ...futureFinalStates } as const;

/** States in which each action is allowed. The server enforces them, the console disables buttons by them. */
export const futureActionStates = actionStatesOf(futureActions) satisfies Record<string, readonly FutureState[]>;

/** States in which each event of the engine is accepted, also while a command is pending. */
export const futureEventStates = {
  opened: [0, 1, 5, 6],
  increased: [1, 6],
  flipped: [1, 6],
  cancelled: [0, 1, 5, 6],
  changed: [0, 1, 5, 6],
  closed: [1, 6],
  liquidated: [1, 6],
  funding: [1, 6],
} as const satisfies Record<string, readonly FutureState[]>;

export const HEAT_RANGE = 20;
/** Number of price bands of equal width, half below the mark price and half above. */
export const HEAT_BANDS = 40;

const demo = { field: 'demo', label: '实盘/模拟', kind: 'eq', type: 'int', options: demoLabels } as const;
const closeType = { field: 'closeType', label: '平仓方式', kind: 'eq', type: 'int', options: closeTypes } as const;
const side = { field: 'side', label: '方向', kind: 'eq', type: 'int', options: futureSides, more: true } as const;

const ownerColumns = [
  { field: 'demo', title: '实盘/模拟', kind: 'state', labels: demoLabels },
  { field: 'account', title: '账号', kind: 'user' },
  { field: 'marketName', title: '市场', kind: 'text' },
  { field: 'side', title: '方向', kind: 'state', labels: futureSides },
  { field: 'leverage', title: '杠杆', kind: 'count' },
] as const;
const head = [
  { field: 'id', title: '编号', kind: 'id' },
  { field: 'state', title: '状态', kind: 'state', labels: futureStates },
  ...ownerColumns,
  { field: 'type', title: '类型', kind: 'state', labels: orderTypes },
  { field: 'price', title: '委托价(USDT)', kind: 'amount' },
  { field: 'amount', title: '数量', kind: 'amount' },
  { field: 'closeAmount', title: '已平数量', kind: 'amount' },
] as const;
const closeTypeColumn = { field: 'closeType', title: '平仓方式', kind: 'state', labels: closeTypes } as const;

/** Pending orders and open positions. Sums are in USDT, separate for real and demo ones. */
const list = {
  filters: [
    filters.account,
    filters.market,
    { field: 'state', label: '阶段', kind: 'eq', type: 'int', options: futureStages },
    demo,
    { field: 'doing', label: '操作中', kind: 'eq', type: 'int', options: futurePendingStates, more: true },
    { field: 'type', label: '类型', kind: 'eq', type: 'int', options: orderTypes, more: true },
    side,
    ...filters.more,
    filters.no,
  ],
  columns: [
    ...head,
    { field: 'left', title: '未平数量', kind: 'amount' },
    { field: 'unopened', title: '待成交数量', kind: 'amount' },
    { field: 'pendingMargin', title: '待成交保证金(USDT)', kind: 'amount' },
    columns.openPrice,
    ...columns.valuation,
    columns.margin,
    columns.unrealized,
    columns.roe,
    ...columns.liquidationRisk,
    columns.realized,
    columns.fee,
    columns.funding,
    ...columns.triggers,
    ...columns.startTimes,
    ...columns.tail,
  ],
  sortable: ['price', 'amount', 'leverage', 'held', 'notional', 'unrealized', 'roe', 'marginRatio'],
  sums: ['notional', 'held', 'unrealized', 'realized', 'fee', 'funding'],
} as const;

/** Closed, cancelled and liquidated orders and positions. */
const openHistory = {
  filters: [
    filters.account,
    filters.market,
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: futureFinalStates },
    demo,
    { ...closeType, more: true },
    side,
    ...filters.more,
    filters.no,
  ],
  columns: [
    ...head,
    columns.openPrice,
    { field: 'closePrice', title: '平仓均价(USDT)', kind: 'amount' },
    columns.margin,
    columns.realized,
    columns.roe,
    columns.fee,
    columns.funding,
    columns.insured,
    closeTypeColumn,
    ...columns.startTimes,
    { field: 'endedAt', title: '结束时间', kind: 'time' },
    ...columns.tail,
  ],
  sortable: ['amount', 'leverage', 'margin', 'realized', 'roe'],
  sums: ['margin', 'realized', 'fee', 'funding', 'insured'],
  views: [{ name: '强平', query: 'state=4&demo=0' }],
} as const;

/** Every close, with one row per partial close. */
const closeHistory = {
  filters: [
    filters.account,
    filters.market,
    closeType,
    demo,
    { field: 'state', label: '订单状态', kind: 'eq', type: 'int', options: stages, more: true },
    { field: 'orderId', label: '合约订单编号', kind: 'eq', type: 'id', more: true },
    side,
    ...filters.more,
    { field: 'closeNo', label: '平仓单号', kind: 'eq', type: 'text', more: true },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'orderId', title: '合约订单编号', kind: 'id' },
    ...ownerColumns,
    closeTypeColumn,
    { field: 'closeAmount', title: '平仓数量', kind: 'amount' },
    columns.openPrice,
    { field: 'closePrice', title: '平仓价(USDT)', kind: 'amount' },
    columns.realized,
    columns.roe,
    { field: 'released', title: '释放保证金(USDT)', kind: 'amount' },
    columns.fee,
    columns.insured,
    { field: 'createdAt', title: '平仓时间', kind: 'time' },
    columns.agent,
    { field: 'closeNo', title: '平仓单号', kind: 'hash' },
    columns.userId,
  ],
  sortable: ['closeAmount', 'leverage', 'realized'],
  sums: ['realized', 'fee', 'insured'],
  views: [{ name: '强平', query: 'closeType=4&demo=0' }],
} as const;

export const future = {
  list: listCall<FutureRow, FutureSum>()('future/order/list', '合约持仓', list),
  openHistory: listCall<FutureRow, FutureEndedSum>()('future/open/history', '合约历史订单', openHistory),
  closeHistory: listCall<FutureCloseRow, FutureCloseSum>()('future/close/history', '合约平仓记录', closeHistory),
  detail: read<IdInput, FutureDetail>()('future/order/detail', '合约订单详情', { target: 'future' }),
  cancel: action<ActionInput, FutureRow>()(futureActions.cancel, 'future/order/cancel'),
  cancelMany: bulkAction<BulkInput, BulkResult>()(futureActions.cancel, 'future/order/cancel/many'),
  /** Reduce-only, at the engine's price: 0 < closeAmount ≤ open amount. */
  close: action<FutureClose, FutureRow>()(futureActions.close, 'future/order/close'),
  /** Closes each position completely. */
  closeMany: bulkAction<FutureCloseBulk, BulkResult>()(futureActions.close, 'future/order/close/many'),
  /** Margin and liquidation figures of users' real positions. Users outside the caller's scope are omitted. */
  expectInfo: call<FutureUsersInput, FutureAccountRisk[]>()({
    method: 'POST',
    path: 'future/expect_info',
    summary: '合约账户风险',
    kind: 'read',
  }),
  /** Open positions of the caller's tree by market; real ones unless `demo` is 1. */
  exposure: read<FutureExposureInput, FutureExposure[]>()('future/exposure', '合约敞口'),
  /** Positions by liquidation price in one market. */
  heat: read<FutureHeatInput, FutureHeat>()('future/heat', '强平分布'),
  /** Pending orders of the caller's tree that `cancelAll` of a market would cancel. */
  cancelPreview: read<MarketInput, FutureCancelPreview>()('future/cancel/preview', '合约市场撤单预览', {
    ability: ABILITY.orders,
  }),
  /** Cancels orders that wait to be filled, demo ones too. What is open of a partly filled order is a position, which stays. */
  cancelAll: action<MarketCancelInput, MarketCancelled>()(futureActions.cancelAll, 'future/cancel/all'),
};
