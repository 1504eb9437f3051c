import type { PayoutHold } from '@hengtai/contract/funds/withdraw/schema';
import { operatorDetail } from '../../../navigation/account-cells.tsx';
import { Time } from '../../../ui/value/Time.tsx';

/** Until when payouts of the user wait, and for which reset of its password. */
export function PayoutHoldNote({ hold: { until, at, by } }: { hold: PayoutHold }) {
  return (
    <p className="ht-withdraw-hold" role="status">
      <b>
        提现暂缓至 <Time value={until} />
      </b>
      <span>
        {by === null ? '其他操作员' : operatorDetail(by)} 于 <Time value={at} />{' '}
        重置了该用户的密码。到期前不能通过或重新打款，仍可驳回。
      </span>
    </p>
  );
}
