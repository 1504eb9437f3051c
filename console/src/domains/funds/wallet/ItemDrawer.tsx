import '../../../records/order-parts.css';
import { wallet } from '@hengtai/contract/funds/wallet/calls';
import { WALLET_ITEM, isOpenItem, walletItemCauses, walletItemStates } from '@hengtai/contract/funds/wallet/item';
import type { WalletItem } from '@hengtai/contract/funds/wallet/item.schema';
import { WaitingMark } from '../../../actions/WaitingMark.tsx';
import { useRead } from '../../../api/hooks.ts';
import { DetailDrawer } from '../../../lists/DetailDrawer.tsx';
import { operatorDetail } from '../../../navigation/account-cells.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { TargetLink } from '../../../navigation/TargetLink.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { AmountItem, DetailItem, TimeItem } from '../../../ui/value/DetailItem.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { itemTones } from './item-columns.tsx';
import { disabledReasonOf, nextStepOf } from './item-words.ts';
import { ItemSides } from './ItemSides.tsx';

interface Props {
  id: number | undefined;
  hasAbility: boolean;
  onExplain: (row: WalletItem) => void;
  onClose: () => void;
}

/** One item: the move and the record beside each other, and what to do about it. */
export function ItemDrawer({ id, onClose, ...content }: Props) {
  const query = useRead(wallet.items, id === undefined ? undefined : { id });
  return (
    <DetailDrawer open={id !== undefined} width={760} title={`链上差异 #${id ?? ''}`} onClose={onClose} query={query}>
      {({ list: [item] }) => (item ? <Content item={item} {...content} /> : <p>记录不存在</p>)}
    </DetailDrawer>
  );
}

function Content({ item, hasAbility, onExplain }: { item: WalletItem } & Pick<Props, 'hasAbility' | 'onExplain'>) {
  const { id, move, marketName } = item;
  return (
    <>
      <dl className="ht-value-details ht-records-order-details">
        <DetailItem label="状态">
          <StateTag state={item.state} labels={walletItemStates} tones={itemTones} /> <WaitingMark id={id} />
        </DetailItem>
        <DetailItem label="原因">{walletItemCauses[item.why]}</DetailItem>
        <AmountItem label="数量" value={item.amount} unit={marketName} showPlus />
        <AmountItem label="账外数量" value={item.excess} unit={marketName} showPlus />
        <DetailItem label="平台">{item.platformName}</DetailItem>
        <DetailItem label="网络">{item.network}</DetailItem>
        {move && (
          <DetailItem label="钱包">
            <PageLink to={`/wallet?name=${encodeURIComponent(`=${move.wallet}`)}`}>
              {move.walletName || move.wallet}
            </PageLink>
          </DetailItem>
        )}
        {item.alarmId !== null && (
          <DetailItem label="告警">
            <TargetLink target={{ targetType: 'alarm', targetId: item.alarmId }} />
          </DetailItem>
        )}
        <TimeItem label="发现时间" value={item.createdAt} />
        <DetailItem wide label="交易哈希">
          <Hash full value={item.txHash} label="交易哈希" explorer={item.explorer} />
        </DetailItem>
      </dl>
      {isOpenItem(item) && (
        <>
          <Section title="下一步">
            <p>{nextStepOf(item)}</p>
          </Section>
          <div className="ht-records-actions">
            <GreyedAction
              look="button"
              primary
              disabledReason={disabledReasonOf(item, hasAbility)}
              onClick={() => onExplain(item)}
            >
              说明
            </GreyedAction>
          </div>
        </>
      )}
      <Section title="链上与记录">
        <ItemSides item={item} />
      </Section>
      {item.state === WALLET_ITEM.explained && <Explanation item={item} />}
    </>
  );
}

const Explanation = ({ item }: { item: WalletItem }) => (
  <Section title="说明">
    <p>{item.reason}</p>
    <dl className="ht-value-details">
      <DetailItem label="自有资金">{item.own ? '已入账' : '未入账'}</DetailItem>
      <TimeItem label="说明时间" value={item.explainedAt} />
      <DetailItem label="说明人">{operatorDetail(item.by)}</DetailItem>
      <DetailItem label="复核人">{operatorDetail(item.secondBy)}</DetailItem>
    </dl>
  </Section>
);
