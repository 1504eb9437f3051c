/** Filters and columns shared by the lists of futures. */

const account = { field: 'account', label: '账号', kind: 'part', type: 'text' } as const;
const market = { field: 'marketId', label: '市场', kind: 'eq', type: 'id' } as const;
const more = [
  { field: 'id', label: '编号', kind: 'eq', type: 'id' },
  { field: 'marketName', label: '市场名称', kind: 'contains', type: 'text', more: true },
  { field: 'agent', label: '所属代理', kind: 'agent', type: 'text', more: true },
  { field: 'agentRoot', label: '代理及下级', kind: 'subtree', type: 'text' },
  { field: 'userId', label: '用户编号', kind: 'eq', type: 'id', more: true },
] as const;
const no = { field: 'no', label: '平台单号', kind: 'eq', type: 'text', more: true } as const;

const openPrice = { field: 'openPrice', title: '开仓价(USDT)', kind: 'amount' } as const;
const margin = { field: 'margin', title: '投入保证金(USDT)', kind: 'amount' } as const;
const realized = { field: 'realized', title: '已实现盈亏(USDT)', kind: 'amount' } as const;
const roe = { field: 'roe', title: '回报率(%)', kind: 'amount' } as const;
const fee = { field: 'fee', title: '手续费(USDT)', kind: 'amount' } as const;
const funding = { field: 'funding', title: '资金费用(USDT)', kind: 'amount' } as const;
const insured = { field: 'insured', title: '准备金承担(USDT)', kind: 'amount' } as const;
const startTimes = [
  { field: 'createdAt', title: '委托时间', kind: 'time' },
  { field: 'openedAt', title: '开仓时间', kind: 'time' },
] as const;
const agent = { field: 'agent', title: '所属代理', kind: 'agent' } as const;
const userId = { field: 'userId', title: '用户编号', kind: 'id' } as const;
const tail = [
  { field: 'by', title: '操作人', kind: 'operator' },
  { field: 'reason', title: '原因', kind: 'text' },
  agent,
  { field: 'no', title: '平台单号', kind: 'hash' },
  userId,
  { field: 'updatedAt', title: '更新时间', kind: 'time' },
] as const;

const unrealized = { field: 'unrealized', title: '未实现盈亏(USDT)', kind: 'amount' } as const;
const liquidationRisk = [
  { field: 'marginRatio', title: '保证金率(%)', kind: 'amount' },
  { field: 'liquidationPrice', title: '强平价(USDT)', kind: 'amount' },
] as const;
const triggers = [
  { field: 'takeProfit', title: '止盈价(USDT)', kind: 'amount' },
  { field: 'stopLoss', title: '止损价(USDT)', kind: 'amount' },
  { field: 'closing', title: '平仓中数量', kind: 'amount' },
] as const;
const valuation = [
  { field: 'markPrice', title: '标记价(USDT)', kind: 'amount' },
  { field: 'notional', title: '名义价值(USDT)', kind: 'amount' },
  { field: 'held', title: '占用保证金(USDT)', kind: 'amount' },
] as const;

export const filters = { account, market, more, no } as const;
export const columns = {
  openPrice,
  margin,
  realized,
  roe,
  fee,
  funding,
  insured,
  startTimes,
  agent,
  userId,
  tail,
  unrealized,
  liquidationRisk,
  triggers,
  valuation,
} as const;
