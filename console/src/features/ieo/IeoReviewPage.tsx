import { ABILITY } from '@hengtai/contract/ability';
import { IEO, ieo } from '@hengtai/contract/ieo';
import { useList } from '../../lists/list.ts';
import { useMarketOptions } from '../market/exported/market-options.ts';
import { useCan } from '../../api/me.ts';
import { ReviewPage } from '../../lists/ReviewPage.tsx';
import { BulkDialog } from './BulkDialog.tsx';
import { IeoDialog } from './IeoDialog.tsx';
import { IeoDrawer } from './IeoDrawer.tsx';
import { ieoPageSum, ieoSums, reviewColumns } from './columns.tsx';
import { NO_ABILITY, actionNames, actionLabels, disabledReasonOf } from './actions.ts';

const WAITING = { type: 'review', state: IEO.waiting } as const;

/** 认购审核: subscriptions that wait for a review, their review drawer and the queue. */
export function IeoReviewPage() {
  const hasAbility = useCan(ABILITY.subscription);
  const list = useList(ieo.list, { seconds: 15, baseFilters: WAITING });
  const options = useMarketOptions();
  return (
    <ReviewPage
      title="认购审核"
      next="用户申请认购代币后会出现在这里，已处理的在认购历史中。"
      list={list}
      columns={reviewColumns}
      options={options}
      sums={ieoSums}
      pageSum={ieoPageSum}
      targetType="ieo"
      waiting={IEO.waiting}
      filtersQueue={false}
      hasAbility={hasAbility}
      noAbility={NO_ABILITY}
      words={actionLabels}
      bulkActions={actionNames}
      disabledReasonOf={disabledReasonOf}
      renderDrawer={(opened) => <IeoDrawer {...opened} />}
      renderDialog={(request) => <IeoDialog {...request} />}
      renderBulkDialog={(request) => <BulkDialog {...request} />}
    />
  );
}
