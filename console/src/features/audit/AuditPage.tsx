import './audit.css';
import { audit } from '@hengtai/contract/audit';
import { useList } from '../../lists/list.ts';
import { useOpenId } from '../../lists/open-id.ts';
import { ListFrame } from '../../lists/ListFrame.tsx';
import { ChainVerification } from './ChainVerification.tsx';
import { auditColumns } from './columns.tsx';
import { onDemand } from '../../ui/on-demand.tsx';

const AuditDrawer = onDemand(async () => (await import('./AuditDrawer.tsx')).AuditDrawer);

/** The log begins without marks of reading and preferences. */
const INITIAL = { routine: '0' };

/** 审计日志: executed and refused actions, and verification of the hash chain. */
export function AuditPage() {
  const list = useList(audit.list, { initial: INITIAL });
  const { openId, open, close } = useOpenId();

  return (
    <ListFrame
      title="审计日志"
      tools={<ChainVerification />}
      list={list}
      columns={auditColumns}
      openId={openId}
      onOpen={(row) => open(row.id)}
      actions={{ width: 72, open: '详情' }}
    >
      {openId !== undefined && (
        <AuditDrawer id={openId} row={list.rows.find(({ id }) => id === openId)} onClose={close} />
      )}
    </ListFrame>
  );
}
