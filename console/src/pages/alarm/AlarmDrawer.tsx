import { ALARM, alarm, alarmDetails, alarmStates } from '@hengtai/contract/alarm';
import type { AlarmDetail, AlarmRow } from '@hengtai/contract/alarm.schema';
import { platformLabels } from '@hengtai/contract/money';
import { useRead } from '../../api/hooks.ts';
import { useMe } from '../../api/me.ts';
import { DetailReader } from '../../shell/DetailReader.tsx';
import { TargetLink } from '../../shell/TargetLink.tsx';
import { UserFact } from '../../shell/request-parts.tsx';
import { Fact } from '../../ui/Fact.tsx';
import { GreyedAction } from '../../ui/GreyedAction.tsx';
import { Hash } from '../../ui/Hash.tsx';
import { Money } from '../../ui/Money.tsx';
import { Section } from '../../ui/Section.tsx';
import { StateTag } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { alarmTones, kindText } from './columns.tsx';
import { whyNot } from './why-not.ts';

interface Props {
  id: number | undefined;
  onEnd: (row: AlarmRow) => void;
  onClose: () => void;
}

/** One alarm: what happened, to which record, and what has to be done about it. */
export function AlarmDrawer({ id, onEnd, onClose }: Props) {
  const enabled = id !== undefined;
  const found = useRead(alarm.detail, { id: id ?? 0 }, { enabled });
  return (
    <DetailReader open={enabled} width={600} title={`告警 #${id ?? ''}`} onClose={onClose} found={found}>
      {(detail) => <Content detail={detail} onEnd={onEnd} />}
    </DetailReader>
  );
}

function Content({ detail, onEnd }: { detail: AlarmDetail } & Pick<Props, 'onEnd'>) {
  const me = useMe();
  const more = Object.entries(detail.detail).filter(([field]) => !SHOWN.has(field));
  return (
    <>
      <dl className="ht-facts ht-order-facts">
        <Fact label="状态">
          <StateTag state={detail.state} labels={alarmStates} tones={alarmTones} />
        </Fact>
        <Fact label="告警">{kindText(detail.kind)}</Fact>
        <Fact label="对象">
          <TargetLink target={detail} />
        </Fact>
        <Fact label="时间">
          <Time value={detail.createdAt} />
        </Fact>
        {detail.userId !== null && <UserFact userId={detail.userId} account={detail.account ?? '--'} />}
        <Fact label="代理">{detail.agent ?? '--'}</Fact>
        <Fact label="数量">
          <Money value={detail.amount} unit={detail.marketName ?? ''} digits={18} />
        </Fact>
        <Fact wide label="交易哈希">
          <Hash full value={detail.txHash} what="交易哈希" explorer={detail.explorer} />
        </Fact>
        {more.map(([field, value]) => (
          <Fact key={field} wide label={alarmDetails[field] ?? field}>
            {detailText(field, value)}
          </Fact>
        ))}
      </dl>
      <Section title="情况说明">
        <p>{detail.happened}</p>
      </Section>
      <Section title="处理建议">
        <p>{detail.next}</p>
      </Section>
      {detail.state === ALARM.closed ? (
        <Section title="处理结论">
          <p>{detail.reason}</p>
          <dl className="ht-facts">
            <Fact label="关闭人">{detail.by ?? '--'}</Fact>
            <Fact label="关闭时间">
              <Time value={detail.closedAt} />
            </Fact>
          </dl>
        </Section>
      ) : (
        <div className="ht-deeds">
          <GreyedAction look="button" primary why={whyNot(detail, me)} onClick={() => onEnd(detail)}>
            关闭告警
          </GreyedAction>
        </div>
      )}
    </>
  );
}

/** Fields of the recorded detail that have a place of their own. */
const SHOWN: ReadonlySet<string> = new Set(['account', 'amount', 'missing', 'market', 'txHash']);

function detailText(field: string, value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return field === 'platform' ? ((platformLabels as Readonly<Record<string, string>>)[text] ?? text) : text;
}
