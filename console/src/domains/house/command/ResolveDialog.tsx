import { command, commandOutcomes } from '@hengtai/contract/house/command/calls';
import type { CommandRow } from '@hengtai/contract/house/command/schema';
import { COMMAND, RISKY_COMMANDS } from '@hengtai/contract/gateway/gateway';
import { Radio } from 'antd';
import { useState } from 'react';
import { amountsOf, detailsOf } from './details.tsx';
import { stateText } from './words.ts';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';

type Outcome = keyof typeof commandOutcomes;
const OUTCOMES: readonly Outcome[] = [COMMAND.done, COMMAND.failed];
const REASONS = ['已在平台核对：已执行', '已在平台核对：未执行'] as const;

/** Level 2: records the outcome of a command that the platform did not answer. */
export function ResolveDialog({ row, onClose }: RecordDialogProps<CommandRow>) {
  const [state, setState] = useState<Outcome>();

  return (
    <ActionDialog
      call={command.resolve}
      input={{ id: row.id, state: state ?? COMMAND.failed }}
      successText="指令结果已确认"
      verb="确认结果"
      amounts={amountsOf(row)}
      details={detailsOf(row)}
      {...(state !== undefined && { consequence: consequenceOf(row.type, state) })}
      reason={{ required: true, chips: REASONS, label: '核对依据' }}
      blocked={state === undefined ? '请选择结果' : undefined}
      stateText={stateText}
      onClose={onClose}
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

function consequenceOf(type: string, state: Outcome): string {
  const risky = RISKY_COMMANDS.some((one) => one === type);
  if (state === COMMAND.done) {
    return risky ? '指令记为已执行；单据和资金仍以平台随后报告的事件为准。' : '指令记为已执行，不再发送。';
  }
  return risky
    ? '指令记为未执行；单据恢复到发出指令之前的状态，可以重新操作。'
    : '指令记为已失败，不再自动发送；需要时可以重发。';
}
