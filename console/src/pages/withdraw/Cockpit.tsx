import { type WithdrawAction, withdraw, withdrawStates } from '@hengtai/contract/withdraw';
import type { WithdrawDetail, WithdrawRow } from '@hengtai/contract/withdraw.schema';
import { Button } from 'antd';
import { faultOf } from '../../api/fault.ts';
import { useRead } from '../../api/hooks.ts';
import { PageLink } from '../../shell/PageLink.tsx';
import { GreyedAction } from '../../ui/GreyedAction.tsx';
import { Hash } from '../../ui/Hash.tsx';
import { Money } from '../../ui/Money.tsx';
import { Reader } from '../../ui/Reader.tsx';
import { Section } from '../../ui/Section.tsx';
import { StateTag } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { useKeys } from '../../ui/keys.ts';
import { FaultState } from '../../ui/list-states.tsx';
import { CockpitHistory } from './CockpitHistory.tsx';
import { CockpitSide } from './CockpitSide.tsx';
import { LedgerPreview } from './LedgerPreview.tsx';
import { Risks, withdrawTones } from './columns.tsx';
import { deedNames, deedWords, goesToSecond, whyNot } from './deeds.ts';

interface Props {
  id: number | undefined;
  able: boolean;
  /** In the queue: how many are left, this one included. */
  left: number | undefined;
  onAct: (action: WithdrawAction, row: WithdrawRow) => void;
  onClose: () => void;
}

const HINTS: Partial<Record<WithdrawAction, string>> = { pass: 'A', reject: 'R' };

/** Everything needed to decide about one withdrawal, on one screen. A passes, R rejects, both through the dialog. */
export function Cockpit({ id, able, left, onAct, onClose }: Props) {
  const { data, error, refetch } = useRead(
    withdraw.detail,
    { id: id ?? 0 },
    { enabled: id !== undefined, staleTime: 5000 },
  );
  const detail = data?.row.id === id ? data : undefined;
  const row = detail?.row;
  const act = (action: WithdrawAction) => () => {
    if (row && whyNot(action, row, able) === undefined) onAct(action, row);
  };
  useKeys({ a: act('pass'), r: act('reject') }, id !== undefined);

  return (
    <Reader
      open={id !== undefined}
      width="clamp(800px, 66vw, 1240px)"
      title={
        <span className="wd-head">
          提现 #{id}
          {row && <StateTag state={row.state} labels={withdrawStates} tones={withdrawTones} />}
        </span>
      }
      extra={left !== undefined && <span className="wd-left" role="status">{`审核队列 · 剩余 ${left} 条`}</span>}
      footer={
        row && <Deeds row={row} detail={detail} able={able} queue={left !== undefined} act={act} onClose={onClose} />
      }
      onClose={onClose}
    >
      {error && !detail ? (
        <FaultState fault={faultOf(error)} onRetry={() => void refetch()} />
      ) : detail ? (
        <div className="wd-box">
          <Body detail={detail} />
        </div>
      ) : (
        <Bones />
      )}
    </Reader>
  );
}

function Body({ detail }: { detail: WithdrawDetail }) {
  const { row } = detail;
  return (
    <div className="wd-cockpit">
      <div>
        <div className="wd-hero">
          <div className="ht-amount-large">
            <Money value={row.amount} unit={row.marketName} digits={18} />
          </div>
          <dl className="ht-facts">
            <Fact label="手续费">
              <Money value={row.fee} digits={18} />
            </Fact>
            <Fact label="到账">
              <Money value={row.received} digits={18} />
            </Fact>
            <Fact label="估值">
              <Money value={row.valuation} unit="USDT" digits={2} rough />
            </Fact>
            <Fact label="网络">{row.network}</Fact>
            <Fact label="申请">
              <Time value={row.createdAt} />
            </Fact>
            {row.memo && <Fact label="标签(Memo)">{row.memo}</Fact>}
            <Fact label="地址" wide>
              <Hash full value={row.address} what="地址" />
            </Fact>
            {row.txHash && (
              <Fact label="交易哈希" wide>
                <Hash full value={row.txHash} what="交易哈希" explorer={row.explorer} />
              </Fact>
            )}
            <Fact label="风险" wide>
              <Risks codes={detail.risk} none="未发现风险" />
            </Fact>
            {row.by && (
              <Fact label="审核" wide>
                {row.by} <Time value={row.reviewedAt} />
                {row.secondBy && <>，复核 {row.secondBy}</>}
                {row.reason && <>，原因：{row.reason}</>}
              </Fact>
            )}
            {detail.approval.openId !== null && (
              <Fact label="复核" wide>
                {detail.approval.maker ?? '其他操作员'} 已提交复核（
                <PageLink to={`/approval?open=${detail.approval.openId}`}>#{detail.approval.openId}</PageLink>）
              </Fact>
            )}
          </dl>
        </div>
        <Section title="记账预览" aside={`单位 ${row.marketName}，按账本当前余额`}>
          <LedgerPreview preview={detail.preview} />
        </Section>
      </div>
      <CockpitSide detail={detail} />
      <CockpitHistory detail={detail} />
    </div>
  );
}

function Fact({ label, wide, children }: { label: string; wide?: boolean; children: React.ReactNode }) {
  return (
    <div className={wide ? 'ht-fact-wide' : undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface DeedsProps {
  row: WithdrawRow;
  detail: WithdrawDetail | undefined;
  able: boolean;
  queue: boolean;
  act: (action: WithdrawAction) => () => void;
  onClose: () => void;
}

function Deeds({ row, detail, able, queue, act, onClose }: DeedsProps) {
  return (
    <>
      {deedNames.map((action) => {
        const { verb, danger } = deedWords[action];
        const hint = HINTS[action];
        const why = whyNot(action, row, able);
        return (
          <GreyedAction
            key={action}
            look="button"
            primary={action === 'pass'}
            danger={danger}
            why={why}
            onClick={act(action)}
            {...(hint && { hint })}
          >
            {why === undefined && goesToSecond(action, detail) ? `${verb}（提交复核）` : verb}
          </GreyedAction>
        );
      })}
      <span className="wd-foot-gap" />
      <Button onClick={onClose}>{queue ? '退出队列' : '关闭'}</Button>
    </>
  );
}

const Bones = () => (
  <div aria-busy role="status" aria-label="加载中">
    {Array.from({ length: 14 }, (_, i) => (
      <span key={i} className="ht-bone wd-bone" />
    ))}
  </div>
);
