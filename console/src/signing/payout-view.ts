import type { PayoutText } from '@hengtai/contract/risk/signing/text';
import { formatGrouped, sum } from '../ui/value/decimal.ts';
import type { Block, Row, View } from './view.ts';

type Fields = Omit<PayoutText, 'kind'>;

/** A field without a row is a type error. */
const ROWS: { [F in keyof Fields]: (payout: Fields) => Row } = {
  received: ({ received, market }) => ({
    label: '打款数量',
    value: formatGrouped(received),
    coin: market,
    look: 'large',
  }),
  address: ({ address }) => ({ label: '收款地址', value: address, look: 'code' }),
  network: ({ network }) => ({ label: '网络', value: network, look: 'code' }),
  memo: ({ memo }) => ({ label: '标签(Memo)', value: memo === '' ? '无' : memo, ...(memo !== '' && { look: 'code' }) }),
  account: ({ account }) => ({ label: '用户账号', value: account, look: 'code' }),
  market: ({ market }) => ({ label: '币种', value: market, look: 'code' }),
  amount: ({ amount, market }) => ({ label: '提现数量', value: formatGrouped(amount), coin: market }),
  fee: ({ fee, market }) => ({ label: '手续费', value: formatGrouped(fee), coin: market }),
  no: ({ no }) => ({ label: '平台单号', value: no, look: 'code' }),
  attempt: ({ attempt }) => ({ label: '打款次数', value: `第 ${attempt} 次` }),
  state: ({ state }) => ({ label: '提现状态', value: stateText(state) }),
  maker: ({ maker }) => ({ label: '提交人', value: maker, look: 'code' }),
  platform: ({ platform }) => ({ label: '平台编号', value: String(platform) }),
  command: ({ command }) => ({ label: '指令', value: command, look: 'code' }),
};

/** States in which a payout is decided; a test compares them with the contract, whose table is large. */
export const payoutStates: Readonly<Record<number, string>> = { 0: '待审核', 7: '打款失败' };

const stateText = (state: number): string => `${payoutStates[state] ?? '未知'}（${state}）`;

/** All payouts, and the sums per coin before them. */
export function payoutView(payouts: readonly PayoutText[]): View {
  const count = payouts.length;
  return {
    title: count === 1 ? '签名打款' : `签名 ${count} 笔打款`,
    lead: '签名后，钱包据此打款，链上转账不能撤回。请与提现详情逐项核对。',
    blocks: [...(count > 1 ? [totalsOf(payouts)] : []), ...payouts.map(blockOf)],
  };
}

function totalsOf(payouts: readonly PayoutText[]): Block {
  const coins = [...new Set(payouts.map(({ market }) => market))];
  return {
    title: '合计',
    rows: coins.map((coin) => {
      const own = payouts.filter(({ market }) => market === coin);
      const total = sum(own.map(({ received }) => received));
      return { label: `共 ${own.length} 笔`, value: formatGrouped(total), coin, look: 'large' };
    }),
  };
}

const blockOf = (payout: PayoutText, index: number, { length }: { length: number }): Block => ({
  title: length === 1 ? '打款内容' : `第 ${index + 1} 笔，共 ${length} 笔`,
  rows: Object.values(ROWS).map((row) => row(payout)),
});
