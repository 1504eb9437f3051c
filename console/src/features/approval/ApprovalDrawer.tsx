import { APPROVAL, approval, approvalStates } from '@hengtai/contract/approval';
import type { ApprovalDetail, ApprovalRow } from '@hengtai/contract/approval.schema';
import { toDisplayError } from '../../api/display-error.ts';
import { useRead } from '../../api/hooks.ts';
import { PageLink } from '../../navigation/PageLink.tsx';
import { TargetLink } from '../../navigation/TargetLink.tsx';
import { Countdown } from '../../ui/Countdown.tsx';
import { GreyedAction } from '../../ui/GreyedAction.tsx';
import { Hash } from '../../ui/Hash.tsx';
import { Money } from '../../ui/Money.tsx';
import { PageDrawer } from '../../ui/PageDrawer.tsx';
import { Section } from '../../ui/Section.tsx';
import { StateTag } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { useKeys } from '../../ui/keys.ts';
import { ErrorState } from '../../ui/list-states.tsx';
import { ApprovalContent } from './ApprovalContent.tsx';
import { VoteCount, approvalTones } from './columns.tsx';
import { type Decider, type Decision, checkersText, decisionWords, decisions, disabledReasonOf } from './actions.ts';
import { DetailItem } from '../../ui/DetailItem.tsx';
import { useZone } from '../../ui/zone.ts';
import { permitText } from './permit.ts';

interface Props {
  id: number | undefined;
  decider: Decider;
  /** True if the operator may read the audit log, to which the drawer links. */
  drawer: boolean;
  /** Remaining requests of the queue; undefined outside the queue. */
  left: number | undefined;
  /** The request that follows in the queue; it is loaded ahead. */
  next: number | undefined;
  onAct: (decision: Decision, row: ApprovalRow) => void;
  onClose: () => void;
}

const HINTS = { pass: 'A', reject: 'R' } as const;
const EVERY_MS = 15_000;
/** How long a request that was loaded ahead is not loaded again while the one before it is open. */
const AHEAD_MS = 60_000;

/** One request with its content and maker. The keys A (pass) and R (reject) open the dialog. */
export function ApprovalDrawer({ id, decider, drawer, left, next, onAct, onClose }: Props) {
  const { data, error, refetch } = useRead(
    approval.detail,
    { id: id ?? 0 },
    { enabled: id !== undefined, every: EVERY_MS, staleTime: 0 },
  );
  const detail = data?.row.id === id ? data : undefined;
  useRead(
    approval.detail,
    { id: next ?? 0 },
    { enabled: next !== undefined && detail !== undefined, staleTime: AHEAD_MS },
  );
  const disabledReasonFor = (decision: Decision) => detail && disabledReasonOf(decision, detail.row, decider, detail);
  const act = (decision: Decision) => () => {
    if (detail && disabledReasonFor(decision) === undefined) onAct(decision, detail.row);
  };
  useKeys({ a: act('pass'), r: act('reject') }, id !== undefined);
  return (
    <PageDrawer
      open={id !== undefined}
      width={720}
      title={
        <span className="ap-head">
          复核 #{id}
          {detail && <StateTag state={detail.row.state} labels={approvalStates} tones={approvalTones} />}
          {detail && <VoteCount row={detail.row} />}
          {detail?.row.state === APPROVAL.open && <Countdown until={detail.row.expiresAt} />}
        </span>
      }
      extra={left !== undefined && <span role="status">{`复核队列 · 剩余 ${left} 条`}</span>}
      footer={
        detail && (
          <div className="ap-actions">
            {decisions.map((decision) => (
              <GreyedAction
                key={decision}
                look="button"
                primary={decision === 'pass'}
                danger={decisionWords[decision].danger}
                disabledReason={disabledReasonFor(decision)}
                hint={HINTS[decision]}
                onClick={act(decision)}
              >
                {decisionWords[decision].verb}
              </GreyedAction>
            ))}
            {disabledReasonFor('pass') !== undefined && <span className="ap-why">{disabledReasonFor('pass')}</span>}
          </div>
        )
      }
      onClose={onClose}
    >
      {error && !detail ? (
        <ErrorState error={toDisplayError(error)} onRetry={() => void refetch()} />
      ) : detail ? (
        <Body detail={detail} drawer={drawer} />
      ) : (
        <Skeleton />
      )}
    </PageDrawer>
  );
}

function Body({ detail, drawer }: { detail: ApprovalDetail; drawer: boolean }) {
  const { row, checkers } = detail;
  const open = row.state === APPROVAL.open;
  const permit = permitText(row, useZone());
  return (
    <>
      <Section title="将执行的操作" aside={<TargetLink target={row} />}>
        <p className="ap-action">{row.title}</p>
        {row.amount !== null && (
          <div className="ht-amount-large">
            <Money value={row.amount} unit="USDT" digits={2} rough />
          </div>
        )}
        <ApprovalContent detail={detail} />
      </Section>
      <Section
        title="提交与复核"
        more={drawer && <PageLink to={`/audit?targetType=approval&targetId=${row.id}`}>审计记录</PageLink>}
      >
        <dl className="ht-details">
          <DetailItem label="提交人">{row.maker}</DetailItem>
          <DetailItem label="提交时间">
            <Time value={row.createdAt} />
          </DetailItem>
          {open ? (
            <DetailItem label="可复核" wide>
              {checkersText(checkers)}
            </DetailItem>
          ) : (
            <>
              <DetailItem label="复核人">{row.checker ?? '--'}</DetailItem>
              <DetailItem label="复核时间">
                <Time value={row.decidedAt} />
              </DetailItem>
            </>
          )}
          <DetailItem label="过期时间" wide>
            <Time value={row.expiresAt} />
          </DetailItem>
          {permit !== undefined && (
            <DetailItem label="准许" wide>
              {permit}
            </DetailItem>
          )}
          {row.answer && (
            <DetailItem label={row.state === APPROVAL.failed ? '失败原因' : '复核意见'} wide>
              {row.answer}
            </DetailItem>
          )}
          <DetailItem label="内容指纹" wide>
            <Hash full value={row.hash} what="内容指纹" />
          </DetailItem>
        </dl>
      </Section>
    </>
  );
}

const Skeleton = () => (
  <div aria-busy role="status" aria-label="加载中">
    {Array.from({ length: 10 }, (_, i) => (
      <span key={i} className="ht-skeleton-line ap-bone" />
    ))}
  </div>
);
