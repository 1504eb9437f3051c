import { type IeoAction, ieo } from '@hengtai/contract/trading/ieo/calls';
import type { IeoRow } from '@hengtai/contract/trading/ieo/schema';
import { useRead } from '../../../api/hooks.ts';
import { Money } from '../../../ui/value/Money.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { consequenceOf, stateText } from './actions.ts';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import { isLongAccount } from '../../../records/long-account.ts';

interface Props {
  action: IeoAction;
  row: IeoRow;
  onClose: () => void;
  /** Called after the action was executed or submitted for approval. */
  onDone: (row: IeoRow) => void;
}

/** Level 2: passes or rejects one subscription, with its terms and the consequence. */
export function IeoDialog({ action, row, onClose, onDone }: Props) {
  const detail = useRead(ieo.detail, { id: row.id }, { staleTime: 0 });
  const needsChecker = action === 'pass' && detail.data?.approval.needed === true;

  return (
    <ActionDialog
      call={ieo[action]}
      input={{ id: row.id }}
      {...(needsChecker && { needsChecker, userId: row.userId })}
      onDone={() => onDone(row)}
      amounts={[
        action === 'pass'
          ? { value: row.amount, unit: row.marketName, note: '发放' }
          : { value: row.pay, unit: 'USDT', note: '退款' },
      ]}
      details={[
        { label: '用户', value: `${row.account}（${row.userId}）`, wide: isLongAccount(row.account), essential: true },
        { label: '所属代理', value: row.agent },
        { label: '认购数量', value: <Money value={row.amount} unit={row.marketName} /> },
        { label: '认购价', value: <Money value={row.price} unit="USDT" /> },
        { label: '支付', value: <Money value={row.pay} unit="USDT" /> },
        { label: '申请时间', value: <Time value={row.createdAt} /> },
      ]}
      consequence={consequenceOf(action, row, needsChecker)}
      query={action === 'pass' ? detail : undefined}
      stateText={stateText}
      onClose={onClose}
    />
  );
}
