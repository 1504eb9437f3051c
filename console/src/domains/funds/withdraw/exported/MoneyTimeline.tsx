import { rechargeStates, RECHARGE } from '@hengtai/contract/funds/recharge/facts';
import { credentialLabels } from '@hengtai/contract/people/user/calls';
import { withdrawStates } from '@hengtai/contract/funds/withdraw/facts';
import type { MoneyTimeline as Events, WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { PageLink } from '../../../../navigation/PageLink.tsx';
import { Hash } from '../../../../ui/value/Hash.tsx';
import { Money } from '../../../../ui/value/Money.tsx';
import { StateTag, type Tone } from '../../../../ui/value/StateTag.tsx';
import { Timeline, type TimelineEvent } from '../../../../records/Timeline.tsx';
import { customerEvents } from '../../../people/user/exported/customer-events.tsx';
import { withdrawTones } from '../../../../records/state-tones.ts';
import { Risks } from '../columns.tsx';

/** Here a recharge is history and no work, so what waits for nobody is under way; lists have `records/state-tones.ts`. */
const timelineTones: Readonly<Record<number, Tone>> = {
  [RECHARGE.waiting]: 'run',
  [RECHARGE.credited]: 'good',
  [RECHARGE.held]: 'wait',
  [RECHARGE.reversed]: 'bad',
};

const credentialText = (kind: string): string => (credentialLabels as Readonly<Record<string, string>>)[kind] ?? kind;

const withdrawEvent = (row: WithdrawRow, isCurrent: boolean): TimelineEvent => ({
  key: `withdraw${row.id}`,
  at: row.createdAt,
  label: isCurrent ? (
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
      <Hash value={row.address} label="地址" short />
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

interface Props {
  events: Events;
  /** Number of the withdrawal that is decided. */
  underReview: number | undefined;
}

/** The latest recharges, withdrawals, changes of credentials, logins and notes of a user. */
export function MoneyTimeline({ events: { recharges, withdraws, credentials, ...others }, underReview }: Props) {
  const events: TimelineEvent[] = [
    ...withdraws.map((row) => withdrawEvent(row, row.id === underReview)),
    ...recharges.map(({ id, createdAt, amount, marketName, network, address, state }) => ({
      key: `recharge${id}`,
      at: createdAt,
      label: (
        <PageLink to={`/recharge?open=${id}`} label={`充值 #${id}`}>
          充值
        </PageLink>
      ),
      content: (
        <>
          <Money value={amount} unit={marketName} showPlus />
          <span>{network}</span>
          <Hash value={address} label="地址" short />
          <StateTag state={state} labels={rechargeStates} tones={timelineTones} />
        </>
      ),
    })),
    ...credentials.map(({ kind, at }) => ({
      key: `credential${kind}${at}`,
      at,
      label: '凭证变更',
      content: <b className="ht-value-warn">{credentialText(kind)}</b>,
    })),
    ...customerEvents(others),
  ];
  return <Timeline events={events} note="每类最近 10 条" />;
}
