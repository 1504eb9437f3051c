import { type CommandAction, command } from '@hengtai/contract/command';
import type { CommandRow } from '@hengtai/contract/command.schema';
import { commandStates } from '@hengtai/contract/gateway';
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
import { commandTones } from '../../ui/order-parts.tsx';
import { typeText } from './columns.tsx';
import { nextOf, whyNot } from './words.ts';

interface Props {
  id: number | undefined;
  onAsk: (action: CommandAction, row: CommandRow) => void;
  onClose: () => void;
}

/** One command: what the platform was told, how it answered, and what has to be done about it. */
export function CommandDrawer({ id, onAsk, onClose }: Props) {
  const enabled = id !== undefined;
  const found = useRead(command.list, { id: id ?? 0 }, { enabled });
  return (
    <DetailReader open={enabled} width={600} title={`平台指令 #${id ?? ''}`} onClose={onClose} found={found}>
      {({ list: [row] }) => (row ? <Content row={row} onAsk={onAsk} /> : <p>记录不存在</p>)}
    </DetailReader>
  );
}

function Content({ row, onAsk }: { row: CommandRow } & Pick<Props, 'onAsk'>) {
  const me = useMe();
  return (
    <>
      <dl className="ht-facts ht-order-facts">
        <Fact label="状态">
          <StateTag state={row.state} labels={commandStates} tones={commandTones} />
        </Fact>
        <Fact label="指令">{typeText(row.type)}</Fact>
        <Fact label="对象">
          <TargetLink target={row} />
        </Fact>
        <Fact label="发送次数">{row.attempt}</Fact>
        {row.userId !== null && <UserFact userId={row.userId} account={row.account ?? '--'} />}
        <Fact label="代理">{row.agent ?? '--'}</Fact>
        <Fact label="数量">
          <Money value={row.amount} unit={row.marketName ?? ''} digits={18} />
        </Fact>
        <Fact label="时间">
          <Time value={row.createdAt} />
        </Fact>
        <Fact label="首次发送">
          <Time value={row.sentAt} />
        </Fact>
        <Fact label="答复时间">
          <Time value={row.doneAt} />
        </Fact>
        <Fact wide label="平台答复">
          {row.reason || '--'}
        </Fact>
        <Fact wide label="平台单号">
          <Hash full value={row.no} what="平台单号" />
        </Fact>
        {row.by !== null && <Fact label="处理人">{row.by}</Fact>}
      </dl>
      <Section title="处理建议">
        <p>{nextOf(row)}</p>
      </Section>
      <div className="ht-deeds">
        <GreyedAction look="button" primary why={whyNot('resolve', row, me)} onClick={() => onAsk('resolve', row)}>
          确认结果
        </GreyedAction>
        <GreyedAction look="button" why={whyNot('retry', row, me)} onClick={() => onAsk('retry', row)}>
          重发
        </GreyedAction>
      </div>
    </>
  );
}
