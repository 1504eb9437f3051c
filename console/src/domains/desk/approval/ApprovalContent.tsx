import '../../../ui/page/section.css';
import { approval } from '@hengtai/contract/desk/approval/calls';
import type { ApprovalDetail, ApprovalItem } from '@hengtai/contract/desk/approval/schema';
import { type ReactNode, Suspense } from 'react';
import { send } from '../../../api/client.ts';
import { DetailItem } from '../../../ui/value/DetailItem.tsx';
import { lazyComponent } from '../../../ui/page/lazy-component.tsx';
import { LedgerLines } from '../../../records/LedgerLines.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { useMinute } from '../../../ui/value/minute.ts';
import { PriceTime } from '../../../ui/value/PriceTime.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { RecordChanges } from './RecordChanges.tsx';

const LONG = 18;

// On demand: each belongs to few kinds of requests.
const WhatIf = lazyComponent(async () => (await import('../../risk/auto-payout/exported/WhatIf.tsx')).WhatIf);
const BacktestPanel = lazyComponent(
  async () => (await import('../../risk/rule/exported/BacktestPanel.tsx')).BacktestPanel,
);

interface Props {
  detail: ApprovalDetail;
  /** Whether the reason of the maker is shown here; a case shows it in its head. */
  hasReason?: boolean;
}

/** What the approval will execute: the stored input, the current state of its target and the ledger lines. */
export function ApprovalContent({ detail, hasReason = false }: Props) {
  const { asked: inputItems, now: stateItems, lines, linesWhen, problem, intact, row } = detail;
  const { changes = [], moved = [], movedBy, terms = [], consequence } = detail;
  const isLock = row.type === approval.lock.approvable;
  const reason = hasReason && (
    <DetailItem wide label="提交原因">
      {row.reason || '--'}
    </DetailItem>
  );
  return (
    <div className="ht-approval-content">
      {!intact && (
        <p className="ht-approval-alarm" role="alert">
          申请内容与提交时的指纹不符：存储的内容在提交之后被改动过，不会被执行。请驳回并通知负责人。
        </p>
      )}
      {moved.length > 0 && (
        <RecordChanges title="提交之后的变动" heads={['提交时将成为', '现在将成为']} changes={moved}>
          {movedBy && (
            <p className="ht-approval-record">
              {movedBy.by ?? '平台'} 修改于 <Time value={movedBy.at} />
            </p>
          )}
        </RecordChanges>
      )}
      {changes.length > 0 && <RecordChanges title="变更内容" heads={['现在', '通过后']} changes={changes} />}
      {terms.length > 0 && <Items title="相关条款" items={terms} />}
      {changes.length === 0 && (
        <Items title={isLock ? '锁定后的复核策略与限额' : '提交的内容'} items={inputItems}>
          {reason}
        </Items>
      )}
      {changes.length === 0 && stateItems.length > 0 && (
        <Items title={isLock ? '关键权限持有者' : '对象现状'} items={stateItems} />
      )}
      {changes.length > 0 && (
        <>
          {reason && <dl className="ht-value-details">{reason}</dl>}
          <details className="ht-approval-input">
            <summary>提交的内容与对象现状</summary>
            <Items title="提交的内容" items={inputItems} />
            {stateItems.length > 0 && <Items title="对象现状" items={stateItems} />}
          </details>
        </>
      )}
      <Estimates detail={detail} />
      {consequence !== undefined && <p className="ht-dialog-consequence">{consequence}</p>}
      {lines.length > 0 && (
        <>
          <h3 className="ht-approval-part">
            记账预览<span className="ht-page-aside">{linesWhen}，按账本当前余额</span>
          </h3>
          <LedgerLines title="将要记账" lines={lines} showBefore />
        </>
      )}
      {intact && problem !== null && (
        <p className="ht-approval-alarm" role="status">
          当前不能执行：{problem}
        </p>
      )}
    </div>
  );
}

/** What its maker could look up about what would follow. */
const Estimates = ({ detail: { row, whatIf, backtest } }: Pick<Props, 'detail'>) => (
  <Suspense>
    {whatIf && (
      <>
        <h4 className="ht-approval-part">额度推算</h4>
        <WhatIf result={whatIf} />
      </>
    )}
    {backtest && (
      <>
        <h4 className="ht-approval-part">回测</h4>
        <BacktestPanel backtest={(period) => send(approval.backtest, { id: row.id, ...period })} canCombine={false} />
      </>
    )}
  </Suspense>
);

/** A price gets older; what is planned does not. */
function TimeValue({ value }: { value: number }) {
  const isAhead = value > useMinute() + 60_000;
  return isAhead ? <Time value={value} near /> : <PriceTime value={value} />;
}

interface ItemsProps {
  title: string;
  items: readonly ApprovalItem[];
  children?: ReactNode;
}

const Items = ({ title, items, children }: ItemsProps) => (
  <>
    <h3 className="ht-approval-part">{title}</h3>
    <dl className="ht-value-details">
      {items.map((item, index) => (
        <ItemDetail key={`${item.label} ${index}`} item={item} />
      ))}
      {children}
    </dl>
  </>
);

function ItemDetail({ item: { label, text, kind, unit } }: { item: ApprovalItem }) {
  return (
    <div className={kind === 'code' || text.length > LONG ? 'ht-value-details-wide' : undefined}>
      <dt>{label}</dt>
      <dd>
        {kind === 'amount' ? (
          <Money value={text} unit={unit ?? ''} />
        ) : kind === 'code' ? (
          <Hash full value={text} label={label} />
        ) : kind === 'time' ? (
          <TimeValue value={Number(text)} />
        ) : (
          text
        )}
      </dd>
    </div>
  );
}
