import './approval.css';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { approval } from '@hengtai/contract/desk/approval/calls';
import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import { prefetchList, useList } from '../../../lists/list.ts';
import { useCan, useMe } from '../../../api/me.ts';
import { ReviewPage } from '../../../lists/ReviewPage.tsx';
import { usePageRoute } from '../../../navigation/page-route.ts';
import { dialogOnDemand, onDemand } from '../../../ui/page/on-demand.tsx';
import { useCancelRequest } from '../../../actions/use-cancel-request.ts';
import { MoreActions } from '../../../ui/dialog/MoreActions.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { approvalColumns } from './columns.tsx';
import { NO_ABILITY, decisionWords, disabledReasonOf } from './actions.ts';

const ApprovalDrawer = onDemand(async () => (await import('./ApprovalDrawer.tsx')).ApprovalDrawer);
// On demand, because it knows the records of several resources.
const ApprovalDialog = dialogOnDemand(async () => (await import('./ApprovalDialog.tsx')).ApprovalDialog);
const FourEyesDrawer = onDemand(async () => (await import('./FourEyesDrawer.tsx')).FourEyesDrawer);

/** The page begins with what waits; 全部 can be chosen. */
const INITIAL = { state: String(APPROVAL.open) };

prefetchList(approval.list, '/approval', INITIAL);

/** 复核: open and decided approvals. */
export function ApprovalPage() {
  const me = useMe();
  const decider = { account: me.admin, hasAbility: useCan(ABILITY.approval) };
  const hasAudit = useCan(ABILITY.audit);
  const list = useList(approval.list, { seconds: 15, initial: INITIAL });
  const fourEyes = useFourEyesPanel();
  return (
    <ReviewPage
      emptyHint="需要第二人复核的操作提交后会出现在这里。"
      noneWaiting="没有待复核的申请"
      list={list}
      columns={approvalColumns}
      queueKey="approvalOpen"
      waiting={APPROVAL.open}
      queueName="复核队列"
      tools={
        <GreyedAction
          look="button"
          disabledReason={decider.hasAbility ? undefined : NO_ABILITY}
          onClick={fourEyes.show}
        >
          四眼
        </GreyedAction>
      }
      hasAbility={decider.hasAbility}
      noAbility={NO_ABILITY}
      words={decisionWords}
      disabledReasonOf={(decision, row) => disabledReasonOf(decision, row, decider)}
      renderActions={(row) =>
        row.maker === me.admin && row.state === APPROVAL.open && <OwnRequestActions id={row.id} />
      }
      renderDrawer={(request) => (
        <>
          <ApprovalDrawer
            {...request}
            row={list.rows.find(({ id }) => id === request.id)}
            decider={decider}
            hasAudit={hasAudit}
          />
          {fourEyes.open && decider.hasAbility && request.id === undefined && (
            <FourEyesDrawer onClose={fourEyes.close} />
          )}
        </>
      )}
      renderDialog={({ action, ...request }) => <ApprovalDialog decision={action} {...request} />}
    />
  );
}

/** The menu of a row for its maker. */
function OwnRequestActions({ id }: { id: number }) {
  const cancel = useCancelRequest();
  return (
    <MoreActions
      label={`申请 ${id} 的更多操作`}
      actions={[{ key: 'cancel', label: '撤回申请' }]}
      onAction={() => cancel(id)}
    />
  );
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
