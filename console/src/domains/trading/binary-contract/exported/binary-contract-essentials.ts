import { SETTLEMENT } from '@hengtai/contract/values/money';
import type { BinaryContractDetail } from '@hengtai/contract/trading/binary-contract/schema';
import type { RecordEssentials } from '../../../../actions/record-essentials.ts';
import { isLongAccount } from '../../../../records/long-account.ts';
import { kindText } from '../words.ts';

/** Who gets which stake back. */
export const binaryContractEssentials = ({ row }: BinaryContractDetail): RecordEssentials => ({
  amounts: [{ value: row.amount, unit: SETTLEMENT, note: '退款' }],
  details: [
    { label: '用户', value: `${row.account}（${row.userId}）`, wide: isLongAccount(row.account), essential: true },
    { label: '合约', value: `${row.marketName} ${kindText(row)}`, essential: true },
  ],
});
