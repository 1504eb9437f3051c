import { rechargeStates } from '@hengtai/contract/recharge.facts';
import { credentialLabels } from '@hengtai/contract/user';
import { withdrawStates } from '@hengtai/contract/withdraw.facts';
import type { WithdrawDetail, WithdrawRow } from '@hengtai/contract/withdraw.schema';
import { PageLink } from '../../navigation/PageLink.tsx';
import { Hash } from '../../ui/Hash.tsx';
import { Money } from '../../ui/Money.tsx';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Timeline, type TimelineEvent, customerEvents } from '../../ui/Timeline.tsx';
import { Risks, withdrawTones } from './columns.tsx';

const rechargeTones: Readonly<Record<number, Tone>> = { 0: 'run', 1: 'good', 2: 'idle', 3: 'wait', 4: 'bad' };

const credentialText = (kind: string): string => (credentialLabels as Readonly<Record<string, string>>)[kind] ?? kind;

const withdrawEvent = (row: WithdrawRow, isCurrent: boolean): TimelineEvent => ({
  key: `withdraw${row.id}`,
  at: row.createdAt,
  word: isCurrent ? (
    '提现'
  ) : (
    <PageLink to={`/withdraw?open=${row.id}`} label={`提现 #${row.id}`}>
      提现
    </PageLink>
  ),
  isCurrent,
  content: (
    <>
      <Money value={`-${row.amount}`} unit={row.marketName} />
      <Hash value={row.address} what="地址" short />
      {isCurrent ? (
        <b>本次申请</b>
      ) : (
        <>
          <StateTag state={row.state} labels={withdrawStates} tones={withdrawTones} />
          {row.risk.length > 0 && <Risks codes={row.risk} />}
        </>
      )}
    </>
  ),
});

/** The latest recharges, withdrawals, changes of credentials, logins and notes of the user. */
export function CockpitTimeline({ detail }: { detail: WithdrawDetail }) {
  const { recharges, withdraws, credentials, row } = detail;
  const events: TimelineEvent[] = [
    withdrawEvent(row, true),
    ...withdraws.map((other) => withdrawEvent(other, false)),
    ...recharges.map(({ id, createdAt, amount, marketName, network, address, state }) => ({
      key: `recharge${id}`,
      at: createdAt,
      word: (
        <PageLink to={`/recharge?open=${id}`} label={`充值 #${id}`}>
          充值
        </PageLink>
      ),
      content: (
        <>
          <Money value={amount} unit={marketName} sign />
          <span>{network}</span>
          <Hash value={address} what="地址" short />
          <StateTag state={state} labels={rechargeStates} tones={rechargeTones} />
        </>
      ),
    })),
    ...credentials.map(({ kind, at }) => ({
      key: `credential${kind}${at}`,
      at,
      word: '凭证变更',
      content: <b className="ht-warn-text">{credentialText(kind)}</b>,
    })),
    ...customerEvents(detail),
  ];
  return <Timeline events={events} note="每类最近 10 条" />;
}
