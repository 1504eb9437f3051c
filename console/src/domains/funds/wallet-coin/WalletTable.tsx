import { walletDiffers, walletKinds, walletStates } from '@hengtai/contract/funds/wallet/facts';
import type { WalletRow } from '@hengtai/contract/funds/wallet/schema';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { differsTones } from '../wallet/exported/words.ts';
import { Difference, ReadAt } from './cells.tsx';

type Row = WalletRow & { now: number };

const columns: readonly MiniColumn<Row>[] = [
  {
    title: '钱包',
    cell: ({ id, name, kind, state }) => (
      <>
        <PageLink to={`/wallet?id=${id}&open=${id}`}>{name}</PageLink>
        <span className="ht-wallet-coin-sub">
          {walletKinds[kind]}
          {state === 0 && ` · ${walletStates[0]}`}
        </span>
      </>
    ),
  },
  {
    title: '网络与地址',
    cell: ({ network, address }) => (
      <>
        {network}
        <span className="ht-wallet-coin-sub">{address ? <Hash value={address} label="地址" short /> : '没有地址'}</span>
      </>
    ),
  },
  { title: '余额', right: true, cell: ({ amount }) => <Money value={amount} /> },
  {
    title: '差额',
    right: true,
    cell: ({ differs, difference }) =>
      differs === 1 ? (
        <Difference value={difference} />
      ) : (
        <StateTag state={differs} labels={walletDiffers} tones={differsTones} />
      ),
  },
  { title: '读数时间', nowrap: true, cell: ({ readAt, now }) => <ReadAt value={readAt} now={now} /> },
];

/** The wallets of a coin; those whose reading differs are marked. */
export const WalletTable = ({ wallets, now }: { wallets: readonly WalletRow[]; now: number }) => (
  <MiniTable
    label="钱包"
    rows={wallets.map((wallet) => ({ ...wallet, now }))}
    keyOf={({ id }) => id}
    empty="平台没有登记该币种的钱包"
    isMarked={({ differs }) => differs === 1}
    columns={columns}
  />
);
