import { walletCoin } from '@hengtai/contract/funds/wallet-coin/calls';
import { WALLET_COIN, walletCoinStates } from '@hengtai/contract/funds/wallet-coin/facts';
import type { WalletCoinDetail, WalletCoinRow, WalletProposal } from '@hengtai/contract/funds/wallet-coin/schema';
import { useRead } from '../../../api/hooks.ts';
import { DetailDrawer } from '../../../lists/DetailDrawer.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { AmountItem, DetailItem, TimeItem } from '../../../ui/value/DetailItem.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { OpenItems } from '../wallet/exported/OpenItems.tsx';
import { CoverDays, Difference, ReadAt } from './cells.tsx';
import { coinTones } from './columns.tsx';
import { ConnectSteps } from './ConnectSteps.tsx';
import { ProposalSection } from './ProposalSection.tsx';
import { UnderWayTable } from './UnderWayTable.tsx';
import { WalletTable } from './WalletTable.tsx';

const REFETCH_MS = 30_000;

interface Props {
  id: number | undefined;
  hasAbility: boolean;
  onTransfer: (proposal: WalletProposal) => void;
  onClose: () => void;
}

/** One coin: the comparison, a proposed transfer, what does not fit, what is under way, and its wallets. */
export function CoinDrawer({ id, onClose, ...content }: Props) {
  const query = useRead(walletCoin.detail, id === undefined ? undefined : { id }, { refetchMs: REFETCH_MS });
  const name = query.data?.row.marketName ?? '';
  return (
    <DetailDrawer open={id !== undefined} width={760} title={`钱包对账 ${name}`} onClose={onClose} query={query}>
      {(detail) => <Content detail={detail} {...content} />}
    </DetailDrawer>
  );
}

function Content({
  detail,
  hasAbility,
  onTransfer,
}: { detail: WalletCoinDetail } & Pick<Props, 'hasAbility' | 'onTransfer'>) {
  const { row, missing, wallets, walletCount, underWay, underWayCount } = detail;
  const isConnected = row.state !== WALLET_COIN.unconnected;
  return (
    <>
      <dl className="ht-value-details">
        <DetailItem label="核对">
          <StateTag state={row.state} labels={walletCoinStates} tones={coinTones} />
        </DetailItem>
        <TimeItem label="核对时间" value={row.createdAt} />
        <AmountItem label="账面托管" value={row.custody} unit={row.marketName} />
        <AmountItem label="用户负债" value={row.liabilities} unit={row.marketName} />
        <AmountItem label="热钱包可用" value={row.hot} unit={row.marketName} />
        <DetailItem label="可支撑">
          <CoverDays row={row} />
        </DetailItem>
        <AmountItem label="每日净流出" value={row.outflow} unit={row.marketName} />
        <DetailItem label="最早的读数">
          <ReadAt value={row.readAt} now={row.createdAt} />
        </DetailItem>
      </dl>
      {isConnected ? <Equation row={row} /> : <Missing names={missing} />}
      {row.state === WALLET_COIN.different && <NextSteps row={row} />}
      {row.proposal && <ProposalSection proposal={row.proposal} hasAbility={hasAbility} onTransfer={onTransfer} />}
      <OpenItems marketId={row.marketId} />
      <Section title="在途" aside={countText(underWay.length, underWayCount, '项')}>
        <UnderWayTable items={underWay} unit={row.marketName} />
      </Section>
      <Section
        title="钱包"
        aside={countText(wallets.length, walletCount, '个')}
        more={<PageLink to={`/wallet?marketId=${row.marketId}`}>全部</PageLink>}
      >
        <WalletTable wallets={wallets} now={row.createdAt} />
      </Section>
      {!isConnected && <ConnectSteps />}
    </>
  );
}

const countText = (shown: number, all: number, unit: string): string =>
  shown < all ? `${shown} ${unit}，共 ${all} ${unit}` : `共 ${all} ${unit}`;

/** The comparison as a sum, as people write it. */
function Equation({ row }: { row: WalletCoinRow }) {
  const lines: readonly (readonly [string, string | null])[] = [
    ['钱包合计', row.wallets],
    ['加：在途', row.underWay],
    ['减：账面托管', row.custody],
  ];
  return (
    <dl className="ht-wallet-coin-equation" aria-label="核对">
      {lines.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Money value={value} unit={row.marketName} />
          </dd>
        </div>
      ))}
      <div className="ht-wallet-coin-result">
        <dt>差额</dt>
        <dd>
          <Difference value={row.difference} unit={row.marketName} />
        </dd>
      </div>
    </dl>
  );
}

const Missing = ({ names }: { names: readonly string[] }) => (
  <p className="ht-wallet-coin-note">
    {names.length > 0
      ? `未接入：${names.join('、')} 有该币种的余额，但没有报告过读数的钱包。接入之前不计算差额。`
      : '该币种的钱包都没有读数。平台报告 wallet.balance 之后开始核对。'}
  </p>
);

/** Where to look first, by the sign of the difference. */
const NextSteps = ({ row: { difference, marketId } }: { row: WalletCoinRow }) => (
  <p className="ht-wallet-coin-note">
    {difference?.startsWith('-')
      ? '钱包比账本少。先看下面有差额的钱包与超过时限的链上流水；查不出原因时立即停止该币种的打款。'
      : '钱包比账本多。常见原因是没有记账的自有资金、尚未入账的充值，或重复扣记的打款。'}
    自有资金在 <PageLink to={`/house?marketId=${marketId}`}>平台账户</PageLink> 中登记。
  </p>
);
