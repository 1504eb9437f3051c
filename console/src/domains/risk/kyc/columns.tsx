import { KYC, kyc, kycIdTypes, kycLevels, kycStates, maskIdNumber, maskName } from '@hengtai/contract/risk/kyc/calls';
import type { KycRow } from '@hengtai/contract/risk/kyc/schema';
import { agentCell, operatorCell, userCell } from '../../../navigation/account-cells.tsx';
import type { Tone } from '../../../ui/value/StateTag.tsx';
import { listColOf } from '../../../ui/table/columns.ts';
import { stateCell, textCell, timeCell } from '../../../ui/table/list-cells.tsx';

export const kycTones: Readonly<Record<number, Tone>> = { [KYC.waiting]: 'wait', [KYC.passed]: 'good' };

export const idTypeText = (type: number): string => kycIdTypes[type as keyof typeof kycIdTypes] ?? String(type);

/** Masks a name. A value that is masked already is returned unchanged. */
export const ensureMaskedName = (name: string): string => (name.includes('*') ? name : maskName(name));
export const ensureMaskedNumber = (number: string): string => (number.includes('*') ? number : maskIdNumber(number));

const col = listColOf<KycRow>()(kyc.list.list.columns);

export const kycColumns = [
  col('id', { width: 72, fixed: 'left', locked: true }),
  col('state', { width: 88, render: stateCell(kycStates, kycTones) }),
  col('account', { width: 146, render: userCell }),
  col('level', { width: 72, under: 'name', render: (value) => kycLevels[value === 2 ? 2 : 1] }),
  col('name', { width: 92, render: (name) => textCell(ensureMaskedName(name)) }),
  col('idNumber', { width: 158, render: (number) => textCell(ensureMaskedNumber(number)) }),
  col('createdAt', { width: 100, render: timeCell }),
  col('idType', { width: 88, under: 'idNumber', render: idTypeText }),
  col('country', { width: 100, under: 'idNumber', render: textCell }),
  col('agent', { width: 130, under: 'account', render: agentCell }),
  col('by', { width: 130, drawer: true, render: operatorCell }),
  col('reviewedAt', { width: 104, drawer: true, render: timeCell }),
  col('reason', { width: 170, drawer: true, render: textCell }),
  col('userId', { width: 96, hidden: true }),
  col('updatedAt', { width: 104, hidden: true, render: timeCell }),
];
