import { autoStops } from '@hengtai/contract/risk/auto-payout/labels';
import type { AutoCoinDetail } from '@hengtai/contract/risk/auto-payout/schema';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { Time } from '../../../ui/value/Time.tsx';

type Cause = AutoCoinDetail['causes'][number];

const columns: readonly MiniColumn<Cause>[] = [
  { title: '起因', cell: ({ why }) => autoStops[why] },
  {
    title: '提现',
    short: true,
    cell: ({ withdrawId }) => <PageLink to={`/withdraw?open=${withdrawId}`}>#{withdrawId}</PageLink>,
  },
  { title: '时间', cell: ({ at }) => <Time value={at} /> },
  { title: '处理', cell: ({ handledAt }) => (handledAt === null ? '未处理' : <Time value={handledAt} />) },
];

/** The payouts and rules that demanded a stop. */
export const Causes = ({ causes }: { causes: readonly Cause[] }) => (
  <MiniTable
    label="暂停的起因"
    rows={causes}
    keyOf={(_cause, index) => index}
    columns={columns}
    none="没有打款失败、结果不明或规则要求暂停"
  />
);
