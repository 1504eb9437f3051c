import { call } from './endpoint.ts';
import type { HomeCard, HomeChart, HomeTrading } from './home.schema.ts';
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
