import { signing } from '@hengtai/contract/risk/signing/calls';
import { proposalStates, PROPOSAL } from '@hengtai/contract/risk/signing/facts';
import type { SigningMine, SigningProposal, SigningState } from '@hengtai/contract/risk/signing/schema';
import { useState } from 'react';
import { settle } from '../../../api/display-error.ts';
import { newKey, useAction } from '../../../api/hooks.ts';
import { runWithErrorToast } from '../../../api/run-with-toast.ts';
import { askSignature } from '../../../api/signing-window.ts';
import { toast } from '../../../api/toast.ts';
import { operatorCell } from '../../../navigation/account-cells.tsx';
import { ConfirmableAction } from '../../../ui/dialog/ConfirmableAction.tsx';
import { ErrorMessage } from '../../../ui/dialog/ErrorMessage.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { PageTable } from '../../../ui/table/PageTable.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import type { DisplayError } from '../../../ui/value/display-error.ts';
import { Fingerprint } from './Fingerprint.tsx';
import { signerKeys } from './drafts.ts';
import { draftTitle } from './words.ts';

const TONES = { 0: 'wait', 1: 'good', 2: 'idle' } as const;

interface Props {
  label: string;
  mine: SigningMine;
  roster: SigningState['roster'];
  platforms: SigningState['platforms'];
  proposals: readonly SigningProposal[];
}

/** Drafts and mandates, who signed them, and the own signature. */
export function ProposalTable({ label, mine, roster, platforms, proposals }: Props) {
  const add = useAction(signing.add);
  const close = useAction(signing.close);
  const [asking, setAsking] = useState<number>();
  const [error, setError] = useState<DisplayError>();

  async function sign({ id, kind, text, digest }: SigningProposal) {
    if (!mine.page) return;
    const { page, person } = mine;
    const request = {
      person,
      roster: roster?.version ?? 1,
      // The first roster is signed by its own keys.
      ...(roster ? roster.signsDigest && { rosterDigest: roster.digest } : { rosterDigest: digest }),
      relyingParty: roster ? (mine.relyingParty ?? page.relyingParty) : page.relyingParty,
      keys: signerKeys(mine, roster, text),
      texts: [text],
      previous: kind === 'roster' ? (roster?.text ?? null) : null,
    };
    setAsking(id);
    const failure = await settle(async () => {
      const outcome = await add.submit({ signature: await askSignature(page, request) }, newKey());
      if (outcome.kind !== 'done') return;
      toast.success(outcome.data.adopted.length > 0 ? '签名人数已足，已生效' : '已签名，等待其他签名人');
    });
    setError(failure);
    setAsking(undefined);
  }

  function signDisabledReason({ text, signatures }: SigningProposal): string | undefined {
    if (asking !== undefined) return '正在等待签名窗口';
    if (signatures.some(({ person }) => person === mine.person)) return '您已签名';
    return mine.page && signerKeys(mine, roster, text).length > 0 ? undefined : '您没有可用于此草案的签名密钥';
  }

  return (
    <>
      {error && <ErrorMessage error={error} />}
      <PageTable label={label} titles={['内容', '指纹', '提交', '签名', '状态', '操作']}>
        {proposals.map((row) => (
          <tr key={row.id} data-key={row.id}>
            <th scope="row">{draftTitle(row, roster, platforms)}</th>
            <td>
              <Fingerprint digest={row.digest} what="草案指纹" />
            </td>
            <td>
              {operatorCell(row.by)}
              <span className="ht-table-page-note">
                <Time value={row.createdAt} short />
              </span>
            </td>
            <td>
              {row.signatures.length} / {row.needed}
              {row.signatures.length > 0 && (
                <span className="ht-table-page-note">{row.signatures.map(({ person }) => person).join('、')}</span>
              )}
            </td>
            <td>
              <StateTag state={row.state} labels={proposalStates} tones={TONES} />
            </td>
            <td>
              {row.state === PROPOSAL.open && (
                <GreyedAction disabledReason={signDisabledReason(row)} onClick={() => void sign(row)}>
                  签名
                </GreyedAction>
              )}
              {row.state !== PROPOSAL.closed && (
                <ConfirmableAction
                  disabledReason={undefined}
                  question={
                    row.state === PROPOSAL.open ? '关闭此草案？已有的签名作废' : '撤销此授权？之后不再随打款发出'
                  }
                  onYes={() => runWithErrorToast(() => close.submit({ id: row.id }, newKey()))}
                >
                  {row.state === PROPOSAL.open ? '关闭' : '撤销'}
                </ConfirmableAction>
              )}
            </td>
          </tr>
        ))}
      </PageTable>
    </>
  );
}
