import { home } from '@hengtai/contract/home';
import { type RechargeAction, type RechargeState, recharge, rechargeStates } from '@hengtai/contract/recharge';
import type { RechargeRow } from '@hengtai/contract/recharge.schema';
import { settle } from '../../api/display-error.ts';
import { newKey, useAction } from '../../api/hooks.ts';
import { toast } from '../../api/toast.ts';
import { GuardNote } from '../../actions/LockedNote.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Time } from '../../ui/Time.tsx';

interface Props {
  action: RechargeAction;
  row: RechargeRow;
  onClose: () => void;
}

const STALE = [recharge.list, home.state];
const VERBS = { hold: '挂起充值', release: '放行充值' } as const;
const REASONS = { hold: ['来源待核实', '疑似异常充值'], release: ['来源已核实'] } as const;

/** Level 2: holds one recharge, or releases it to be credited. */
export function RechargeDialog({ action, row, onClose }: Props) {
  const hold = useAction(recharge.hold, { invalidate: STALE });
  const release = useAction(recharge.release, { invalidate: STALE });
  const { submit } = action === 'hold' ? hold : release;

  async function run(reason: string, key: string) {
    const error = await settle(async () => {
      const outcome = await submit(reason === '' ? { id: row.id } : { id: row.id, reason }, key);
      if (outcome.kind === 'done') toast.success(outcome.msg);
    });
    if (!error) onClose();
    return error;
  }

  return (
    <ConfirmDialog
      title={`${VERBS[action]} #${row.id}`}
      verb={VERBS[action]}
      danger={action === 'hold'}
      amounts={[{ value: row.amount, unit: row.marketName }]}
      details={[
        { label: '用户', value: `${row.account}（${row.userId}）` },
        { label: '所属代理', value: row.agent },
        { label: '网络', value: row.network },
        { label: '确认数', value: row.confirmations },
        { label: '时间', value: <Time value={row.createdAt} /> },
        { label: '平台到账', value: <Time value={row.arrivedAt} /> },
      ]}
      address={{ label: '交易哈希', value: row.txHash || '--' }}
      consequence={consequenceOf(action, row)}
      reason={{ required: false, chips: REASONS[action] }}
      stateText={(state) => rechargeStates[state as RechargeState] ?? String(state)}
      makeKey={newKey}
      run={run}
      onClose={onClose}
    >
      {action === 'release' && <GuardNote call="recharge.release" />}
    </ConfirmDialog>
  );
}

function consequenceOf(action: RechargeAction, row: RechargeRow): string {
  if (action === 'hold') return '平台到账后不会入账，直到放行。';
  return row.arrivedAt === null ? '平台尚未到账，放行后等待到账自动入账。' : '放行后立即计入用户的资金账户。';
}
