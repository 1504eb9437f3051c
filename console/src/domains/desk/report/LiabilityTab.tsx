import { LIABILITY, report } from '@hengtai/contract/desk/report/calls';
import type { LiabilityRow, SignatureFile } from '@hengtai/contract/desk/report/schema';
import { useState } from 'react';
import { newKey, useAction } from '../../../api/hooks.ts';
import { useList } from '../../../lists/list.ts';
import { useMe } from '../../../api/me.ts';
import { runWithErrorToast } from '../../../api/run-with-toast.ts';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { ConfirmableAction } from '../../../ui/dialog/ConfirmableAction.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { SignatureFiles } from './SignatureFiles.tsx';
import { ProofDialog } from './ProofDialog.tsx';
import { liabilityColumns } from './columns.tsx';

const REFRESH_SECONDS = 5;

/** 负债证明: proofs of liability, from which each user can verify the own balance. */
export function LiabilityTab() {
  const { top } = useMe();
  const list = useList(report.liability, { seconds: REFRESH_SECONDS });
  const { submit, pending } = useAction(report.make);
  const [files, setFiles] = useState<SignatureFile[]>([]);
  const [proofRow, setProofRow] = useState<LiabilityRow>();

  return (
    <ListFrame
      title="负债证明"
      note="对全部用户余额做默克尔求和树；根与合计经平台网关公布，每个用户都能自行验证"
      tools={
        <>
          {top && <SignatureFiles files={files} onChange={setFiles} />}
          <ConfirmableAction
            disabledReason={top ? (pending ? '正在提交' : undefined) : '仅顶级管理员可生成'}
            question="按此刻全部用户的余额生成一份负债证明？"
            onYes={() => runWithErrorToast(() => submit(files.length > 0 ? { files } : {}, newKey()), '已开始生成')}
          >
            生成负债证明
          </ConfirmableAction>
        </>
      }
      list={list}
      columns={liabilityColumns}
      emptyHint="生成一份负债证明后，它的根、合计与账本核对结果会出现在这里。"
      actions={{
        width: 130,
        render: (row) => (
          <GreyedAction
            disabledReason={row.state === LIABILITY.done ? undefined : '尚未完成'}
            onClick={() => setProofRow(row)}
          >
            下载用户证明
          </GreyedAction>
        ),
      }}
    >
      {proofRow && <ProofDialog row={proofRow} onClose={() => setProofRow(undefined)} />}
    </ListFrame>
  );
}
