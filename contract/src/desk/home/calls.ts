import { read } from '../../wire/endpoint.ts';
import type { HomeCard, HomeChart, HomeQueue, HomeTrading, HomeTrends } from './schema.ts';
import type { EmptyInput } from '../../house/session/schema.ts';

export const home = {
  state: read<EmptyInput, HomeCard[]>()('state', '首页数据'),
  chart: read<EmptyInput, HomeChart>()('home/chart', '首页图表'),
  trading: read<EmptyInput, HomeTrading>()('home/trading', '首页交易图表'),
  /** The non-empty work queues of the caller, the most severe first. */
  queues: read<EmptyInput, HomeQueue[]>()('home/queues', '首页待办'),
  trends: read<EmptyInput, HomeTrends>()('home/trends', '首页走势'),
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

/** What the trend of a card counts by day, where that differs from what the figure of the card counts. */
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
