import './withdraw.css';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { withdraw } from '@hengtai/contract/funds/withdraw/calls';
import { USER_FROZEN, WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { prefetchList, useList } from '../../../lists/list.ts';
import { useCan } from '../../../api/me.ts';
import { countUsers } from '../../../actions/BulkDialog.tsx';
import { NOTE_KEY } from '../../../lists/review-keys.ts';
import { type ReviewBulk, ReviewPage } from '../../../lists/ReviewPage.tsx';
import { dialogOnDemand, onDemand } from '../../../ui/page/on-demand.tsx';
import { LaterActions } from './LaterActions.tsx';
import { WithdrawDialog } from './WithdrawDialog.tsx';
import { withdrawColumns, withdrawAmountSum, withdrawSums } from './columns.tsx';
import { NO_ABILITY, actionLabels, disabledReasonOf } from './actions.ts';

const Cockpit = onDemand(async () => (await import('./Cockpit.tsx')).Cockpit);

const ResolveManyDialog = dialogOnDemand(async () => (await import('./ResolveManyDialog.tsx')).ResolveManyDialog);

const BULK: Readonly<Record<'pass' | 'reject' | 'resolve', ReviewBulk<WithdrawRow>>> = {
  pass: {
    call: withdraw.passMany,
    sum: withdrawAmountSum,
    reasons: ['已逐条核对', '小额常用地址'],
    signs: 'pass',
    consequence:
      '逐条执行：通过的提现将打款，链上转账发出后无法撤回；超过复核额度的转为提交复核；被规则拦截的和用户已冻结的不执行，须单独处理；状态已变化的不受影响并列出原因。',
  },
  reject: {
    call: withdraw.rejectMany,
    sum: withdrawAmountSum,
    consequence: '逐条执行：驳回的提现退回用户可用余额；状态已变化的不受影响并列出原因。',
  },
  resolve: {
    call: withdraw.resolveMany,
    sum: withdrawAmountSum,
    Dialog: ResolveManyDialog,
    consequence:
      '所选提现按同一结果逐条记录：已打款的记为「已完成」，之后不能更改；未打款的记为「打款失败」，待审核的保持原状态并关闭「重复或意外打款」告警。',
  },
};

const KEYS = [NOTE_KEY];

// On demand, because few installations pay automatically.
const StopAuto = onDemand(async () => (await import('../../risk/auto-payout/exported/StopAuto.tsx')).StopAuto);

prefetchList(withdraw.list, '/withdraw');

/** The queue of the rows that the list shows: failed and doubtful payouts have their own. */
function queueOf(state: number | undefined) {
  if (state === WITHDRAW.failed) return { queueKey: 'withdrawFailed', waiting: state } as const;
  if (state === WITHDRAW.unknown) return { queueKey: 'withdrawUnknown', waiting: state } as const;
  return { queueKey: 'withdrawReview', waiting: WITHDRAW.review } as const;
}

/** 提现记录: withdrawals, the review drawer and the queue. */
export function WithdrawPage() {
  const hasAbility = useCan(ABILITY.withdraw);
  const list = useList(withdraw.list, { seconds: 15 });
  return (
    <ReviewPage
      emptyHint="用户发起提现后会出现在这里，等待审核。"
      noneWaiting="没有待审核的提现"
      list={list}
      columns={withdrawColumns}
      sums={withdrawSums}
      targetType="withdraw"
      {...queueOf(list.state.filters.state)}
      hasAbility={hasAbility}
      noAbility={NO_ABILITY}
      words={actionLabels}
      tools={hasAbility && <StopAuto hasLink />}
      bulk={BULK}
      bulkDetails={(rows) => [
        { label: '用户', value: `${countUsers(rows)} 位` },
        { label: '有风险', value: `${rows.filter(({ risk }) => risk.length > 0).length} 条` },
        { label: USER_FROZEN, value: `${rows.filter(({ userFrozen }) => userFrozen).length} 条` },
        { label: '被规则拦截', value: `${rows.filter(({ held }) => held).length} 条` },
      ]}
      moreKeys={KEYS}
      disabledReasonOf={disabledReasonOf}
      renderActions={(row, onAct) => <LaterActions row={row} hasAbility={hasAbility} onAct={onAct} />}
      renderDrawer={(drawerRequest) => <Cockpit {...drawerRequest} />}
      renderDialog={(dialogRequest) => <WithdrawDialog {...dialogRequest} />}
    />
  );
}
