import './audit.css';
import { audit } from '@hengtai/contract/house/audit/calls';
import { useList } from '../../../lists/list.ts';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { ChainVerification } from './ChainVerification.tsx';
import { auditColumns } from './columns.tsx';
import { onDemand } from '../../../ui/page/on-demand.tsx';

const AuditDrawer = onDemand(async () => (await import('./AuditDrawer.tsx')).AuditDrawer);

/** The log begins without marks of reading and preferences. */
const INITIAL = { routine: '0' };

/** 审计日志: executed and refused actions, and verification of the hash chain. */
export function AuditPage() {
  const list = useList(audit.list, { initial: INITIAL });

  return (
    <ListFrame
      tools={<ChainVerification />}
      list={list}
      columns={auditColumns}
      onOpen={list.open}
      actions={{ width: 72, open: '详情' }}
    >
      {list.openId !== undefined && (
        <AuditDrawer id={list.openId} row={list.rows.find(({ id }) => id === list.openId)} onClose={list.close} />
      )}
    </ListFrame>
  );
}
