import { ADDRESS_LIST } from '@hengtai/contract/risk/address-list/calls';
import { addressLists } from '@hengtai/contract/risk/address-list/facts';
import { kyc } from '@hengtai/contract/risk/kyc/calls';
import { screening as calls } from '@hengtai/contract/risk/screening/calls';
import { screenObstacles, screenResults, screeningActions } from '@hengtai/contract/risk/screening/facts';
import type { ListedAddress, ScreenAnswer, ScreenRequest, Screening } from '@hengtai/contract/risk/screening/schema';
import { withdraw } from '@hengtai/contract/funds/withdraw/calls';
import { useState } from 'react';
import { ActionDialog } from '../../../../actions/ActionDialog.tsx';
import { AFTER_APPROVAL } from '../../../../actions/approval-words.ts';
import { useFourEyesLocked } from '../../../../api/me.ts';
import { operatorDetail } from '../../../../navigation/account-cells.tsx';
import { GreyedAction } from '../../../../ui/dialog/GreyedAction.tsx';
import { Section } from '../../../../ui/page/Section.tsx';
import { Time } from '../../../../ui/value/Time.tsx';

const kinds = {
  withdraw: { request: calls.requestWithdraw, bypass: calls.bypassWithdraw, detail: withdraw.detail },
  auth: { request: calls.requestAuth, bypass: calls.bypassAuth, detail: kyc.detail },
} as const;

interface Props {
  type: keyof typeof kinds;
  id: number;
  screening: Screening;
  /** Entries about other accounts of the same owner. */
  related?: readonly ListedAddress[];
  /** Why nothing can be done about it now. */
  disabledReason: string | undefined;
}

/** What providers and address lists say about a record, why it cannot pass, and what an operator can do. */
export function ScreeningPanel({ type, id, screening, related = [], disabledReason }: Props) {
  const [dialog, setDialog] = useState<'request' | 'bypass'>();
  const { listed, requests, bypass, obstacle } = screening;
  const isAwaited = obstacle === 'pending' ? '正在等待答复' : undefined;
  return (
    <Section
      title="筛查"
      aside={<State screening={screening} />}
      more={
        <>
          <GreyedAction disabledReason={disabledReason ?? isAwaited} onClick={() => setDialog('request')}>
            {requests.length === 0 ? '发起筛查' : '重新筛查'}
          </GreyedAction>
          <GreyedAction
            danger
            disabledReason={disabledReason ?? (obstacle === null ? '筛查没有阻止此记录' : undefined)}
            onClick={() => setDialog('bypass')}
          >
            {screeningActions.bypassWithdraw.summary}
          </GreyedAction>
        </>
      }
    >
      <ul className="ht-records-case-lines" aria-label="筛查结果">
        {listed.map((entry) => (
          <Listed key={entry.id} entry={entry} />
        ))}
        {related.map((entry) => (
          <Listed key={entry.id} entry={entry} prefix="关联地址：" />
        ))}
        {bypass && (
          <li>
            <b>已绕过</b>
            <span>
              {operatorDetail(bypass.by)}
              {bypass.secondBy !== null && <>，由 {operatorDetail(bypass.secondBy)} 复核</>}：{bypass.reason}
            </span>
            <Time value={bypass.at} />
          </li>
        )}
        {requests.flatMap((request) => requestLines(request))}
      </ul>
      {dialog && (
        <Dialog kind={dialog} type={type} id={id} screening={screening} onClose={() => setDialog(undefined)} />
      )}
    </Section>
  );
}

function State({ screening: { obstacle, demanded, validUntil, bypass } }: { screening: Screening }) {
  if (obstacle !== null) return <span className="ht-value-risk">{screenObstacles[obstacle]}，不能通过</span>;
  if (validUntil !== null)
    return (
      <>
        未命中，有效至 <Time value={validUntil} />
      </>
    );
  if (bypass) return '已绕过';
  return demanded ? '没有阻止' : '不需要筛查';
}

interface ListedProps {
  entry: ListedAddress;
  prefix?: string;
}

const Listed = ({ entry: { list, reason, source, createdAt }, prefix = '' }: ListedProps) => (
  <li>
    <span className={list === ADDRESS_LIST.allowed ? 'ht-value-risk ht-value-risk-none' : 'ht-value-risk'}>
      {prefix}
      {addressLists[list]}
    </span>
    <span>{[source, reason].filter((text) => text !== '').join('：')}</span>
    <Time value={createdAt} />
  </li>
);

/** The answers of a request, or that there is none. */
function requestLines({ no, by, createdAt, dueAt, failure, answers }: ScreenRequest) {
  if (answers.length > 0) return answers.map((answer) => <Answer key={answer.id} no={no} answer={answer} />);
  const state = failure === null ? '等待答复，期限' : `服务商出错：${failure}`;
  return [
    <li key={no}>
      <b>{no}</b>
      <span className="ht-value-faint">
        {by === null ? '系统' : operatorDetail(by)} 请求筛查，{state} {failure === null && <Time value={dueAt} />}
      </span>
      <Time value={createdAt} />
    </li>,
  ];
}

const Answer = ({ no, answer }: { no: string; answer: ScreenAnswer }) => {
  const { provider, result, score, categories, reference, at, late } = answer;
  return (
    <li>
      <b>{provider}</b>
      <span className={result === 'clear' ? 'ht-value-risk ht-value-risk-none' : 'ht-value-risk'}>
        {screenResults[result]}
      </span>
      {score !== null && <span>风险 {score}</span>}
      {categories.length > 0 && <span>{categories.join('、')}</span>}
      <span className="ht-value-faint">
        {[no, reference, late ? '迟到' : ''].filter((text) => text !== '').join(' · ')}
      </span>
      <Time value={at} />
    </li>
  );
};

interface DialogProps extends Pick<Props, 'type' | 'id' | 'screening'> {
  kind: 'request' | 'bypass';
  onClose: () => void;
}

/** Level 2: requests a screening again, or lets the record pass without. */
function Dialog({ kind, type, id, screening: { obstacle, seen }, onClose }: DialogProps) {
  const isLocked = useFourEyesLocked();
  const { request, bypass } = kinds[type];
  const state = obstacle === null ? '没有阻止' : screenObstacles[obstacle];
  const common = { details: [{ label: '筛查', value: state, wide: true }], onClose };
  if (kind === 'request')
    return (
      <ActionDialog
        {...common}
        call={request}
        input={{ id }}
        title={`重新筛查 #${id}`}
        verb="请求筛查"
        consequence="平台再次询问筛查服务商；此前的命中不会因此解除。"
        successText="已请求筛查"
      />
    );
  const consequence = '只涵盖现在看到的结果，之后再有命中会重新拦下。';
  return (
    <ActionDialog
      {...common}
      call={bypass}
      input={{ id, seen }}
      title={`绕过筛查 #${id}`}
      verb="绕过筛查"
      needsChecker={isLocked}
      consequence={isLocked ? `${AFTER_APPROVAL}：${consequence}` : `此记录可以通过。${consequence}`}
      successText="已绕过筛查"
    />
  );
}
