import { type CommandAction, command } from '@hengtai/contract/house/command/calls';
import type { CommandRow } from '@hengtai/contract/house/command/schema';
import { commandStates } from '@hengtai/contract/house/command/facts';
import { agentDetail, operatorDetail } from '../../../navigation/account-cells.tsx';
import { useRead } from '../../../api/hooks.ts';
import { useMe } from '../../../api/me.ts';
import { DetailDrawer } from '../../../lists/DetailDrawer.tsx';
import { TargetLink } from '../../../navigation/TargetLink.tsx';
import { UserItem } from '../../../lists/request-parts.tsx';
import { AmountItem, DetailItem, TimeItem } from '../../../ui/value/DetailItem.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { commandTones } from '../../../records/order-parts.tsx';
import { typeText } from './columns.tsx';
import { adviceFor, disabledReasonOf } from './words.ts';

interface Props {
  id: number | undefined;
  onAsk: (action: CommandAction, row: CommandRow) => void;
  onClose: () => void;
}

/** One command to the platform: its content, the answer and what to do next. */
export function CommandDrawer({ id, onAsk, onClose }: Props) {
  const query = useRead(command.list, id === undefined ? undefined : { id });
  return (
    <DetailDrawer open={id !== undefined} width={600} title={`平台指令 #${id ?? ''}`} onClose={onClose} query={query}>
      {({ list: [row] }) => (row ? <Content row={row} onAsk={onAsk} /> : <p>记录不存在</p>)}
    </DetailDrawer>
  );
}

function Content({ row, onAsk }: { row: CommandRow } & Pick<Props, 'onAsk'>) {
  const me = useMe();
  return (
    <>
      <dl className="ht-value-details ht-records-order-details">
        <DetailItem label="状态">
          <StateTag state={row.state} labels={commandStates} tones={commandTones} />
        </DetailItem>
        <DetailItem label="指令">{typeText(row.type)}</DetailItem>
        <DetailItem label="对象">
          <TargetLink target={row} />
        </DetailItem>
        <DetailItem label="发送次数">{row.attempt}</DetailItem>
        {row.userId !== null && <UserItem userId={row.userId} account={row.account ?? '--'} />}
        <DetailItem label="代理">{agentDetail(row.agent)}</DetailItem>
        <AmountItem label="数量" value={row.amount} unit={row.marketName ?? ''} />
        <TimeItem label="时间" value={row.createdAt} />
        <TimeItem label="首次发送" value={row.sentAt} />
        <TimeItem label="答复时间" value={row.doneAt} />
        <DetailItem wide label="平台答复">
          {row.reason || '--'}
        </DetailItem>
        <DetailItem wide label="平台单号">
          <Hash full value={row.no} label="平台单号" />
        </DetailItem>
        {row.by !== null && <DetailItem label="处理人">{operatorDetail(row.by)}</DetailItem>}
      </dl>
      <Section title="处理建议">
        <p>{adviceFor(row)}</p>
      </Section>
      <div className="ht-records-actions">
        <GreyedAction
          look="button"
          primary
          disabledReason={disabledReasonOf('resolve', row, me)}
          onClick={() => onAsk('resolve', row)}
        >
          确认结果
        </GreyedAction>
        <GreyedAction
          look="button"
          disabledReason={disabledReasonOf('retry', row, me)}
          onClick={() => onAsk('retry', row)}
        >
          重发
        </GreyedAction>
      </div>
    </>
  );
}
