import { ABILITY } from '@hengtai/contract/authority/ability';
import { wallet } from '@hengtai/contract/funds/wallet/calls';
import { openItemStates } from '@hengtai/contract/funds/wallet/item';
import type { WalletItem } from '@hengtai/contract/funds/wallet/item.schema';
import { useState } from 'react';
import { useCan } from '../../../api/me.ts';
import { useList } from '../../../lists/list.ts';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { dialogOnDemand, onDemand } from '../../../ui/page/on-demand.tsx';
import { walletItemColumns } from './item-columns.tsx';
import { disabledReasonOf } from './item-words.ts';

const ItemDrawer = onDemand(async () => (await import('./ItemDrawer.tsx')).ItemDrawer);
const ExplainDialog = dialogOnDemand(async () => (await import('./ExplainDialog.tsx')).ExplainDialog);

const INITIAL = { states: openItemStates.join(',') };

/** 链上差异: what does not fit between wallets, chains and records, oldest first. */
export function WalletItemPage() {
  const hasAbility = useCan(ABILITY.assets);
  const list = useList(wallet.items, { seconds: 30, initial: INITIAL });
  const [explained, setExplained] = useState<WalletItem>();
  return (
    <ListFrame
      list={list}
      columns={walletItemColumns}
      targetType="walletItem"
      note="最早的在前"
      tools={<PageLink to="/wallet-coin">钱包对账</PageLink>}
      emptyHint="链上流水与充值、提现对不上，超过核对时限就会出现在这里。没有未处理的差异。"
      onOpen={list.open}
      actions={{
        width: 112,
        open: '详情',
        render: (row) => (
          <GreyedAction disabledReason={disabledReasonOf(row, hasAbility)} onClick={() => setExplained(row)}>
            说明
          </GreyedAction>
        ),
      }}
    >
      <ItemDrawer id={list.openId} hasAbility={hasAbility} onExplain={setExplained} onClose={list.close} />
      {explained && <ExplainDialog row={explained} onClose={() => setExplained(undefined)} />}
    </ListFrame>
  );
}
