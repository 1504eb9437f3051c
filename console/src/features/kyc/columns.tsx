import { kyc, kycIdTypes, kycLevels, kycStates, maskIdNumber, maskName } from '@hengtai/contract/kyc';
import type { KycRow } from '@hengtai/contract/kyc.schema';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { listColOf } from '../../ui/columns.ts';

export const kycTones: Readonly<Record<number, Tone>> = { 0: 'wait', 1: 'good', 2: 'idle' };

export const idTypeText = (type: number): string => kycIdTypes[type as keyof typeof kycIdTypes] ?? String(type);

/** Masks a name. A value that is masked already is returned unchanged. */
export const ensureMaskedName = (name: string): string => (name.includes('*') ? name : maskName(name));
export const ensureMaskedNumber = (number: string): string => (number.includes('*') ? number : maskIdNumber(number));

const col = listColOf<KycRow>()(kyc.list.list.columns);
const withTitle = (value: string | null) => <span title={value ?? undefined}>{value || '--'}</span>;
const time = (value: number | null) => <Time value={value} />;

export const kycColumns = [
  col('id', { width: 84, fixed: 'left', locked: true }),
  col('state', {
    width: 96,
    render: (value) => <StateTag state={value} labels={kycStates} tones={kycTones} />,
  }),
  col('account', { width: 168, render: withTitle }),
  col('level', { width: 84, render: (value) => kycLevels[value === 2 ? 2 : 1] }),
  col('name', { width: 92, render: ensureMaskedName }),
  col('idNumber', { width: 176, render: ensureMaskedNumber }),
  col('createdAt', { width: 172, render: time }),
  col('idType', { width: 88, render: idTypeText }),
  col('country', { width: 100, render: withTitle }),
  col('agent', { width: 120, render: withTitle }),
  col('by', { width: 110, render: withTitle }),
  col('reviewedAt', { width: 172, render: time }),
  col('reason', { width: 170, render: withTitle }),
  col('userId', { width: 96, hidden: true }),
  col('updatedAt', { width: 172, hidden: true, render: time }),
];
