import { command } from '@hengtai/contract/house/command/calls';
import type { CommandRow } from '@hengtai/contract/house/command/schema';
import { COMMAND } from '@hengtai/contract/gateway/gateway';
import { amountsOf, detailsOf } from './details.tsx';
import { stateText } from './words.ts';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';

/** Level 2: sends a command again under the same id, so that the platform executes it at most once. */
export function RetryDialog({ row, onClose }: RecordDialogProps<CommandRow>) {
  const unknownNote = row.state === COMMAND.unknown ? '平台若已执行过，会按同一编号直接答复，不会执行第二次。' : '';
  return (
    <ActionDialog
      call={command.retry}
      input={{ id: row.id }}
      successText="指令已重新排队"
      amounts={amountsOf(row)}
      details={detailsOf(row)}
      consequence={`指令回到「待发送」，以同一编号再发一次。${unknownNote}`}
      reason={{ chips: ['平台已恢复', '平台确认未执行'] }}
      stateText={stateText}
      onClose={onClose}
    />
  );
}
