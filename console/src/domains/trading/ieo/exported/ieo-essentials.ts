import type { IeoDetail } from '@hengtai/contract/trading/ieo/schema';
import type { RecordEssentials } from '../../../../actions/record-essentials.ts';
import { isLongAccount } from '../../../../records/long-account.ts';

/** Who gets which tokens, and pays what. */
export const ieoEssentials = ({ row }: IeoDetail): RecordEssentials => ({
  amounts: [
    { value: row.amount, unit: row.marketName, note: '发放' },
    { value: row.pay, unit: 'USDT', note: '支付' },
  ],
  details: [
    { label: '用户', value: `${row.account}（${row.userId}）`, wide: isLongAccount(row.account), essential: true },
  ],
});
