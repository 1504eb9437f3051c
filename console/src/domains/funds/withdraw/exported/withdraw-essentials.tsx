import type { WithdrawDetail } from '@hengtai/contract/funds/withdraw/schema';
import type { RecordEssentials } from '../../../../actions/record-essentials.ts';
import { isLongAccount } from '../../../../records/long-account.ts';
import { Risks } from '../columns.tsx';

/** Whose money goes where, and what speaks against it. */
export const withdrawEssentials = ({ row, risk }: WithdrawDetail): RecordEssentials => ({
  amounts: [{ value: row.amount, unit: row.marketName }],
  details: [
    { label: '用户', value: `${row.account}（${row.userId}）`, wide: isLongAccount(row.account), essential: true },
    { label: '网络', value: row.network, essential: true },
    ...(row.memo ? [{ label: '标签(Memo)', value: row.memo, essential: true }] : []),
    { label: '风险', value: <Risks codes={risk} none="未发现" />, wide: true, essential: true },
  ],
  address: { label: '地址', value: row.address },
});
