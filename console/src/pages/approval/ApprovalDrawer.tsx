import { approvalStates } from '@hengtai/contract/approval';
import type { ApprovalRow } from '@hengtai/contract/approval.schema';
import { withdraw, withdrawStates } from '@hengtai/contract/withdraw';
import type { MouseEvent, ReactNode } from 'react';
import { faultOf } from '../../api/fault.ts';
import { useRead } from '../../api/hooks.ts';
import { usePageRoute } from '../../shell/page-route.ts';
import { FaultNote } from '../../ui/FaultNote.tsx';
import { GreyedAction } from '../../ui/GreyedAction.tsx';
import { Hash } from '../../ui/Hash.tsx';
import { Money } from '../../ui/Money.tsx';
import { Reader } from '../../ui/Reader.tsx';
import { Section } from '../../ui/Section.tsx';
import { StateTag } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { useKeys } from '../../ui/keys.ts';
import { approvalTones } from './columns.tsx';
import { type Decision, decisionWords, decisions, inputOf, placeOf } from './deeds.ts';

interface Props {
  id: number | undefined;
  /** Undefined while it is being read, and where the list as filtered has it no more. */
  row: ApprovalRow | undefined;
  why: string | undefined;
  settled: boolean;
  /** In the queue: how many are left. */
  left: number | undefined;
  onAct: (decision: Decision, row: ApprovalRow) => void;
  onClose: () => void;
}

const HINTS = { pass: 'A', reject: 'R' } as const;

/** One request: what will be executed, for whom, and who asked for it. A passes, R rejects, both through the dialog. */
export function ApprovalDrawer({ id, row, why, settled, left, onAct, onClose }: Props) {
  const act = (decision: Decision) => () => {
    if (row && why === undefined) onAct(decision, row);
  };
  useKeys({ a: act('pass'), r: act('reject') }, id !== undefined);
  return (
    <Reader
      open={id !== undefined}
      title={
        <span className="ap-head">
          复核 #{id}
          {row && <StateTag state={row.state} labels={approvalStates} tones={approvalTones} />}
        </span>
      }
      extra={left !== undefined && <span role="status">{`复核队列 · 剩余 ${left} 条`}</span>}
      footer={
        row && (
          <div className="ap-deeds">
            {decisions.map((decision) => (
              <GreyedAction
                key={decision}
                look="button"
                primary={decision === 'pass'}
                danger={decisionWords[decision].danger}
                why={why}
                hint={HINTS[decision]}
                onClick={act(decision)}
              >
                {decisionWords[decision].verb}
              </GreyedAction>
            ))}
            {why !== undefined && <span className="ht-faint">{why}</span>}
          </div>
        )
      }
      onClose={onClose}
    >
      {row ? (
        <Body row={row} />
      ) : (
        settled && <p className="ht-faint">当前列表中没有这条记录，可能已被处理。可将状态改为「全部」再查看。</p>
      )}
    </Reader>
  );
}

function Body({ row }: { row: ApprovalRow }) {
  const fields = inputOf(row);
  return (
    <>
      <Section title="将执行的操作">
        <p className="ap-deed">{row.title}</p>
        {row.amount !== null && (
          <div className="ht-amount-large">
            <Money value={row.amount} unit="USDT" digits={2} rough />
          </div>
        )}
        <dl className="ht-facts">
          <Fact label="对象">
            <Target row={row} />
          </Fact>
          <Fact label="用户">{row.account === null ? '--' : `${row.account}（${row.userId}）`}</Fact>
          {fields.map(({ field, label, text }) => (
            <Fact key={field} label={label} wide={text.length > 24}>
              {text}
            </Fact>
          ))}
        </dl>
      </Section>
      {row.targetType === 'withdraw' && <Withdrawal id={row.targetId} />}
      <Section title="提交与复核">
        <dl className="ht-facts">
          <Fact label="提交人">{row.maker}</Fact>
          <Fact label="提交时间">
            <Time value={row.createdAt} />
          </Fact>
          <Fact label="过期时间">
            <Time value={row.expiresAt} />
          </Fact>
          <Fact label="复核人">{row.checker ?? '--'}</Fact>
          <Fact label="复核时间">
            <Time value={row.decidedAt} />
          </Fact>
          <Fact label="提交原因" wide>
            {row.reason || '--'}
          </Fact>
          {row.answer && (
            <Fact label="复核意见" wide>
              {row.answer}
            </Fact>
          )}
          <Fact label="内容指纹" wide>
            <Hash value={row.hash} what="内容指纹" />
          </Fact>
        </dl>
      </Section>
    </>
  );
}

function Target({ row }: { row: ApprovalRow }) {
  const { open } = usePageRoute();
  const { text, path } = placeOf(row);
  if (!path) return text;
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(path);
  };
  return (
    <a className="ap-link" href={path} onClick={onClick}>
      {text}
    </a>
  );
}

/** The withdrawal as it is now: the coin, the amount and the address that money goes to. */
function Withdrawal({ id }: { id: number }) {
  const { data, error } = useRead(withdraw.detail, { id }, { staleTime: 5000 });
  if (!data && error) return <FaultNote fault={faultOf(error)} />;
  const row = data?.row;
  return (
    <Section title="提现内容">
      <dl className="ht-facts" aria-busy={!row}>
        <Fact label="数量">
          <Money value={row?.amount} unit={row?.marketName ?? ''} digits={18} />
        </Fact>
        <Fact label="到账">
          <Money value={row?.received} unit={row?.marketName ?? ''} digits={18} />
        </Fact>
        <Fact label="网络">{row?.network ?? '--'}</Fact>
        <Fact label="状态">{row ? withdrawStates[row.state as keyof typeof withdrawStates] : '--'}</Fact>
        <Fact label="地址" wide>
          {row ? <Hash full value={row.address} what="地址" /> : '--'}
        </Fact>
      </dl>
    </Section>
  );
}

function Fact({ label, wide, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? 'ht-fact-wide' : undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
