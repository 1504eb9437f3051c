import { PERMIT_MINUTES, approval } from '@hengtai/contract/desk/approval/calls';
import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import type { ApprovalDetail, ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import { Suspense, use, useState } from 'react';
import { toDisplayError } from '../../../api/display-error.ts';
import { type Outcome, useRead } from '../../../api/hooks.ts';
import { useMe } from '../../../api/me.ts';
import { toast } from '../../../api/toast.ts';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import { doneText } from '../../../actions/done-text.ts';
import { RecordPlaceContext } from '../../../ui/dialog/record-place.ts';
import { Hash } from '../../../ui/value/Hash.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { lazyComponent } from '../../../ui/page/lazy-component.tsx';
import { targetText } from '@hengtai/contract/authority/target';
import { frozenChallengeOf } from '../../funds/withdraw/exported/frozen-challenge.ts';
import { ApprovalContent } from './ApprovalContent.tsx';
import { ExceptionSigns } from './ExceptionSigns.tsx';
import { type Decision, decisionWords, problemText, stateText } from './actions.ts';
import { caseTypeOf, recordKindOf } from './record-kinds.ts';
import { exceptionsOf } from './four-eyes-words.ts';
import { QueryPlace } from '../../../api/QueryPlace.tsx';

interface Props {
  decision: Decision;
  row: ApprovalRow;
  onClose: () => void;
  onDone: (row: ApprovalRow) => void;
}

// On demand: of the lock, and of a reset password.
const KnownTicks = lazyComponent(async () => (await import('./KnownTicks.tsx')).KnownTicks);
const ResetLink = lazyComponent(async () => (await import('./ResetLink.tsx')).ResetLink);

/**
 * Level 2, for a payout to a frozen user level 3: passes or rejects a request. Passing sends the displayed hash, so that only
 * this content can pass.
 */
export function ApprovalDialog({ decision, row, onClose, onDone }: Props) {
  const { id } = row;
  const query = useRead(approval.detail, { id }, { staleTime: 0 });
  const { data: detail, error } = query;
  const isInRecord = use(RecordPlaceContext) !== undefined;
  const { verb, danger } = decisionWords[decision];
  const isPass = decision === 'pass';
  const record = useRecordEssentials(detail);
  const amounts =
    record.essentials?.amounts ?? (row.amount === null ? undefined : [{ value: row.amount, unit: 'USDT' }]);
  const isLock = isPass && row.type === approval.lock.approvable;
  const exceptions = isLock ? exceptionsOf(row.input) : [];
  const fourEyesQuery = useRead(approval.fourEyes, {}, { enabled: isLock });
  const { data: fourEyes } = fourEyesQuery;
  const [known, setKnown] = useState<readonly number[]>([]);
  const me = useMe();
  const [signed, setSigned] = useState<readonly string[]>([]);
  const [link, setLink] = useState<ApprovalRow['link']>();

  function onEnd(outcome: Outcome<ApprovalRow>) {
    const decided = outcome.kind === 'done' ? outcome.data : undefined;
    if (decided && isLinkMissing(decided)) toast.warning('复核已通过，但链接不能再次显示，请重新提交重置。');
    if (decided?.link) setLink(decided.link);
    else onDone(row);
  }

  if (link)
    return (
      <Suspense>
        <ResetLink row={row} link={link} onClose={() => onDone(row)} />
      </Suspense>
    );
  return (
    <ActionDialog
      call={isPass ? approval.pass : approval.reject}
      input={{
        id,
        ...(isPass && detail && { hash: detail.row.hash }),
        ...(exceptions.length > 0 && { exceptions: [...signed] }),
        ...(isLock && { known: [...known] }),
      }}
      signs={isPass && SIGNED_TYPES.includes(row.type) ? { ids: [id], action: 'approve' } : undefined}
      successText={(decided, msg) =>
        isLinkMissing(decided) ? undefined : doneText({ msg, title: `${verb} #${id}：${row.title}`, verb, amounts })
      }
      title={`${titles[decision]} #${id}`}
      verb={verb}
      danger={danger}
      width={680}
      query={query}
      loading={record.isLoading}
      blocked={findBlockedReason()}
      {...(isPass && SIGNED_TYPES.includes(row.type) && detail?.user?.state === 0 && frozenChallengeOf(detail.user))}
      amounts={amounts}
      {...(record.essentials?.address && { address: record.essentials.address })}
      details={[
        { label: '操作', value: row.title, essential: true },
        ...(record.essentials?.details ?? userDetails(row)),
        { label: '对象', value: targetText(row) },
        { label: '提交人', value: row.maker },
        { label: '提交时间', value: <Time value={row.createdAt} /> },
      ]}
      stateText={stateText}
      onDone={onEnd}
      onClose={onClose}
    >
      {detail && !isInRecord && <ApprovalContent detail={detail} hasReason />}
      {record.failed && <QueryPlace query={record.failed} isSmall />}
      {exceptions.length > 0 && <ExceptionSigns exceptions={exceptions} signed={signed} onChange={setSigned} />}
      {isLock && !fourEyes && <QueryPlace query={fourEyesQuery} isSmall />}
      {isLock && fourEyes && (
        <Suspense>
          <KnownTicks holders={fourEyes.holders} always={[row.maker, me.admin]} known={known} onChange={setKnown} />
        </Suspense>
      )}
      {!isInRecord && (
        <p className="ht-approval-print">
          <span className="ht-value-faint">内容指纹</span> <Hash value={row.hash} label="内容指纹" />
        </p>
      )}
      <p className="ht-dialog-consequence" data-danger={danger}>
        {isPass ? passConsequence(row) : `「${row.title}」不会执行，对象回到提交前的状态。`}
      </p>
    </ActionDialog>
  );

  function findBlockedReason(): string | undefined {
    if (!isPass) return undefined;
    if (error && !detail) return toDisplayError(error).msg;
    if (isLock && !fourEyes) return '正在加载关键权限持有者';
    if (record.failed) return '对象的详情没有加载';
    return problemText(detail) ?? (signed.length < exceptions.length ? '请逐项签署保持关闭的策略' : undefined);
  }
}

/** The user of a request whose record has no case. */
const userDetails = ({ account, userId }: ApprovalRow) =>
  account === null ? [] : [{ label: '用户', value: `${account}（${userId}）`, essential: true }];

const titles: Readonly<Record<Decision, string>> = { pass: '通过复核', reject: '驳回复核' };

/** What the confirmation repeats of the record, whose case may have scrolled away; `failed` if it could not be read. */
function useRecordEssentials(detail: ApprovalDetail | undefined) {
  const type = detail && caseTypeOf(detail);
  const kind = type && recordKindOf(type);
  const query = useRead(kind?.call ?? approval.detail, kind && { id: detail.row.targetId }, { staleTime: 0 });
  const essentials = kind && query.data !== undefined ? kind.readEssentials(query.data) : undefined;
  return { essentials, isLoading: query.isLoading, failed: query.error && !essentials ? query : undefined };
}

/** True if a password reset passed but the answer has no link: only the first answer carries it, a retry does not. */
const isLinkMissing = ({ type, state, link }: ApprovalRow): boolean =>
  type === 'agent.pwdUpdate' && state === APPROVAL.passed && link === undefined;

/** They order a payout. */
const SIGNED_TYPES: readonly string[] = ['withdraw.pass', 'withdraw.retry'];

const PERMIT_TYPES: readonly string[] = ['user.token', 'user.pwdUpdate'];

function passConsequence({ title, type, required, given }: ApprovalRow): string {
  if (required > given + 1) return `需要 ${required} 名复核员：您通过后还须另一名复核员通过，才执行「${title}」。`;
  if (PERMIT_TYPES.includes(type)) return `通过后准许提交人在 ${PERMIT_MINUTES} 分钟内操作一次「${title}」。`;
  if (type === 'agent.pwdUpdate') return '通过后您会得到一个一次性链接，由您交给该代理本人设置新密码。';
  return `通过后立即执行「${title}」，执行前会重新检查全部条件，并核对内容指纹。`;
}
