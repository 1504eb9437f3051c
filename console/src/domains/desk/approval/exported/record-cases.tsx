import type { ReactNode } from 'react';
import type { RecordCaseProps } from '../../../../lists/RecordCase.tsx';
import { lazyComponent } from '../../../../ui/page/lazy-component.tsx';
import type { CaseType } from '../record-kinds.ts';

// On demand: each belongs to another resource.
const WithdrawRecord = lazyComponent(
  async () => (await import('../../../funds/withdraw/exported/WithdrawRecord.tsx')).WithdrawRecord,
);
const KycRecord = lazyComponent(async () => (await import('../../../risk/kyc/exported/KycRecord.tsx')).KycRecord);
const IeoRecord = lazyComponent(async () => (await import('../../../trading/ieo/exported/IeoRecord.tsx')).IeoRecord);
const BinaryContractRecord = lazyComponent(
  async () => (await import('../../../trading/binary-contract/exported/BinaryContractRecord.tsx')).BinaryContractRecord,
);

/** The cases that a request about their record, or another case, shows. */
export const recordCases: Readonly<Record<CaseType, (record: RecordCaseProps) => ReactNode>> = {
  withdraw: (record) => <WithdrawRecord {...record} />,
  auth: (record) => <KycRecord {...record} />,
  ieo: (record) => <IeoRecord {...record} />,
  second: (record) => <BinaryContractRecord {...record} />,
};
