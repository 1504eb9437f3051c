import type { UserDetail } from '@hengtai/contract/people/user/schema';
import { AuditTable } from '../../house/audit/exported/AuditTable.tsx';

/** The audit rows of this user. */
export const AuditPart = ({ detail: { row, audits, auditsShown } }: { detail: UserDetail }) => (
  <AuditTable
    audits={audits}
    canRead={auditsShown}
    none="没有对该用户的操作"
    allPath={`/audit?account=${encodeURIComponent(row.account)}`}
  />
);
