import { type RechargeAction, type RechargeState, recharge } from '@hengtai/contract/funds/recharge/calls';
import { rechargeStates } from '@hengtai/contract/funds/recharge/facts';
import type { RechargeRow } from '@hengtai/contract/funds/recharge/schema';
import { GuardNote } from '../../../actions/LockedNote.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';

interface Props {
  action: RechargeAction;
  row: RechargeRow;
  onDone: () => void;
  onClose: () => void;
}

const REASONS = { hold: ['来源待核实', '疑似异常充值'], release: ['来源已核实'] } as const;

/** Level 2: holds one recharge, or releases it to be credited. */
export function RechargeDialog({ action, row, onDone, onClose }: Props) {
  return (
    <ActionDialog
      call={recharge[action]}
      input={{ id: row.id }}
      user={row}
      danger={action === 'hold'}
      amounts={[{ value: row.amount, unit: row.marketName }]}
      details={[
        { label: '网络', value: row.network },
        { label: '确认数', value: row.confirmations },
        { label: '时间', value: <Time value={row.createdAt} /> },
        { label: '平台到账', value: <Time value={row.arrivedAt} /> },
      ]}
      address={{ label: '交易哈希', value: row.txHash || '--' }}
      consequence={consequenceOf(action, row)}
      reason={{ chips: REASONS[action] }}
      stateText={(state) => rechargeStates[state as RechargeState] ?? String(state)}
      onDone={() => {
        onClose();
        onDone();
      }}
      onClose={onClose}
    >
      {action === 'release' && <GuardNote call="recharge.release" />}
    </ActionDialog>
  );
}

function consequenceOf(action: RechargeAction, row: RechargeRow): string {
  if (action === 'hold') return '平台到账后不会入账，直到放行。';
  return row.arrivedAt === null
    ? '平台尚未到账，放行后等待到账自动入账。'
    : '放行后立即计入用户的资金账户；超过复核额度的转为提交复核。';
}
