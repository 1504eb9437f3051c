import './approval.css';
import { ABILITY } from '@hengtai/contract/ability';
import { APPROVAL, approval } from '@hengtai/contract/approval';
import type { ApprovalRow } from '@hengtai/contract/approval.schema';
import { Button } from 'antd';
import { Suspense, lazy, useEffect, useRef, useState } from 'react';
import { prefetchList, useList } from '../../lists/list.ts';
import { useCan, useMe } from '../../api/me.ts';
import { useQueue } from '../../lists/queue.ts';
import { ListFrame } from '../../lists/ListFrame.tsx';
import { usePageRoute } from '../../navigation/page-route.ts';
import { GreyedAction } from '../../ui/GreyedAction.tsx';
import { ApprovalDialog } from './ApprovalDialog.tsx';
import { ApprovalDrawer } from './ApprovalDrawer.tsx';
import { approvalColumns } from './columns.tsx';
import { type Decision, NO_ABILITY, decisionWords, decisions, disabledReasonOf } from './actions.ts';

const FourEyesDrawer = lazy(async () => ({ default: (await import('./FourEyesDrawer.tsx')).FourEyesDrawer }));

prefetchList(approval.list, '/approval');

const SHORTCUTS = [
  { keys: ['A'], what: '通过（详情打开时）' },
  { keys: ['R'], what: '驳回（详情打开时）' },
  { keys: ['1…9'], what: '选择常用原因（对话框中）' },
  { keys: ['Ctrl', 'Enter'], what: '确认（对话框中）' },
];

/** 复核: open and decided approvals. */
export function ApprovalPage() {
  useDefaultOpenFilter();
  const me = useMe();
  const decider = { account: me.admin, hasAbility: useCan(ABILITY.approval) };
  const drawer = useCan(ABILITY.audit);
  const list = useList(approval.list, { seconds: 15 });
  const queue = useQueue({
    rows: list.rows,
    isWaiting: (row) => disabledReasonOf('reject', row, decider) === undefined,
    isSettled: !list.pending && !list.changing,
    left: list.total,
  });
  const fourEyes = useFourEyesPanel();
  const [dialog, setDialog] = useState<{ decision: Decision; row: ApprovalRow }>();

  const startQueue = () =>
    list.choose(
      { filters: { ...list.state.filters, state: APPROVAL.open, states: '' }, sort: 'createdAt' },
      { queue: '1', open: undefined },
    );

  return (
    <ListFrame
      title="复核"
      note={queue.queue && (queue.empty ? '复核队列已清空' : `复核队列 · 剩余 ${queue.left ?? '--'} 条`)}
      tools={
        <>
          <GreyedAction
            look="button"
            disabledReason={decider.hasAbility ? undefined : NO_ABILITY}
            onClick={fourEyes.show}
          >
            四眼
          </GreyedAction>
          {queue.queue ? (
            <Button onClick={queue.close}>退出队列</Button>
          ) : (
            <GreyedAction
              look="button"
              disabledReason={decider.hasAbility ? undefined : NO_ABILITY}
              onClick={startQueue}
            >
              复核队列
            </GreyedAction>
          )}
        </>
      }
      list={list}
      columns={approvalColumns}
      openId={queue.open}
      onOpen={(row) => queue.show(row.id)}
      shortcuts={SHORTCUTS}
      next="需要第二人复核的操作提交后会出现在这里。"
      actions={{
        width: 150,
        render: (row) => (
          <>
            <GreyedAction disabledReason={undefined} onClick={() => queue.show(row.id)}>
              详情
            </GreyedAction>
            {decisions.map((decision) => (
              <GreyedAction
                key={decision}
                danger={decisionWords[decision].danger}
                disabledReason={disabledReasonOf(decision, row, decider)}
                onClick={() => setDialog({ decision, row })}
              >
                {decisionWords[decision].short}
              </GreyedAction>
            ))}
          </>
        ),
      }}
    >
      <ApprovalDrawer
        id={queue.open}
        decider={decider}
        drawer={drawer}
        left={queue.left}
        next={queue.next}
        onAct={(decision, row) => setDialog({ decision, row })}
        onClose={queue.close}
      />
      {fourEyes.open && decider.hasAbility && queue.open === undefined && (
        <Suspense>
          <FourEyesDrawer onClose={fourEyes.close} />
        </Suspense>
      )}
      {dialog && (
        <ApprovalDialog
          {...dialog}
          onClose={() => setDialog(undefined)}
          onDone={({ id }) => {
            setDialog(undefined);
            queue.onDecided(id);
          }}
        />
      )}
    </ListFrame>
  );
}

/** Opens the page filtered by open approvals when its address has no parameters; the filter 全部 can still be chosen. */
function useDefaultOpenFilter() {
  const { search, setSearch } = usePageRoute();
  const isInitialized = useRef(false);
  const hasNoParameters = search.size === 0;
  useEffect(() => {
    if (isInitialized.current) return;
    isInitialized.current = true;
    if (hasNoParameters) setSearch(new URLSearchParams({ state: String(APPROVAL.open) }), { replace: true });
  }, [hasNoParameters, setSearch]);
}

/** Keeps the four-eyes drawer in the address, so that a banner can link to it. An open record replaces it. */
function useFourEyesPanel() {
  const { search, setSearch } = usePageRoute();
  const setOpen = (open: boolean) =>
    setSearch((now) => {
      const next = new URLSearchParams(now);
      for (const other of ['open', 'queue', 'fourEyes']) next.delete(other);
      if (open) next.set('fourEyes', '1');
      return next;
    });
  return { open: search.get('fourEyes') === '1', show: () => setOpen(true), close: () => setOpen(false) };
}
