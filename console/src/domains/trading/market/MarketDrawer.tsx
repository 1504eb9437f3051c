import { families } from '@hengtai/contract/values/destination';
import { market } from '@hengtai/contract/trading/market/calls';
import { marketStates } from '@hengtai/contract/trading/market/facts';
import type { MarketRow, Network } from '@hengtai/contract/trading/market/schema';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { onOffLabels } from '@hengtai/contract/wire/switches';
import { toDisplayError } from '../../../api/display-error.ts';
import { useRead } from '../../../api/hooks.ts';
import type { ReactNode } from 'react';
import { MarketCandles } from './exported/MarketCandles.tsx';
import { DetailItem } from '../../../ui/value/DetailItem.tsx';
import { operatorDetail } from '../../../navigation/account-cells.tsx';
import { Change } from '../../../ui/value/Change.tsx';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { PriceTime } from '../../../ui/value/PriceTime.tsx';
import { PageDrawer } from '../../../ui/dialog/PageDrawer.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { ErrorState } from '../../../ui/table/list-states.tsx';
import { MarketName } from './MarketName.tsx';
import { haltedText, marketTones, switchTones } from './columns.tsx';
import { Limit, Percent } from './values.tsx';

interface Props {
  id: number | undefined;
  /** The row from the list; undefined if the loaded page does not contain it. */
  listRow: MarketRow | undefined;
  /** Buttons of the footer, for example to edit. */
  renderActions: (row: MarketRow) => ReactNode;
  onClose: () => void;
}

const ALL_MARKETS = { size: 200 };
const REFETCH_MS = 5_000;

/** One market with all fields. */
export function MarketDrawer({ id, listRow, renderActions, onClose }: Props) {
  const isMissing = id !== undefined && listRow === undefined;
  const query = useRead(market.list, ALL_MARKETS, { enabled: isMissing, refetchMs: isMissing && REFETCH_MS });
  const row = listRow ?? query.data?.list.find((one) => one.id === id);
  return (
    <PageDrawer
      open={id !== undefined}
      width={760}
      title={`市场${row ? ` · ${row.marketName}` : ''}`}
      footer={row && renderActions(row)}
      onClose={onClose}
    >
      {row ? (
        <Fields row={row} />
      ) : query.error ? (
        <ErrorState error={toDisplayError(query.error)} onRetry={() => void query.refetch()} />
      ) : query.data ? (
        <p className="ht-value-faint">没有编号为 {id} 的市场</p>
      ) : (
        <span className="ht-page-skeleton-line" />
      )}
    </PageDrawer>
  );
}

function Fields({ row }: { row: MarketRow }) {
  const coin = row.marketName;
  const amount = (value: string) => <Money value={value} unit={coin} />;
  const onOff = (value: number) => <StateTag state={value} labels={onOffLabels} tones={switchTones} />;
  return (
    <>
      <div className="ht-market-hero">
        <MarketName row={row} />
        <span className="ht-value-large">
          <Money value={row.price} unit={row.quote ?? SETTLEMENT} />
        </span>
        <Change value={row.change24h} />
        {row.pricedAt !== null && <PriceTime value={row.pricedAt} />}
        <StateTag state={row.state} labels={marketStates} tones={marketTones} />
      </div>
      {row.halted.length > 0 && (
        <p className="ht-market-note">
          价格保护已暂停：{haltedText(row.halted)}。到时自动恢复，也可以在「风控计划」中恢复。
        </p>
      )}
      {row.unconfirmed.length > 0 && (
        <p className="ht-market-note" role="note">
          待确认的网络：{row.unconfirmed.join('、')}。升级按最近 180
          天的记录补入并开放，核对后请确认；不支持的在「编辑」中移除或关闭。
        </p>
      )}
      {row.marketName !== SETTLEMENT && (
        <div className="ht-market-chart">
          <MarketCandles id={row.id} marketName={row.marketName} />
        </div>
      )}
      <Details
        title="业务开关"
        details={[
          ['现货', onOff(row.spot)],
          ['合约', onOff(row.future)],
          ['秒合约', onOff(row.second)],
          ['认购', onOff(row.ieo)],
          ['充值', onOff(row.rechargeState)],
          ['提现', onOff(row.withdrawState)],
        ]}
      />
      <Details
        title="交易规则"
        details={[
          ['挂单费率', <Percent key="maker" ratio={row.makerFee} />],
          ['吃单费率', <Percent key="taker" ratio={row.takerFee} />],
          ['维持保证金率', <Percent key="rate" ratio={row.maintenanceRate} />],
          ['最小下单', <Limit key="least" value={row.minAmount} unit={coin} />],
          ['最大下单', <Limit key="most" value={row.maxAmount} unit={coin} />],
          ['最高杠杆', `${row.maxLeverage}×`],
          ['价格精度', `${row.pricePrecision} 位小数`],
          ['数量精度', `${row.amountPrecision} 位小数`],
        ]}
      />
      <Details
        title="提现规则"
        details={[
          ['手续费', amount(row.withdrawFee)],
          ['单笔最小', amount(row.withdrawMin)],
          ['单笔最大', <Limit key="most" value={row.withdrawMax} unit={coin} />],
        ]}
      />
      <Section title="网络">
        <MiniTable
          label="网络"
          rows={row.networks}
          keyOf={({ network }) => network}
          empty="没有列出网络，充值与提现不限网络"
          columns={networkColumns(row.unconfirmed)}
        />
      </Section>
      <Details
        title="记录"
        details={[
          ['编号', row.id],
          ['排序', row.sort],
          ['版本', row.version],
          ['最后修改人', operatorDetail(row.updatedBy)],
          ['创建时间', <Time key="created" value={row.createdAt} />],
          ['更新时间', <Time key="updated" value={row.updatedAt} />],
        ]}
      />
    </>
  );
}

interface DetailsProps {
  title: string;
  details: readonly (readonly [label: string, value: ReactNode])[];
}

function Details({ title, details }: DetailsProps) {
  return (
    <Section title={title}>
      <dl className="ht-value-details ht-market-facts">
        {details.map(([label, value]) => (
          <DetailItem key={label} label={label}>
            {value}
          </DetailItem>
        ))}
      </dl>
    </Section>
  );
}

const networkColumns = (unconfirmed: readonly string[]): readonly MiniColumn<Network>[] => [
  {
    title: '网络',
    cell: ({ network, family, payingMinutes, matchMinutes }) => (
      <>
        {family ? `${network}（地址格式 ${families[family]}）` : network}
        {payingMinutes !== undefined && `（打款无回应时限 ${payingMinutes} 分钟）`}
        {matchMinutes !== undefined && `（链上核对时限 ${matchMinutes} 分钟）`}{' '}
        {unconfirmed.includes(network) && <span className="ht-value-warn">待确认</span>}
      </>
    ),
  },
  { title: '充值', cell: ({ recharge }) => <StateTag state={recharge} labels={onOffLabels} tones={switchTones} /> },
  { title: '提现', cell: ({ withdraw }) => <StateTag state={withdraw} labels={onOffLabels} tones={switchTones} /> },
  { title: '网络手续费', right: true, cell: ({ fee }) => <Money value={fee} /> },
  { title: '区块浏览器', cell: ({ explorer }) => explorer || '--' },
];
