import type { ApprovalDetail, ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import { withdraw } from '@hengtai/contract/funds/withdraw/calls';
import { kyc } from '@hengtai/contract/risk/kyc/calls';
import { binaryContract } from '@hengtai/contract/trading/binary-contract/calls';
import { ieo } from '@hengtai/contract/trading/ieo/calls';
import type { Call } from '@hengtai/contract/wire/endpoint';
import { prefetch } from '../../../api/prefetch.ts';
import type { RecordEssentials } from '../../../actions/record-essentials.ts';
import { withdrawEssentials } from '../../funds/withdraw/exported/withdraw-essentials.tsx';
import { kycEssentials } from '../../risk/kyc/exported/kyc-essentials.ts';
import { binaryContractEssentials } from '../../trading/binary-contract/exported/binary-contract-essentials.ts';
import { ieoEssentials } from '../../trading/ieo/exported/ieo-essentials.ts';

type DetailCall = Call<{ id: number }, unknown>;

interface RecordKind {
  /** The call of the record's own review drawer. */
  call: DetailCall;
  readEssentials: (detail: unknown) => RecordEssentials;
}

const kindOf = <D>(call: Call<{ id: number }, D>, read: (detail: D) => RecordEssentials): RecordKind => ({
  call,
  // Safe cast: the detail is the answer to this call.
  readEssentials: (detail) => read(detail as D),
});

const kinds = {
  withdraw: kindOf(withdraw.detail, withdrawEssentials),
  auth: kindOf(kyc.detail, kycEssentials),
  ieo: kindOf(ieo.detail, ieoEssentials),
  second: kindOf(binaryContract.detail, binaryContractEssentials),
} as const;
export type CaseType = keyof typeof kinds;

/** The kind of a record whose own case a request shows; undefined if it has none, or is outside the operator's scope. */
export function caseTypeOf({ row, user }: Pick<ApprovalDetail, 'row' | 'user'>): CaseType | undefined {
  return user !== null && Object.hasOwn(kinds, row.targetType) ? (row.targetType as CaseType) : undefined;
}

/** Reads the record of a request at once, which its case otherwise reads after the request. */
export function prefetchRecord({ targetType, targetId, account }: ApprovalRow) {
  if (account !== null && Object.hasOwn(kinds, targetType))
    prefetch(kinds[targetType as CaseType].call, { id: targetId });
}

export const recordKindOf = (type: CaseType): RecordKind => kinds[type];
