import './binary-contract.css';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { binaryContract } from '@hengtai/contract/trading/binary-contract/calls';
import type { BinaryContractDetail, BinaryContractRow } from '@hengtai/contract/trading/binary-contract/schema';
import { settle } from '../../../api/display-error.ts';
import { saveFile } from '../../../api/file-answer.ts';
import { newKey, useAction, useRead } from '../../../api/hooks.ts';
import { useCan } from '../../../api/me.ts';
import { toast } from '../../../api/toast.ts';
import { DetailDrawer } from '../../../lists/DetailDrawer.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { Details, Evidence } from './details.tsx';
import { disabledReasonOf } from './words.ts';

interface Props {
  id: number | undefined;
  hasAbility: boolean;
  onVoid: (row: BinaryContractRow) => void;
  onClose: () => void;
}

/** One contract: its terms, the two ticks that decide it and its ledger entries. */
export function BinaryContractDrawer({ id, hasAbility, onVoid, onClose }: Props) {
  const query = useRead(binaryContract.detail, id === undefined ? undefined : { id });
  return (
    <DetailDrawer open={id !== undefined} width={800} title={`秒合约 #${id ?? ''}`} onClose={onClose} query={query}>
      {(detail) => <Content detail={detail} hasAbility={hasAbility} onVoid={onVoid} />}
    </DetailDrawer>
  );
}

function Content({
  detail,
  hasAbility,
  onVoid,
}: { detail: BinaryContractDetail } & Pick<Props, 'hasAbility' | 'onVoid'>) {
  const { row, closing } = detail;
  return (
    <>
      <Details detail={detail} />
      <div className="ht-binary-contract-actions">
        <EvidenceButton row={row} />
        <GreyedAction
          look="button"
          danger
          disabledReason={disabledReasonOf(row, hasAbility, closing)}
          onClick={() => onVoid(row)}
        >
          作废并退款
        </GreyedAction>
      </div>
      <Evidence detail={detail} />
    </>
  );
}

/** Downloads the evidence of the outcome as JSON, so that anybody can recompute it. */
function EvidenceButton({ row }: { row: BinaryContractRow }) {
  const hasAbility = useCan(ABILITY.export);
  const { submit, pending } = useAction(binaryContract.evidence);
  async function download() {
    const error = await settle(async () => {
      const outcome = await submit({ id: row.id }, newKey());
      if (outcome.kind !== 'done') return;
      const blob = new Blob([JSON.stringify(outcome.data, null, 2)], { type: 'application/json' });
      saveFile({ name: `second-contract-${row.id}.json`, blob });
      toast.success('凭证已下载');
    });
    if (error) toast.error(error.msg);
  }
  return (
    <GreyedAction
      look="button"
      disabledReason={hasAbility ? (pending ? '正在生成' : undefined) : '没有「数据导出」权限'}
      onClick={() => void download()}
    >
      下载凭证
    </GreyedAction>
  );
}
