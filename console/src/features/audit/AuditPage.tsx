import './audit.css';
import { audit } from '@hengtai/contract/audit';
import { Suspense, lazy, useEffect, useRef } from 'react';
import { useList } from '../../lists/list.ts';
import { useOpenId } from '../../lists/open-id.ts';
import { ListFrame } from '../../lists/ListFrame.tsx';
import { usePageRoute } from '../../navigation/page-route.ts';
import { GreyedAction } from '../../ui/GreyedAction.tsx';
import { ChainVerification } from './ChainVerification.tsx';
import { auditColumns } from './columns.tsx';

const AuditDrawer = lazy(async () => ({ default: (await import('./AuditDrawer.tsx')).AuditDrawer }));

/** 审计日志: executed and refused actions, and verification of the hash chain. */
export function AuditPage() {
  useDefaultView();
  const list = useList(audit.list);
  const { openId, open, close } = useOpenId();

  return (
    <ListFrame
      title="审计日志"
      tools={<ChainVerification />}
      list={list}
      columns={auditColumns}
      openId={openId}
      onOpen={(row) => open(row.id)}
      actions={{
        width: 72,
        render: (row) => (
          <GreyedAction disabledReason={undefined} onClick={() => open(row.id)}>
            详情
          </GreyedAction>
        ),
      }}
    >
      <Suspense fallback={null}>
        {openId !== undefined && (
          <AuditDrawer id={openId} row={list.rows.find(({ id }) => id === openId)} onClose={close} />
        )}
      </Suspense>
    </ListFrame>
  );
}

/** Without parameters in its address the log leaves out marks of reading and preferences; the filter 全部 can be chosen. */
function useDefaultView() {
  const { search, setSearch } = usePageRoute();
  const isInitialized = useRef(false);
  const hasNoParameters = search.size === 0;
  useEffect(() => {
    if (isInitialized.current) return;
    isInitialized.current = true;
    if (hasNoParameters) setSearch(new URLSearchParams({ routine: '0' }), { replace: true });
  }, [hasNoParameters, setSearch]);
}
