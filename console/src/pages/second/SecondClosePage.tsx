import './second.css';
import { ABILITY } from '@hengtai/contract/ability';
import { second, secondEnds } from '@hengtai/contract/second';
import type { SecondRow } from '@hengtai/contract/second.schema';
import { useState } from 'react';
import { useList } from '../../api/list.ts';
import { useMarketOptions } from '../../api/market-options.ts';
import { useCan } from '../../api/me.ts';
import { useOpenId } from '../../api/open-id.ts';
import { ListFrame } from '../../shell/ListFrame.tsx';
import { GreyedAction } from '../../ui/GreyedAction.tsx';
import { SecondDrawer } from './SecondDrawer.tsx';
import { VoidDialog } from './VoidDialog.tsx';
import { secondColumns, secondSums, stakePageSum } from './columns.tsx';

const ENDED = { running: 0 } as const;

/** 秒合约历史: what was settled or voided, and from which ticks. */
export function SecondClosePage() {
  const able = useCan(ABILITY.orders);
  const list = useList(second.list, { within: ENDED });
  const options = useMarketOptions();
  const { openId, open, close } = useOpenId();
  // A link to a contract leads here whether it has ended or not.
  const [chosen, setChosen] = useState<SecondRow>();
  return (
    <ListFrame
      title="秒合约历史"
      list={list}
      columns={secondColumns}
      options={{ ...options, state: secondEnds }}
      sums={secondSums}
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
      <SecondDrawer id={openId} able={able} onVoid={setChosen} onClose={close} />
      {chosen && <VoidDialog row={chosen} onClose={() => setChosen(undefined)} />}
    </ListFrame>
  );
}
