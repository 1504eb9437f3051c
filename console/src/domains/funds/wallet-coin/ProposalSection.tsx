import { ABILITY, abilityLabels } from '@hengtai/contract/authority/ability';
import { proposalKinds } from '@hengtai/contract/funds/wallet-coin/facts';
import type { WalletProposal } from '@hengtai/contract/funds/wallet-coin/schema';
import { walletKinds } from '@hengtai/contract/funds/wallet/facts';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { whyOf } from './words.ts';

interface Props {
  proposal: WalletProposal;
  hasAbility: boolean;
  onTransfer: (proposal: WalletProposal) => void;
}

/** A proposed transfer with its reason. The button opens the request filled in. */
export const ProposalSection = ({ proposal, hasAbility, onTransfer }: Props) => {
  const { kind, from, to, amount } = proposal;
  return (
    <Section title={proposalKinds[kind]} aside={`${from.network} · ${from.platformName}`}>
      <div className="ht-wallet-coin-proposal">
        <p>
          <Money value={amount} unit={from.marketName} /> <Wallet wallet={from} /> → <Wallet wallet={to} />
          <span className="ht-wallet-coin-sub">{whyOf(proposal)}</span>
        </p>
        <GreyedAction
          look="button"
          disabledReason={hasAbility ? undefined : `没有「${abilityLabels[ABILITY.assets]}」权限`}
          onClick={() => onTransfer(proposal)}
        >
          新建调拨
        </GreyedAction>
      </div>
    </Section>
  );
};

const Wallet = ({ wallet: { id, name, kind } }: { wallet: WalletProposal['from'] }) => (
  <>
    <PageLink to={`/wallet?id=${id}&open=${id}`}>{name}</PageLink>（{walletKinds[kind]}）
  </>
);
