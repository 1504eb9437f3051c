import '../../../records/order-parts.css';
import { walletTransfer } from '@hengtai/contract/funds/wallet-transfer/calls';
import { walletTransferActions, walletTransferStates } from '@hengtai/contract/funds/wallet-transfer/facts';
import type { WalletTransferRow } from '@hengtai/contract/funds/wallet-transfer/schema';
import { walletKinds } from '@hengtai/contract/funds/wallet/facts';
import { useRead } from '../../../api/hooks.ts';
import { DetailDrawer } from '../../../lists/DetailDrawer.tsx';
import { operatorDetail } from '../../../navigation/account-cells.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { AmountItem, DetailItem, TimeItem } from '../../../ui/value/DetailItem.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { TRANSFER_CHANGES, type TransferChange, adviceFor, disabledReasonOf, transferTones } from './words.ts';

interface Props {
  id: number | undefined;
  hasAbility: boolean;
  onAsk: (change: TransferChange, row: WalletTransferRow) => void;
  onClose: () => void;
}

/** One transfer: its wallets, what the platform reported, and what to do next. */
export function TransferDrawer({ id, onClose, ...content }: Props) {
  const query = useRead(walletTransfer.list, id === undefined ? undefined : { id });
  return (
    <DetailDrawer open={id !== undefined} width={600} title={`钱包调拨 #${id ?? ''}`} onClose={onClose} query={query}>
      {({ list: [row] }) => (row ? <Content row={row} {...content} /> : <p>记录不存在</p>)}
    </DetailDrawer>
  );
}

function Content({ row, hasAbility, onAsk }: { row: WalletTransferRow } & Pick<Props, 'hasAbility' | 'onAsk'>) {
  return (
    <>
      <dl className="ht-value-details ht-records-order-details">
        <DetailItem label="状态">
          <StateTag state={row.state} labels={walletTransferStates} tones={transferTones} />
        </DetailItem>
        <AmountItem label="数量" value={row.amount} unit={row.marketName} />
        <DetailItem label="转出钱包">
          <WalletLink id={row.fromId} name={row.fromWallet} />（{walletKinds[row.fromKind]}）
        </DetailItem>
        <DetailItem label="转入钱包">
          <WalletLink id={row.toId} name={row.toWallet} />（{walletKinds[row.toKind]}）
        </DetailItem>
        <DetailItem label="网络">{row.network}</DetailItem>
        <DetailItem label="交易平台">{row.platformName}</DetailItem>
        <DetailItem label="提交人">{operatorDetail(row.by)}</DetailItem>
        <DetailItem label="复核人">{operatorDetail(row.secondBy)}</DetailItem>
        <TimeItem label="时间" value={row.createdAt} />
        <TimeItem label="更新时间" value={row.updatedAt} />
        <DetailItem wide label="原因">
          {row.reason}
        </DetailItem>
        <DetailItem wide label="转出交易哈希">
          <Hash full value={row.outHash ?? ''} label="交易哈希" />
        </DetailItem>
        <DetailItem wide label="转入交易哈希">
          <Hash full value={row.inHash ?? ''} label="交易哈希" />
        </DetailItem>
        <DetailItem wide label="答复">
          {row.answer || '--'}
        </DetailItem>
        {row.resolvedBy !== null && <DetailItem label="处理人">{operatorDetail(row.resolvedBy)}</DetailItem>}
        <DetailItem label="单号">{row.no}</DetailItem>
      </dl>
      <Section
        title="处理建议"
        more={<PageLink to={`/command?type=wallet.move.requested&targetId=${row.id}`}>平台指令</PageLink>}
      >
        <p>{adviceFor(row.state)}</p>
      </Section>
      <div className="ht-records-actions">
        {TRANSFER_CHANGES.map((change) => (
          <GreyedAction
            key={change}
            look="button"
            danger={change === 'cancel'}
            disabledReason={disabledReasonOf(change, row, hasAbility)}
            onClick={() => onAsk(change, row)}
          >
            {walletTransferActions[change].short}
          </GreyedAction>
        ))}
      </div>
    </>
  );
}

const WalletLink = ({ id, name }: { id: number; name: string }) => (
  <PageLink to={`/wallet?id=${id}&open=${id}`}>{name}</PageLink>
);
