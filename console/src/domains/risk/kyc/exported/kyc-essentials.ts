import type { KycDetail } from '@hengtai/contract/risk/kyc/schema';
import type { RecordEssentials } from '../../../../actions/record-essentials.ts';
import { isLongAccount } from '../../../../records/long-account.ts';
import { levelText } from '../actions.ts';
import { ensureMaskedName, ensureMaskedNumber, idTypeText } from '../columns.tsx';

/** Who is verified as whom, and whether others use the same document. */
export const kycEssentials = ({ row, same }: KycDetail): RecordEssentials => ({
  details: [
    { label: '用户', value: `${row.account}（${row.userId}）`, wide: isLongAccount(row.account), essential: true },
    { label: '认证等级', value: levelText(row.level), essential: true },
    { label: '姓名', value: ensureMaskedName(row.name), essential: true },
    { label: '证件', value: `${idTypeText(row.idType)} ${ensureMaskedNumber(row.idNumber)}`, essential: true },
    ...(same.users > 0
      ? [{ label: '风险', value: `另有 ${same.users} 位用户使用同一证件`, wide: true, essential: true }]
      : []),
  ],
});
