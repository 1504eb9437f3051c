import { wallet } from '@hengtai/contract/funds/wallet/calls';
import { walletKinds, type WalletKind } from '@hengtai/contract/funds/wallet/facts';
import type { WalletRow } from '@hengtai/contract/funds/wallet/schema';
import { Select } from 'antd';
import { useState } from 'react';
import { useRead } from '../../../../api/hooks.ts';
import { QueryPlace } from '../../../../api/QueryPlace.tsx';
import { useDebounced } from '../../../../ui/browser/use-debounced.ts';

const OPTIONS_MAX = 50;
const DEBOUNCE_MS = 250;

/** What a transfer needs of a wallet. */
export type TransferWallet = Pick<
  WalletRow,
  'id' | 'name' | 'kind' | 'marketId' | 'marketName' | 'network' | 'platformId'
>;

interface Props {
  id: string;
  value: TransferWallet | undefined;
  onChange: (wallet: TransferWallet) => void;
  marketId: number;
  /** Only wallets to which this one can give. */
  payer?: TransferWallet | undefined;
  disabled?: boolean;
}

const labelOf = ({ name, kind, network }: TransferWallet): string =>
  `${name} · ${walletKinds[kind satisfies WalletKind]} · ${network}`;

/** Chooses a wallet in use, which the server finds by its name or number. */
export function WalletSelect({ id, value, onChange, marketId, payer, disabled = false }: Props) {
  const [text, setText] = useState('');
  const name = useDebounced(text.trim(), DEBOUNCE_MS);
  const query = useRead(
    wallet.list,
    {
      marketId,
      state: 1,
      size: OPTIONS_MAX,
      ...(name !== '' && { name }),
      ...(payer && { network: payer.network, platformId: payer.platformId }),
    },
    { enabled: !disabled, keepPrevious: true },
  );
  const found: readonly TransferWallet[] = (query.data?.list ?? []).filter((one) => one.id !== payer?.id);
  const wallets = value && found.every((one) => one.id !== value.id) ? [value, ...found] : found;
  return (
    <Select
      id={id}
      disabled={disabled}
      placeholder={disabled ? '请先选择转出钱包' : '请选择钱包'}
      showSearch={{ filterOption: false, onSearch: setText }}
      notFoundContent={
        <QueryPlace query={query} isSmall>
          没有符合的使用中的钱包
        </QueryPlace>
      }
      value={value?.id ?? null}
      options={wallets.map((one) => ({ value: one.id, label: labelOf(one) }))}
      onChange={(next) => {
        const chosen = wallets.find((one) => one.id === next);
        if (chosen) onChange(chosen);
      }}
    />
  );
}
