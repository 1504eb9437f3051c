import { recharge } from '@hengtai/contract/funds/recharge/calls';
import type { RechargeRow } from '@hengtai/contract/funds/recharge/schema';
import { BulkDialog, type BulkDialogProps, countUsers } from '../../../actions/BulkDialog.tsx';
import { GuardNote } from '../../../actions/LockedNote.tsx';

interface Props extends Pick<BulkDialogProps<RechargeRow>, 'rows' | 'onClose' | 'onDone'> {
  disabledReasonOf: (row: RechargeRow) => string | undefined;
}

const amountSum = {
  coin: ({ marketName }: RechargeRow) => marketName,
  value: ({ amount }: RechargeRow) => amount,
  note: '放行',
};

/** Level 3: releases selected recharges that are held. */
export function ReleaseManyDialog({ disabledReasonOf, ...props }: Props) {
  const held = props.rows.filter((row) => disabledReasonOf(row) === undefined);
  return (
    <BulkDialog
      {...props}
      call={recharge.releaseMany}
      title="批量放行充值"
      verb="放行"
      sum={amountSum}
      summedRows={held}
      details={[
        { label: '条数', value: `${props.rows.length} 条` },
        { label: '用户', value: `${countUsers(props.rows)} 位` },
        { label: '不可放行', value: `${props.rows.length - held.length} 条` },
      ]}
      consequence="逐条执行：已到账的立即计入用户的资金账户，未到账的等待到账；需要复核的转为提交复核；状态已变化的不受影响并列出原因。"
      reasons={['来源已核实', '网络已核对']}
    >
      <GuardNote call="recharge.release" />
    </BulkDialog>
  );
}
