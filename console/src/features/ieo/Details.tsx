import { ieoStates } from '@hengtai/contract/ieo.facts';
import type { IeoDetail } from '@hengtai/contract/ieo.schema';
import type { LedgerLine } from '@hengtai/contract/withdraw.schema';
import { operatorCell, operatorDetail } from '../../navigation/account-cells.tsx';
import { PageLink } from '../../navigation/PageLink.tsx';
import { Hash } from '../../ui/Hash.tsx';
import { LedgerLines } from '../../ui/LedgerLines.tsx';
import { type MiniColumn, MiniTable } from '../../ui/MiniTable.tsx';
import { Money } from '../../ui/Money.tsx';
import { Section, latestText } from '../../ui/Section.tsx';
import { StateTag } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { ieoTones } from './columns.tsx';
import { DetailItem } from '../../ui/DetailItem.tsx';
import { CustomerDetails } from '../user/exported/CustomerDetails.tsx';

interface Props {
  detail: IeoDetail;
}

/** One subscription with its customer and the other subscriptions of the customer. */
export const Details = ({ detail }: Props) => (
  <div className="ht-review">
    <Order detail={detail} />
    <Customer detail={detail} />
    <Others detail={detail} />
  </div>
);

/** The order, its decision and the ledger lines that each decision would post. */
function Order({ detail }: Props) {
  const { row, market, approval, preview } = detail;
  return (
    <div>
      <div className="ht-review-hero">
        <div className="ht-amount-large">
          <Money value={row.amount} unit={row.marketName} digits={18} />
        </div>
        <dl className="ht-details">
          <DetailItem label="支付">
            <b>
              <Money value={row.pay} unit="USDT" digits={18} />
            </b>
          </DetailItem>
          <DetailItem label="认购价">
            <Money value={row.price} unit="USDT" digits={18} />
          </DetailItem>
          <DetailItem label="最新价">
            <Money value={market.price} unit="USDT" digits={18} />
          </DetailItem>
          <DetailItem label="申请">
            <Time value={row.createdAt} />
          </DetailItem>
          <DetailItem label="认购状态">
            {market.ieo === 1 && market.state === 1 ? (
              '开放中'
            ) : (
              <b className="ht-warn-text">{market.ieo === 1 ? '市场未上架' : '已停止认购'}</b>
            )}
          </DetailItem>
          <DetailItem label="平台单号" wide>
            <Hash full value={row.no} what="平台单号" />
          </DetailItem>
          {(row.by !== null || row.reason !== '') && (
            <DetailItem label="审核" wide>
              {operatorDetail(row.by)} <Time value={row.reviewedAt} />
              {row.secondBy && <>，复核 {operatorDetail(row.secondBy)}</>}
              {row.reason && <>，原因：{row.reason}</>}
            </DetailItem>
          )}
          {approval.openId !== null && (
            <DetailItem label="复核" wide>
              {approval.maker ?? '其他操作员'} 已提交复核（
              <PageLink to={`/approval?open=${approval.openId}`}>#{approval.openId}</PageLink>）
            </DetailItem>
          )}
        </dl>
      </div>
      <Section title="记账预览" aside="按账本当前余额">
        {preview.pass.length + preview.reject.length === 0 ? (
          <p className="ht-faint">当前状态不会再记账</p>
        ) : (
          <div className="ht-review-previews">
            <Lines title="通过后" lines={preview.pass} />
            <Lines title="驳回后" lines={preview.reject} />
          </div>
        )}
      </Section>
    </div>
  );
}

function Lines({ title, lines }: { title: string; lines: readonly LedgerLine[] }) {
  return (
    <div>
      <h4 className="ht-faint">{title}</h4>
      <LedgerLines title={title} lines={lines} />
    </div>
  );
}

const balanceColumns: readonly MiniColumn<IeoDetail['balances'][number]>[] = [
  { title: '币种', cell: ({ marketName }) => marketName },
  { title: '可用', right: true, cell: ({ active }) => <Money value={active} digits={4} /> },
  { title: '冻结', right: true, cell: ({ frozen }) => <Money value={frozen} digits={4} /> },
];

/** The customer with its switches and balances. */
function Customer({ detail }: Props) {
  const { user, switches, balances } = detail;
  return (
    <div className="ht-review-side">
      <CustomerDetails user={user}>
        <DetailItem label="认购买入">{switchText(switches.ieoBuy)}</DetailItem>
        <DetailItem label="认购卖出">{switchText(switches.ieoSell)}</DetailItem>
      </CustomerDetails>
      <Section title="资金账户">
        <MiniTable
          label="资金账户"
          rows={balances}
          keyOf={({ marketId }) => marketId}
          none="没有余额"
          columns={balanceColumns}
        />
      </Section>
    </div>
  );
}

const switchText = (on: number) => (on === 1 ? '开' : <b className="ht-warn-text">关</b>);

const totalColumns: readonly MiniColumn<IeoDetail['totals'][number]>[] = [
  { title: '状态', cell: ({ state }) => <StateTag state={state} labels={ieoStates} tones={ieoTones} /> },
  { title: '笔数', right: true, cell: ({ count }) => count },
  { title: '认购数量', right: true, cell: ({ amount }) => <Money value={amount} /> },
  { title: '支付(USDT)', right: true, cell: ({ pay }) => <Money value={pay} /> },
];

const otherColumns: readonly MiniColumn<IeoDetail['others'][number]>[] = [
  { title: '编号', cell: ({ id }) => id },
  { title: '时间', cell: ({ createdAt }) => <Time value={createdAt} /> },
  { title: '币种', cell: ({ marketName }) => marketName },
  { title: '数量', right: true, cell: ({ amount }) => <Money value={amount} /> },
  { title: '认购价(USDT)', right: true, cell: ({ price }) => <Money value={price} /> },
  { title: '支付(USDT)', right: true, cell: ({ pay }) => <Money value={pay} /> },
  { title: '状态', cell: ({ state }) => <StateTag state={state} labels={ieoStates} tones={ieoTones} /> },
  { title: '审核人', cell: ({ by }) => operatorCell(by) },
  { title: '原因', cell: ({ reason }) => reason || '--' },
];

/** Totals and other subscriptions of the user. */
function Others({ detail: { row, totals, others } }: Props) {
  return (
    <div className="ht-review-wide">
      <Section title={`该用户的 ${row.marketName} 认购合计`} aside="含本笔">
        <MiniTable label="认购合计" rows={totals} keyOf={({ state }) => state} none="没有认购" columns={totalColumns} />
      </Section>
      <Section title="其他认购" aside={latestText(others.length, '笔')}>
        <MiniTable label="其他认购" rows={others} keyOf={({ id }) => id} none="没有其他认购" columns={otherColumns} />
      </Section>
    </div>
  );
}
