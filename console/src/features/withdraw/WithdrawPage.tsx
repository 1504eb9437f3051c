import './withdraw.css';
import { ABILITY } from '@hengtai/contract/ability';
import { WITHDRAW, withdraw } from '@hengtai/contract/withdraw';
import { prefetchList, useList } from '../../lists/list.ts';
import { useMarketOptions } from '../market/exported/market-options.ts';
import { useCan } from '../../api/me.ts';
import { ReviewPage } from '../../lists/ReviewPage.tsx';
import { BulkDialog } from './BulkDialog.tsx';
import { Cockpit } from './Cockpit.tsx';
import { LaterActions } from './LaterActions.tsx';
import { WithdrawDialog } from './WithdrawDialog.tsx';
import { withdrawColumns, withdrawPageSum, withdrawSums } from './columns.tsx';
import { NO_ABILITY, actionLabels, disabledReasonOf } from './actions.ts';

prefetchList(withdraw.list, '/withdraw');

/** 提现记录: withdrawals, the review drawer and the queue. */
export function WithdrawPage() {
  const hasAbility = useCan(ABILITY.withdraw);
  const list = useList(withdraw.list, { seconds: 15 });
  const options = useMarketOptions();
  return (
    <ReviewPage
      title="提现记录"
      next="用户发起提现后会出现在这里。"
      list={list}
      columns={withdrawColumns}
      options={options}
      sums={withdrawSums}
      pageSum={withdrawPageSum}
      targetType="withdraw"
      waiting={WITHDRAW.review}
      hasAbility={hasAbility}
      noAbility={NO_ABILITY}
      words={actionLabels}
      bulkActions={['pass', 'reject']}
      disabledReasonOf={disabledReasonOf}
      renderLater={(row, onAct) => <LaterActions row={row} hasAbility={hasAbility} onAct={onAct} />}
      renderDrawer={(drawerRequest) => <Cockpit {...drawerRequest} />}
      renderDialog={(dialogRequest) => <WithdrawDialog {...dialogRequest} />}
      renderBulkDialog={(dialogRequest) => <BulkDialog {...dialogRequest} />}
    />
  );
}
