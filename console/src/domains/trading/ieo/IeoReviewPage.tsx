import { ABILITY } from '@hengtai/contract/authority/ability';
import { type IeoAction, ieo } from '@hengtai/contract/trading/ieo/calls';
import { IEO } from '@hengtai/contract/trading/ieo/facts';
import type { IeoRow } from '@hengtai/contract/trading/ieo/schema';
import { useList } from '../../../lists/list.ts';
import { useCan } from '../../../api/me.ts';
import { countUsers } from '../../../actions/BulkDialog.tsx';
import { NOTE_KEY } from '../../../lists/review-keys.ts';
import { type ReviewBulk, ReviewPage } from '../../../lists/ReviewPage.tsx';
import { onDemand } from '../../../ui/page/on-demand.tsx';
import { IeoDialog } from './IeoDialog.tsx';
import { ieoAmountSum, ieoPaySum, ieoSums, reviewColumns } from './columns.tsx';
import { NO_ABILITY, actionLabels, disabledReasonOf } from './actions.ts';

const IeoDrawer = onDemand(async () => (await import('./IeoDrawer.tsx')).IeoDrawer);

const BULK: Readonly<Record<IeoAction, ReviewBulk<IeoRow>>> = {
  pass: {
    call: ieo.passMany,
    sum: { ...ieoAmountSum, note: '发放' },
    reasons: ['已逐条核对', '额度充足'],
    consequence:
      '逐条执行：通过的认购从冻结的 USDT 扣款并发放代币，之后不能撤回；需要复核的转为提交复核；状态已变化的不受影响并列出原因。',
  },
  reject: {
    call: ieo.rejectMany,
    sum: { ...ieoPaySum, note: '退款' },
    consequence: '逐条执行：驳回的认购退款到用户可用余额；状态已变化的不受影响并列出原因。',
  },
};
const KEYS = [NOTE_KEY];
const WAITING = { type: 'review', state: IEO.waiting } as const;

/** 认购审核: subscriptions that wait for a review, their review drawer and the queue. */
export function IeoReviewPage() {
  const hasAbility = useCan(ABILITY.subscription);
  const list = useList(ieo.list, { seconds: 15, baseFilters: WAITING });
  return (
    <ReviewPage
      emptyHint="用户申请认购代币后会出现在这里，已处理的在认购历史中。"
      noneWaiting="没有待审核的认购"
      list={list}
      columns={reviewColumns}
      sums={ieoSums}
      targetType="ieo"
      queueKey="ieoReview"
      waiting={IEO.waiting}
      filtersQueue={false}
      hasAbility={hasAbility}
      noAbility={NO_ABILITY}
      words={actionLabels}
      bulk={BULK}
      bulkDetails={(rows) => [{ label: '用户', value: `${countUsers(rows)} 位` }]}
      moreKeys={KEYS}
      disabledReasonOf={disabledReasonOf}
      renderDrawer={(opened) => <IeoDrawer {...opened} />}
      renderDialog={(request) => <IeoDialog {...request} />}
    />
  );
}
