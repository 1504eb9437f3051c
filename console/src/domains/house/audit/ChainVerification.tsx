import { audit } from '@hengtai/contract/house/audit/calls';
import type { AuditVerdict } from '@hengtai/contract/house/audit/schema';
import { Button } from 'antd';
import { useRef, useState } from 'react';
import { settle } from '../../../api/display-error.ts';
import { newKey, useAction } from '../../../api/hooks.ts';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { ErrorMessage } from '../../../ui/dialog/ErrorMessage.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { PageModal } from '../../../ui/dialog/PageModal.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { StateMessage } from '../../../ui/table/list-states.tsx';
import type { DisplayError } from '../../../ui/value/display-error.ts';

interface Progress {
  verdict?: AuditVerdict | undefined;
  error?: DisplayError | undefined;
  running: boolean;
}

type Head = AuditVerdict['lastHeads'][number];

/** 校验审计链: verifies the whole hash chain step by step and reports the first row that does not match. */
export function ChainVerification() {
  const { submit } = useAction(audit.verify);
  const [progress, setProgress] = useState<Progress>();
  // Number of the current run. A run that was closed or restarted stops after its step.
  const currentRun = useRef(0);

  async function verify() {
    currentRun.current += 1;
    const run = currentRun.current;
    const isCurrent = () => currentRun.current === run;
    setProgress({ running: true });
    let from: AuditVerdict['next'] = { after: 0, hash: '' };
    while (from && isCurrent()) {
      const { after, hash }: { after: number; hash: string } = from;
      let step: AuditVerdict | undefined;
      const error = await settle(async () => {
        const outcome = await submit({ after, ...(hash !== '' && { hash }) }, newKey());
        if (outcome.kind === 'done') step = outcome.data;
      });
      from = step?.next ?? null;
      const verdict = step;
      if (isCurrent()) setProgress((now) => ({ verdict: verdict ?? now?.verdict, error, running: from !== null }));
    }
  }

  const close = () => {
    currentRun.current += 1;
    setProgress(undefined);
  };
  const { verdict, error, running = false } = progress ?? {};
  return (
    <>
      <Button onClick={() => void verify()}>校验审计链</Button>
      {progress && (
        <PageModal
          title="审计链校验"
          width={640}
          onCancel={close}
          footer={<Button onClick={close}>{running ? '停止' : '关闭'}</Button>}
        >
          {running && <RunningState verdict={verdict} />}
          {error && <ErrorMessage error={error} />}
          {!running && !error && verdict && <Verdict verdict={verdict} />}
        </PageModal>
      )}
    </>
  );
}

function RunningState({ verdict }: { verdict: AuditVerdict | undefined }) {
  const { sealed = 0, total = 0 } = verdict ?? {};
  return (
    <div className="ht-audit-walk" role="status">
      <p>
        正在逐条校验 … {sealed.toLocaleString('en-US')}
        {total > 0 && ` / ${total.toLocaleString('en-US')}`} 条
      </p>
      <span className="ht-value-bar" aria-hidden>
        <i style={{ inlineSize: `${total === 0 ? 0 : (sealed / total) * 100}%` }} />
      </span>
    </div>
  );
}

const headColumns: readonly MiniColumn<Head>[] = [
  { title: '链头', right: true, cell: ({ number }) => number.toLocaleString('en-US') },
  { title: '封存至', right: true, cell: ({ seq }) => seq.toLocaleString('en-US') },
  { title: '签名时间', cell: ({ at }) => <Time value={at} /> },
  { title: '链头摘要', cell: ({ hash }) => <Hash value={hash} label="链头摘要" /> },
];

function Verdict({ verdict }: { verdict: AuditVerdict }) {
  const { ok, anchored, sealed, pending, heads, copies, firstBad, lastHeads } = verdict;
  const counts = `已封存 ${sealed.toLocaleString('en-US')} 条，待封存 ${pending} 条，签名链头 ${heads} 个，库外副本 ${copies} 个。`;
  return (
    <>
      {ok ? (
        <StateMessage mark="sound" title="审计链完整">
          {counts}每一条都与封存时一致。
        </StateMessage>
      ) : (
        <StateMessage mark="error" title={anchored ? '审计链已被破坏' : '审计链未锚定'}>
          {firstBad && (
            <p role="alert">
              第一处问题在封存序号 {firstBad.seq}
              {firstBad.auditId !== null && <>（审计编号 {firstBad.auditId}）</>}：{firstBad.problem}
            </p>
          )}
          {firstBad !== null && firstBad.auditId !== null && (
            <p>
              <PageLink to={`/audit?id=${firstBad.auditId}&open=${firstBad.auditId}`}>打开这条记录</PageLink>
            </p>
          )}
          {anchored
            ? `以上之前的 ${sealed.toLocaleString('en-US')} 条与封存时一致。请立即保全数据并联系负责人。`
            : '没有链头的行无法证明与封存时一致。请用另行保存的链头副本核对，并联系负责人。'}
        </StateMessage>
      )}
      <h4 className="ht-audit-heads">最近的签名链头</h4>
      <MiniTable
        label="最近的签名链头"
        rows={lastHeads}
        keyOf={({ number }) => number}
        empty="还没有签名链头"
        columns={headColumns}
      />
    </>
  );
}
