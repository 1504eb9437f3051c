import { audit } from '@hengtai/contract/audit';
import type { AuditVerdict } from '@hengtai/contract/audit.schema';
import { Button } from 'antd';
import { useState } from 'react';
import { settle } from '../../api/fault.ts';
import { newKey, useAction } from '../../api/hooks.ts';
import { FaultNote } from '../../ui/FaultNote.tsx';
import { PageModal } from '../../ui/PageModal.tsx';
import { Notice } from '../../ui/list-states.tsx';
import type { Fault } from '../../ui/fault.ts';

interface Found {
  verdict?: AuditVerdict;
  fault?: Fault;
}

/** 校验审计链: reads the whole chain again and says whether it is as it was sealed. */
export function Verify() {
  const { submit, pending } = useAction(audit.verify);
  const [found, setFound] = useState<Found>();

  async function verify() {
    const next: Found = {};
    const fault = await settle(async () => {
      const outcome = await submit({}, newKey());
      if (outcome.kind === 'done') next.verdict = outcome.data;
    });
    setFound(fault ? { fault } : next);
  }

  const close = () => setFound(undefined);
  return (
    <>
      <Button loading={pending} onClick={() => void verify()}>
        校验审计链
      </Button>
      {found && (
        <PageModal title="审计链校验" width={480} onCancel={close} footer={<Button onClick={close}>关闭</Button>}>
          {found.fault && <FaultNote fault={found.fault} />}
          {found.verdict && <Verdict verdict={found.verdict} />}
        </PageModal>
      )}
    </>
  );
}

function Verdict({ verdict: { ok, sealed, pending, heads, firstBad } }: { verdict: AuditVerdict }) {
  const counts = `已封存 ${sealed.toLocaleString('en-US')} 条，待封存 ${pending} 条，签名链头 ${heads} 个。`;
  if (ok) {
    return (
      <Notice mark="sound" title="审计链完整">
        {counts}每一条都与封存时一致。
      </Notice>
    );
  }
  return (
    <Notice mark="error" title="审计链已被破坏">
      {firstBad && (
        <p>
          第一处问题在封存序号 {firstBad.seq}
          {firstBad.auditId !== null && `（审计编号 ${firstBad.auditId}）`}：{firstBad.problem}
        </p>
      )}
      {counts}请立即保全数据并联系负责人。
    </Notice>
  );
}
