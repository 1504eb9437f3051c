import { ieoStates } from '@hengtai/contract/trading/ieo/facts';
import type { IeoDetail } from '@hengtai/contract/trading/ieo/schema';
import { OpenRequest } from '../../../actions/OpenRequest.tsx';
import { operatorDetail } from '../../../navigation/account-cells.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { LedgerCompare } from '../../../records/LedgerCompare.tsx';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { Timeline } from '../../../records/Timeline.tsx';
import { ieoSteps } from './steps.tsx';
import { ieoTones } from '../../../records/state-tones.ts';
import { CaseLayout, CaseState } from '../../../records/CaseLayout.tsx';
import { DetailItem } from '../../../ui/value/DetailItem.tsx';
import { customerEvents } from '../../people/user/exported/customer-events.tsx';
import { CustomerDetails } from '../../people/user/exported/CustomerDetails.tsx';

interface Props {
  detail: IeoDetail;
}

/** One subscription with its customer and the other subscriptions of the customer. */
export const Details = ({ detail }: Props) => (
  <CaseLayout
    head={<Head detail={detail} />}
    steps={ieoSteps(detail)}
    preview={
      <LedgerCompare
        decisions={[
          { name: 'pass', label: '通过后', lines: detail.preview.pass },
          { name: 'reject', label: '驳回后', lines: detail.preview.reject },
        ]}
      />
    }
    left={
      <>
        <Section title={`该用户的 ${detail.row.marketName} 认购合计`} aside="含本笔">
          <MiniTable
            label="认购合计"
            rows={detail.totals}
            keyOf={({ state }) => state}
            empty="没有认购"
            columns={totalColumns}
          />
        </Section>
        <IeoTimeline detail={detail} />
      </>
    }
    right={<Customer detail={detail} />}
  />
);

/** What is decided: the amount and its price, and below it the rest of the order. */
function Head({ detail }: Props) {
  const { row, market, approval } = detail;
  return (
    <>
      <div className="ht-records-case-hero">
        <div className="ht-value-large">
          <Money value={row.amount} unit={row.marketName} />
        </div>
        <span aria-hidden>←</span>
        <b>
          <Money value={row.pay} unit="USDT" />
        </b>
        {market.ieo === 1 && market.state === 1 ? (
          <span className="ht-value-risk ht-value-risk-none">认购开放中</span>
        ) : (
          <span className="ht-value-risk">{market.ieo === 1 ? '市场未上架' : '已停止认购'}</span>
        )}
        <CaseState state={row.state} labels={ieoStates} tones={ieoTones} />
      </div>
      <dl className="ht-records-case-facts">
        <DetailItem label="认购价">
          <Money value={row.price} unit="USDT" />
        </DetailItem>
        <DetailItem label="最新价">
          <Money value={market.price} unit="USDT" />
        </DetailItem>
        <DetailItem label="平台单号">
          <Hash value={row.no} label="平台单号" />
        </DetailItem>
        {row.reason !== '' && <DetailItem label="原因">{row.reason}</DetailItem>}
        <OpenRequest approval={approval} />
      </dl>
    </>
  );
}

const balanceColumns: readonly MiniColumn<IeoDetail['balances'][number]>[] = [
  { title: '币种', nowrap: true, cell: ({ marketName }) => marketName },
  { title: '可用', right: true, cell: ({ active }) => <Money value={active} /> },
  { title: '冻结', right: true, cell: ({ frozen }) => <Money value={frozen} /> },
];

/** The customer with its switches and balances. */
function Customer({ detail }: Props) {
  const { user, switches, balances } = detail;
  return (
    <>
      <CustomerDetails user={user}>
        <DetailItem label="认购买入">{switchText(switches.ieoBuy)}</DetailItem>
        <DetailItem label="认购卖出">{switchText(switches.ieoSell)}</DetailItem>
      </CustomerDetails>
      <Section title="资金账户">
        <MiniTable
          label="资金账户"
          rows={balances}
          keyOf={({ marketId }) => marketId}
          empty="没有余额"
          columns={balanceColumns}
        />
      </Section>
    </>
  );
}

const switchText = (on: number) => (on === 1 ? '开' : <b className="ht-value-warn">关</b>);

const totalColumns: readonly MiniColumn<IeoDetail['totals'][number]>[] = [
  { title: '状态', cell: ({ state }) => <StateTag state={state} labels={ieoStates} tones={ieoTones} /> },
  { title: '笔数', right: true, cell: ({ count }) => count },
  { title: '认购数量', right: true, cell: ({ amount }) => <Money value={amount} /> },
  { title: '支付(USDT)', right: true, cell: ({ pay }) => <Money value={pay} /> },
];

/** The latest subscriptions and logins of the user, and notes about it. */
function IeoTimeline({ detail }: Props) {
  const orders = [detail.row, ...detail.others].map((row) => ({
    key: `order${row.id}`,
    at: row.createdAt,
    label: '认购',
    isCurrent: row.id === detail.row.id,
    content: (
      <>
        <Money value={row.amount} unit={row.marketName} />
        <span>
          支付 <Money value={row.pay} unit="USDT" />
        </span>
        {row.id === detail.row.id ? (
          <b>本次认购</b>
        ) : (
          <>
            <StateTag state={row.state} labels={ieoStates} tones={ieoTones} />
            {row.by !== null && <span className="ht-value-faint">{operatorDetail(row.by)}</span>}
            {row.reason !== '' && <span>原因：{row.reason}</span>}
            <span className="ht-value-faint">#{row.id}</span>
          </>
        )}
      </>
    ),
  }));
  return <Timeline events={[...orders, ...customerEvents(detail)]} note="每类最近 10 条" />;
}
