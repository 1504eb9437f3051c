import { type Ability, abilityLabels } from '@hengtai/contract/authority/ability';
import { LOCK_HOLDERS, approval } from '@hengtai/contract/desk/approval/calls';
import type { FourEyesState } from '@hengtai/contract/desk/approval/schema';
import { useState } from 'react';
import { toDisplayError } from '../../../api/display-error.ts';
import { useRead } from '../../../api/hooks.ts';
import { useMe } from '../../../api/me.ts';
import { operatorCell } from '../../../navigation/account-cells.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { DetailItem, TimeItem } from '../../../ui/value/DetailItem.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { PageDrawer } from '../../../ui/dialog/PageDrawer.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { ErrorState } from '../../../ui/table/list-states.tsx';
import { KnownSection } from './KnownSection.tsx';
import { LockDialog } from './LockDialog.tsx';
import { isOff, policyWords } from './four-eyes-words.ts';

const EVERY_MS = 15_000;

/** 四眼: state of the lock, holders of guarded abilities, policies, and the request to lock. */
export function FourEyesDrawer({ onClose }: { onClose: () => void }) {
  const me = useMe();
  const { data, error, refetch } = useRead(approval.fourEyes, {}, { refetchMs: EVERY_MS, staleTime: 0 });
  const [locking, setLocking] = useState(false);
  return (
    <PageDrawer
      open
      width={720}
      title="四眼"
      footer={
        data &&
        !data.locked && (
          <div className="ht-approval-actions">
            <GreyedAction
              look="button"
              primary
              disabledReason={lockDisabledReasonOf(data, me.top)}
              onClick={() => setLocking(true)}
            >
              锁定四眼
            </GreyedAction>
            {lockDisabledReasonOf(data, me.top) !== undefined && (
              <span className="ht-approval-why">{lockDisabledReasonOf(data, me.top)}</span>
            )}
          </div>
        )
      }
      onClose={onClose}
    >
      {data ? (
        <FourEyesContent state={data} />
      ) : error ? (
        <ErrorState error={toDisplayError(error)} onRetry={() => void refetch()} />
      ) : (
        <span className="ht-page-skeleton-line" role="status" aria-label="加载中" />
      )}
      {locking && data && <LockDialog state={data} onClose={() => setLocking(false)} />}
    </PageDrawer>
  );
}

function lockDisabledReasonOf({ asked, problem }: FourEyesState, top: boolean): string | undefined {
  if (!top) return '仅顶级管理员可提交锁定';
  return asked === null ? (problem ?? undefined) : '锁定申请正等待复核';
}

const HOLDER_COLUMNS: readonly MiniColumn<FourEyesState['holders'][number]>[] = [
  { title: '账号', cell: ({ account }) => <b>{operatorCell(account)}</b> },
  { title: '权限', cell: ({ abilities }) => abilityNames(abilities) },
  {
    title: '验证码',
    cell: ({ codes }) => (codes ? '已启用' : <span className="ht-value-warn">未启用</span>),
  },
  { title: '复核', cell: (holder) => <ApproverStatus holder={holder} /> },
];

const POLICY_COLUMNS: readonly MiniColumn<FourEyesState['policies'][number]>[] = [
  { title: '操作', cell: ({ name }) => name },
  {
    title: '何时复核',
    cell: (policy) => <span className={isOff(policy) ? 'ht-value-warn' : undefined}>{policyWords(policy)}</span>,
  },
];

function FourEyesContent({ state }: { state: FourEyesState }) {
  const me = useMe();
  const { locked, holders, policies } = state;
  return (
    <>
      <Section title="状态" aside={<StateTag state={locked ? 1 : 0} labels={LABELS} tones={TONES} />}>
        <LockStatus state={state} />
      </Section>
      <Section title="关键权限持有者" aside={`锁定需要至少 ${LOCK_HOLDERS} 名已启用验证码的复核员`}>
        <MiniTable
          label="关键权限持有者"
          rows={holders}
          keyOf={({ id }) => id}
          empty="仅总部人员可查看全部持有者"
          columns={HOLDER_COLUMNS}
        />
      </Section>
      {locked && <KnownSection ownId={me.id} />}
      <Section title="复核策略" more={<PageLink to="/config">系统设置</PageLink>}>
        <MiniTable
          label="复核策略"
          rows={policies}
          keyOf={({ key }) => key}
          empty="没有复核策略"
          columns={POLICY_COLUMNS}
        />
      </Section>
    </>
  );
}

const LABELS = { 0: '未锁定', 1: '已锁定' };
const TONES = { 0: 'wait', 1: 'good' } as const;

const abilityNames = (abilities: readonly number[]): string =>
  abilities.map((ability) => abilityLabels[ability as Ability] ?? ability).join('、');

/** Explains the lock state and shows when it changed and who changed it. */
function LockStatus({ state }: { state: FourEyesState }) {
  const { locked, lockedAt, lockedBy, confirmedBy, unlockedAt, appointedAt, asked, problem } = state;
  return (
    <>
      <p className="ht-approval-standing">
        {locked
          ? '任何人（包括顶级管理员）都不能独自放宽保护：放宽策略和设置、授予关键权限、重置持有者的密码，都要另一位复核员确认。只能通过服务器命令解除。'
          : '一个人仍可关闭复核策略或为自己安排复核员。锁定后，放宽保护的操作都需要第二个人，顶级管理员也不例外。'}
      </p>
      {asked !== null && (
        <p className="ht-approval-standing" role="status">
          锁定申请正等待另一位复核员确认：<PageLink to={`/approval?open=${asked}`}>{`复核 #${asked}`}</PageLink>
        </p>
      )}
      {!locked && asked === null && problem !== null && (
        <p className="ht-approval-alarm" role="status">
          当前不能锁定：{problem}
        </p>
      )}
      <dl className="ht-value-details">
        {locked && (
          <>
            <TimeItem label="锁定时间" value={lockedAt} />
            <DetailItem label="提交人">{lockedBy ?? '--'}</DetailItem>
            <DetailItem label="确认人">{confirmedBy ?? '--'}</DetailItem>
          </>
        )}
        {unlockedAt !== null && <TimeItem label="上次解除" value={unlockedAt} />}
        {appointedAt !== null && <TimeItem label="上次指定" value={appointedAt} />}
      </dl>
    </>
  );
}

function ApproverStatus({ holder: { approver, approverFrom } }: { holder: FourEyesState['holders'][number] }) {
  if (approver) return '有效';
  if (approverFrom === null) return '--';
  return (
    <>
      <Time value={approverFrom} /> 起有效
    </>
  );
}
