import { rechargeStates } from '@hengtai/contract/recharge.facts';
import { withdrawStates } from '@hengtai/contract/withdraw.facts';
import type { WithdrawDetail } from '@hengtai/contract/withdraw.schema';
import { Hash } from '../../ui/Hash.tsx';
import { type MiniColumn, MiniTable } from '../../ui/MiniTable.tsx';
import { Money } from '../../ui/Money.tsx';
import { Section } from '../../ui/Section.tsx';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { Risks, withdrawTones } from './columns.tsx';

const rechargeTones: Readonly<Record<number, Tone>> = { 0: 'run', 1: 'good', 2: 'idle', 3: 'wait', 4: 'bad' };

const addressColumns: readonly MiniColumn<WithdrawDetail['addresses'][number]>[] = [
  { title: '地址', cell: (a) => <Hash value={a.address} what="地址" /> },
  { title: '网络', cell: (a) => a.network },
  { title: '币种', cell: (a) => a.marketName },
  { title: '次数', right: true, cell: (a) => a.times },
  { title: '累计', right: true, cell: (a) => <Money value={a.total} /> },
  { title: '首次', cell: (a) => <Time value={a.firstAt} /> },
  { title: '最近', cell: (a) => <Time value={a.lastAt} /> },
  {
    title: '使用人数',
    right: true,
    cell: (a) => (a.users > 1 ? <b className="ht-warn-text">{a.users} 人</b> : `${a.users} 人`),
  },
];

const withdrawColumns: readonly MiniColumn<WithdrawDetail['withdraws'][number]>[] = [
  { title: '编号', cell: ({ id }) => id },
  { title: '时间', cell: ({ createdAt }) => <Time value={createdAt} /> },
  { title: '币种', cell: ({ marketName }) => marketName },
  { title: '数量', right: true, cell: ({ amount }) => <Money value={amount} /> },
  { title: '地址', cell: ({ address }) => <Hash value={address} what="地址" /> },
  {
    title: '状态',
    cell: ({ state }) => <StateTag state={state} labels={withdrawStates} tones={withdrawTones} />,
  },
  { title: '风险', cell: ({ risk }) => <Risks codes={risk} /> },
];

const rechargeColumns: readonly MiniColumn<WithdrawDetail['recharges'][number]>[] = [
  { title: '编号', cell: ({ id }) => id },
  { title: '时间', cell: ({ createdAt }) => <Time value={createdAt} /> },
  { title: '币种', cell: ({ marketName }) => marketName },
  { title: '数量', right: true, cell: ({ amount }) => <Money value={amount} /> },
  { title: '网络', cell: ({ network }) => network },
  { title: '地址', cell: ({ address }) => <Hash value={address} what="地址" /> },
  {
    title: '状态',
    cell: ({ state }) => <StateTag state={state} labels={rechargeStates} tones={rechargeTones} />,
  },
];

/** Used addresses, and the latest withdrawals and recharges of the user. */
export function CockpitHistory({ detail }: { detail: WithdrawDetail }) {
  const { addresses, recharges, withdraws, row } = detail;
  return (
    <div className="ht-review-wide">
      <Section title="用过的提现地址" aside={`${addresses.length} 个`}>
        <MiniTable
          label="用过的提现地址"
          rows={addresses}
          keyOf={(a) => `${a.network}${a.address}${a.marketName}`}
          none="还没有用过任何地址"
          marked={(a) => a.address === row.address}
          columns={addressColumns}
        />
      </Section>
      <Section title="最近提现">
        <MiniTable
          label="最近提现"
          rows={withdraws}
          keyOf={({ id }) => id}
          none="没有提现"
          marked={({ id }) => id === row.id}
          columns={withdrawColumns}
        />
      </Section>
      <Section title="最近充值">
        <MiniTable label="最近充值" rows={recharges} keyOf={({ id }) => id} none="没有充值" columns={rechargeColumns} />
      </Section>
    </div>
  );
}
