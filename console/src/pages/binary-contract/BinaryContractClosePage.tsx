import './binary-contract.css';
import { ABILITY } from '@hengtai/contract/ability';
import { binaryContract, binaryContractEnds } from '@hengtai/contract/binary-contract';
import type { BinaryContractRow } from '@hengtai/contract/binary-contract.schema';
import { useState } from 'react';
import { useList } from '../../api/list.ts';
import { useMarketOptions } from '../../api/market-options.ts';
import { useCan } from '../../api/me.ts';
import { useOpenId } from '../../api/open-id.ts';
import { ListFrame } from '../../shell/ListFrame.tsx';
import { GreyedAction } from '../../ui/GreyedAction.tsx';
import { BinaryContractDrawer } from './BinaryContractDrawer.tsx';
import { VoidDialog } from './VoidDialog.tsx';
import { binaryContractColumns, binaryContractSums, stakePageSum } from './columns.tsx';

const ENDED = { running: 0 } as const;

/** 秒合约历史: what was settled or voided, and from which ticks. */
export function BinaryContractClosePage() {
  const able = useCan(ABILITY.orders);
  const list = useList(binaryContract.list, { baseFilters: ENDED });
  const options = useMarketOptions();
  const { openId, open, close } = useOpenId();
  // A link to a contract leads here whether it has ended or not.
  const [chosen, setChosen] = useState<BinaryContractRow>();
  return (
    <ListFrame
      title="秒合约历史"
      list={list}
      columns={binaryContractColumns}
      options={{ ...options, state: binaryContractEnds }}
      sums={binaryContractSums}
      pageSum={stakePageSum}
      openId={openId}
      onOpen={(row) => open(row.id)}
      next="秒合约到期结算或作废后会出现在这里。"
      actions={{
        width: 88,
        render: (row) => (
          <GreyedAction why={undefined} onClick={() => open(row.id)}>
            凭证
          </GreyedAction>
        ),
      }}
    >
      <BinaryContractDrawer id={openId} able={able} onVoid={setChosen} onClose={close} />
      {chosen && <VoidDialog row={chosen} onClose={() => setChosen(undefined)} />}
    </ListFrame>
  );
}
