import { call } from './endpoint.ts';
import type { HomeCard, HomeChart, HomeQueue, HomeTrading, HomeTrends } from './home.schema.ts';
import type { EmptyInput } from './session.schema.ts';

export const home = {
  state: call<EmptyInput, HomeCard[]>()({ method: 'GET', path: 'state', summary: '首页数据', kind: 'read' }),
  chart: call<EmptyInput, HomeChart>()({ method: 'GET', path: 'home/chart', summary: '首页图表', kind: 'read' }),
  trading: call<EmptyInput, HomeTrading>()({
    method: 'GET',
    path: 'home/trading',
    summary: '首页交易图表',
    kind: 'read',
  }),
  /** The non-empty work queues of the caller, the gravest first. */
  queues: call<EmptyInput, HomeQueue[]>()({ method: 'GET', path: 'home/queues', summary: '首页待办', kind: 'read' }),
  trends: call<EmptyInput, HomeTrends>()({ method: 'GET', path: 'home/trends', summary: '首页走势', kind: 'read' }),
};

/** The cards in order. */
export const homeCards = [
  '用户总数',
  '今日新增用户',
  '今日充值(USDT)',
  '今日提现(USDT)',
  '待审核提现',
  '待审核实名',
  '待审核认购',
  '待复核审批',
  '现货委托',
  '合约持仓',
  '秒合约进行中',
  '在线操作员',
] as const;

/** What the trend of each card counts by day; a card without a word of its own has the same measure as its figure. */
export const trendMeasures: Readonly<Partial<Record<HomeCardName, string>>> = {
  待审核提现: '申请',
  待审核实名: '申请',
  待审核认购: '申请',
  待复核审批: '提交',
  现货委托: '新委托',
  合约持仓: '新开仓',
  秒合约进行中: '新下单',
  在线操作员: '登录',
};
export type HomeCardName = (typeof homeCards)[number];
