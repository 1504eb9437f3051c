import { alarm, alarmDetails } from '@hengtai/contract/house/alarm/calls';
import { attemptText } from '@hengtai/contract/funds/withdraw/calls';
import { alarmStates, ALARM } from '@hengtai/contract/house/alarm/facts';
import { alarmStopLabels } from '@hengtai/contract/house/alarm/stops';
import type { AlarmDetail, AlarmRow } from '@hengtai/contract/house/alarm/schema';
import { platformLabels } from '@hengtai/contract/values/money';
import { agentDetail, operatorDetail } from '../../../navigation/account-cells.tsx';
import { useRead } from '../../../api/hooks.ts';
import { useMe } from '../../../api/me.ts';
import { DetailDrawer } from '../../../lists/DetailDrawer.tsx';
import { RecordTeamwork } from '../../../lists/RecordTeamwork.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { TargetLink } from '../../../navigation/TargetLink.tsx';
import { UserItem } from '../../../lists/request-parts.tsx';
import { AmountItem, DetailItem, TimeItem } from '../../../ui/value/DetailItem.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { alarmTones, kindText } from './columns.tsx';
import { disabledReasonOf } from './disabled-reason.ts';

interface Props {
  id: number | undefined;
  onEnd: (row: AlarmRow) => void;
  onClose: () => void;
}

/** One alarm: the record, what happened and what to do about it. */
export function AlarmDrawer({ id, onEnd, onClose }: Props) {
  const query = useRead(alarm.detail, id === undefined ? undefined : { id });
  return (
    <DetailDrawer open={id !== undefined} width={600} title={`告警 #${id ?? ''}`} onClose={onClose} query={query}>
      {(detail) => <Content detail={detail} onEnd={onEnd} />}
    </DetailDrawer>
  );
}

function Content({ detail, onEnd }: { detail: AlarmDetail } & Pick<Props, 'onEnd'>) {
  const me = useMe();
  const otherFields = Object.entries(detail.detail).filter(([field]) => !OWN_ROW_FIELDS.has(field));
  return (
    <>
      <dl className="ht-value-details ht-records-order-details">
        <DetailItem label="状态">
          <StateTag state={detail.state} labels={alarmStates} tones={alarmTones} />
        </DetailItem>
        <DetailItem label="告警">{kindText(detail.kind)}</DetailItem>
        {detail.state === ALARM.open && <DetailItem label="暂停">{alarmStopLabels[detail.stops]}</DetailItem>}
        <DetailItem label="对象">
          <TargetLink target={detail} />
        </DetailItem>
        <TimeItem label="时间" value={detail.createdAt} />
        {detail.userId !== null && <UserItem userId={detail.userId} account={detail.account ?? '--'} />}
        <DetailItem label="代理">{agentDetail(detail.agent)}</DetailItem>
        <AmountItem label="数量" value={detail.amount} unit={detail.marketName ?? ''} />
        <DetailItem wide label="交易哈希">
          <Hash full value={detail.txHash} label="交易哈希" explorer={detail.explorer} />
        </DetailItem>
        {otherFields.map(([field, value]) => (
          <DetailItem key={field} wide label={alarmDetails[field] ?? field}>
            <DetailValue field={field} value={value} explorer={detail.explorer} />
          </DetailItem>
        ))}
      </dl>
      <Section title="情况说明">
        <p>{detail.happened}</p>
      </Section>
      <Section title="处理建议">
        <p>{detail.next}</p>
        {detail.userId !== null && DEDUCTED.has(detail.kind) && (
          <p>
            <PageLink to={`/user?open=${detail.userId}&tab=assets`}>打开用户的资产</PageLink>
          </p>
        )}
      </Section>
      {detail.occurrences.total > 0 && <Occurrences {...detail} />}
      <RecordTeamwork type="alarm" id={detail.id} />
      {detail.state === ALARM.closed ? (
        <Section title="处理结论">
          <p>{detail.reason}</p>
          <dl className="ht-value-details">
            <DetailItem label="关闭人">{operatorDetail(detail.by)}</DetailItem>
            <TimeItem label="关闭时间" value={detail.closedAt} />
          </dl>
        </Section>
      ) : (
        <div className="ht-records-actions">
          <GreyedAction
            look="button"
            primary
            disabledReason={disabledReasonOf(detail, me)}
            onClick={() => onEnd(detail)}
          >
            关闭告警
          </GreyedAction>
        </div>
      )}
    </>
  );
}

type Shown = AlarmDetail['occurrences']['list'][number] & Pick<AlarmDetail, 'explorer'>;

const occurrenceColumns: readonly MiniColumn<Shown>[] = [
  { title: '时间', nowrap: true, cell: ({ createdAt }) => <Time value={createdAt} /> },
  {
    title: '内容',
    cell: ({ detail, explorer }) =>
      Object.entries(detail).map(([field, value]) => (
        <div key={field}>
          {alarmDetails[field] ?? field}：
          <DetailValue field={field} value={value} explorer={explorer} />
        </div>
      )),
  },
];

function Occurrences({ occurrences: { list, total }, explorer }: Pick<AlarmDetail, 'occurrences' | 'explorer'>) {
  return (
    <Section title="各次情况" aside={list.length < total ? `最近 ${list.length} 次，共 ${total} 次` : `共 ${total} 次`}>
      <MiniTable
        label="各次情况"
        rows={list.map((occurrence) => ({ ...occurrence, explorer }))}
        keyOf={({ id }) => id}
        empty="暂无"
        columns={occurrenceColumns}
      />
    </Section>
  );
}

/** Kinds after which an amount may have to be taken from the user. */
const DEDUCTED: ReadonlySet<string> = new Set(['recharge.reversed', 'withdraw.paidAfterRefund', 'withdraw.unexpected']);

/** Fields of `detail` that have their own row in the drawer. */
const OWN_ROW_FIELDS: ReadonlySet<string> = new Set(['account', 'amount', 'missing', 'market', 'txHash']);

function DetailValue({ field, value, explorer }: { field: string; value: unknown; explorer: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (field === 'txHash' || field === 'recorded') return <Hash value={text} label="交易哈希" explorer={explorer} />;
  if (field === 'attempt') return attemptText(Number(text));
  return field === 'platform' ? ((platformLabels as Readonly<Record<string, string>>)[text] ?? text) : text;
}
