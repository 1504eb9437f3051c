import './binary-contract.css';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { binaryContract, binaryContractFinalStates } from '@hengtai/contract/trading/binary-contract/calls';
import type { BinaryContractRow } from '@hengtai/contract/trading/binary-contract/schema';
import { useState } from 'react';
import { useList } from '../../../lists/list.ts';
import { useCan } from '../../../api/me.ts';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { BinaryContractDrawer } from './BinaryContractDrawer.tsx';
import { VoidDialog } from './VoidDialog.tsx';
import { binaryContractColumns, endedPageSums, endedSums } from './columns.tsx';

const ENDED = { running: 0 } as const;

/** 秒合约历史: settled and voided contracts with the ticks that decided them. */
export function BinaryContractClosePage() {
  const hasAbility = useCan(ABILITY.orders);
  const list = useList(binaryContract.list, { baseFilters: ENDED });
  // A link can open a running contract on this page, which can still be voided.
  const [voiding, setVoiding] = useState<BinaryContractRow>();
  return (
    <ListFrame
      list={list}
      columns={binaryContractColumns}
      options={{ state: binaryContractFinalStates }}
      sums={endedSums}
      pageSums={endedPageSums}
      lineUnit="个市场"
      totalLabel="全部市场"
      onOpen={list.open}
      emptyHint="秒合约到期结算或作废后会出现在这里。"
      actions={{ width: 88, open: '凭证' }}
    >
      <BinaryContractDrawer id={list.openId} hasAbility={hasAbility} onVoid={setVoiding} onClose={list.close} />
      {voiding && <VoidDialog row={voiding} onClose={() => setVoiding(undefined)} />}
    </ListFrame>
  );
}
