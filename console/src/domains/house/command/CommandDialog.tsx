import { COMMAND, RISKY_COMMANDS } from '@hengtai/contract/gateway/gateway';
import { type CommandAction, command, commandOutcomes } from '@hengtai/contract/house/command/calls';
import type { CommandRow } from '@hengtai/contract/house/command/schema';
import { targetText } from '@hengtai/contract/authority/target';
import { Radio } from 'antd';
import { useState } from 'react';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { Time } from '../../../ui/value/Time.tsx';
import { typeText } from './columns.tsx';
import { stateText } from './words.ts';

type Outcome = keyof typeof commandOutcomes;
const OUTCOMES: readonly Outcome[] = [COMMAND.done, COMMAND.failed];

/**
 * Level 2: records the outcome of a command that the platform did not answer, or sends a command again under the same id, so
 * that the platform executes it at most once.
 */
export function CommandDialog({ action, row, onClose }: RecordDialogProps<CommandRow> & { action: CommandAction }) {
  const [state, setState] = useState<Outcome>();
  const common = {
    amounts: row.amount === null ? undefined : [{ value: row.amount, unit: row.marketName ?? '' }],
    details: detailsOf(row),
    stateText,
    onClose,
  };

  if (action === 'retry') {
    const unknownNote = row.state === COMMAND.unknown ? '平台若已执行过，会按同一编号直接答复，不会执行第二次。' : '';
    return (
      <ActionDialog
        {...common}
        call={command.retry}
        input={{ id: row.id }}
        successText="指令已重新排队"
        consequence={`指令回到「待发送」，以同一编号再发一次。${unknownNote}`}
        reason={{ chips: ['平台已恢复', '平台确认未执行'] }}
      />
    );
  }
  return (
    <ActionDialog
      {...common}
      call={command.resolve}
      input={{ id: row.id, state: state ?? COMMAND.failed }}
      successText="指令结果已确认"
      verb="确认结果"
      {...(state !== undefined && { consequence: consequenceOf(row.type, state) })}
      reason={{ required: true, chips: ['已在平台核对：已执行', '已在平台核对：未执行'], label: '核对依据' }}
      blocked={state === undefined ? '请选择结果' : undefined}
    >
      <Radio.Group
        aria-label="平台的执行结果"
        value={state}
        options={OUTCOMES.map((value) => ({ value, label: commandOutcomes[value] }))}
        onChange={(event) => setState(event.target.value as Outcome)}
      />
    </ActionDialog>
  );
}

const detailsOf = (row: CommandRow) => [
  { label: '指令', value: typeText(row.type) },
  { label: '对象', value: targetText(row) },
  { label: '用户', value: row.account === null ? '--' : `${row.account}（${row.userId}）` },
  { label: '状态', value: stateText(row.state) },
  { label: '时间', value: <Time value={row.createdAt} /> },
  { label: '发送次数', value: row.attempt },
  { label: '平台答复', value: row.reason || '--', wide: true },
  { label: '平台单号', value: row.no || '--', wide: true },
];

function consequenceOf(type: string, state: Outcome): string {
  const isRisky = RISKY_COMMANDS.some((one) => one === type);
  if (state === COMMAND.done) {
    return isRisky ? '指令记为已执行；单据和资金仍以平台随后报告的事件为准。' : '指令记为已执行，不再发送。';
  }
  return isRisky
    ? '指令记为未执行；单据恢复到发出指令之前的状态，可以重新操作。'
    : '指令记为已失败，不再自动发送；需要时可以重发。';
}
