import { autoStops } from '@hengtai/contract/risk/auto-payout/labels';
import type { AutoCause } from '@hengtai/contract/risk/auto-payout/schema';
import { Checkbox } from 'antd';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { RevokeKey } from '../../house/gateway-key/exported/RevokeKey.tsx';

const columns: readonly MiniColumn<AutoCause>[] = [
  {
    title: '起因',
    cell: ({ id, why, alarmId }) => (
      <>
        {autoStops[why]} <span className="ht-value-faint">#{id}</span>
        {alarmId !== null && (
          <span className="ht-auto-payout-under">
            <PageLink to={`/alarm?open=${alarmId}`}>告警 #{alarmId}</PageLink>
          </span>
        )}
      </>
    ),
  },
  {
    title: '提现',
    nowrap: true,
    cell: ({ withdrawId }) =>
      withdrawId === null ? '--' : <PageLink to={`/withdraw?open=${withdrawId}`}>#{withdrawId}</PageLink>,
  },
  { title: '平台', cell: ({ platform }) => platform.name },
  { title: '网关密钥', cell: ({ key }) => <Key value={key} /> },
  { title: '时间', cell: ({ at }) => <Time value={at} /> },
];

const handled: MiniColumn<AutoCause> = {
  title: '处理',
  cell: ({ handledAt }) => (handledAt === null ? '未核对' : <Time value={handledAt} />),
};

/** The key by which a cause came, which can be revoked at once. */
function Key({ value: key }: { value: AutoCause['key'] }) {
  if (!key) return <span className="ht-value-faint">--</span>;
  if (key.id === null) return <>服务器配置的密钥</>;
  return (
    <>
      {key.name}
      <span className="ht-auto-payout-under">
        {key.revoked ? '已吊销' : <RevokeKey id={key.id} name={key.name} verb="停用密钥" />}
      </span>
    </>
  );
}

/** The payouts, rules and alarms that demanded a stop. */
export const Causes = ({ causes }: { causes: readonly AutoCause[] }) => (
  <MiniTable
    label="暂停的起因"
    rows={causes}
    keyOf={({ id }) => id}
    columns={[...columns, handled]}
    empty="没有打款失败、结果不明、告警或规则要求暂停"
  />
);

interface TickProps {
  causes: readonly AutoCause[];
  /** Ids of those that the operator has looked at. */
  looked: readonly number[];
  onChange: (looked: number[]) => void;
}

/** The checkbox of each cause. */
function tickColumn(looked: TickProps['looked'], onChange: TickProps['onChange']): MiniColumn<AutoCause> {
  const toggle = (id: number, isOn: boolean) => onChange(isOn ? [...looked, id] : looked.filter((one) => one !== id));
  return {
    title: '已核对',
    nowrap: true,
    cell: ({ id }) => (
      <Checkbox
        aria-label={`已核对起因 #${id}`}
        checked={looked.includes(id)}
        onChange={({ target }) => toggle(id, target.checked)}
      />
    ),
  };
}

/** The open causes, each to be ticked once it was looked at. */
export function CauseTicks({ causes, looked, onChange }: TickProps) {
  return (
    <MiniTable
      label="未核对的起因"
      rows={causes}
      keyOf={({ id }) => id}
      columns={[tickColumn(looked, onChange), ...columns]}
      empty=""
    />
  );
}
