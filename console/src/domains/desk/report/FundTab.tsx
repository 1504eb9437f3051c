import { report } from '@hengtai/contract/desk/report/calls';
import type { FundDayRow, CurrentFunds } from '@hengtai/contract/desk/report/schema';
import { Button } from 'antd';
import { useMemo } from 'react';
import { useRead } from '../../../api/hooks.ts';
import { useList } from '../../../lists/list.ts';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { FundCharts } from './FundCharts.tsx';
import { fundColumns, fundSums } from './columns.tsx';
import { QueryPlace } from '../../../api/QueryPlace.tsx';

/** 每日资金报表: opening + in - out = closing per day, for the operator's subtree or split by its agents. */
export function FundTab() {
  const list = useList(report.fund);
  const { filters, from, to } = list.state;
  const now = useRead(report.fetchCurrentFunds, filters.agent ? { agent: filters.agent } : {}, { keepPrevious: true });
  const { choose } = list;
  const columns = useMemo(
    () => fundColumns(({ agent }: FundDayRow) => choose({ filters: { ...filters, agent, split: 1 }, from, to })),
    [choose, filters, from, to],
  );
  const marketId = filters.marketId ?? now.data?.coins[0]?.marketId;
  const isSplit = filters.split === 1;
  return (
    <ListFrame
      title="每日资金报表"
      note={now.data && `按 ${now.data.zone} 切日，默认最近 30 天`}
      tools={
        <>
          {filters.agent && (
            <Button onClick={() => choose({ filters: { ...filters, agent: '' }, from, to })}>返回整个代理树</Button>
          )}
          <Button onClick={() => choose({ filters: { ...filters, split: isSplit ? 0 : 1 }, from, to })}>
            {isSplit ? '合并为一行' : '按下级代理展开'}
          </Button>
        </>
      }
      above={
        <div className="ht-report-above">
          {!now.data && <QueryPlace query={now} isSmall />}
          <CurrentBalances now={now.data} />
          {marketId !== undefined && <FundCharts agent={filters.agent} marketId={marketId} from={from} to={to} />}
        </div>
      }
      list={list}
      columns={columns}
      sums={fundSums}
      countUnit={isSplit ? '行' : '天'}
      emptyHint="用户有资金变动后，每一天都会出现在这里。"
    />
  );
}

/** Current balances by the report, each compared with the ledger. */
function CurrentBalances({ now }: { now: CurrentFunds | undefined }) {
  return (
    <ul className="ht-report-now" aria-label="当前余额与账本核对">
      {now?.coins.map(({ marketId, marketName, closing, ledger, same }) => (
        <li key={marketId} title={`报表 ${closing} ${marketName}，账本 ${ledger} ${marketName}`}>
          {marketName} 期末 <Money value={closing} />
          <StateTag
            state={same ? 1 : 0}
            labels={{ 1: '与账本相符', 0: '与账本不符' }}
            tones={{ 1: 'good', 0: 'bad' }}
          />
        </li>
      ))}
    </ul>
  );
}
