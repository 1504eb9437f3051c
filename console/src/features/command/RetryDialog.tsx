import { command } from '@hengtai/contract/command';
import type { CommandRow } from '@hengtai/contract/command.schema';
import { COMMAND } from '@hengtai/contract/gateway';
import { settle } from '../../api/display-error.ts';
import { newKey, useAction } from '../../api/hooks.ts';
import { toast } from '../../api/toast.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { amountsOf, detailsOf } from './details.tsx';
import { stateText } from './words.ts';

interface Props {
  row: CommandRow;
  onClose: () => void;
}

/** Level 2: sends a command again under the same id, so that the platform executes it at most once. */
export function RetryDialog({ row, onClose }: Props) {
  const { submit } = useAction(command.retry, { invalidate: [command.list] });

  async function run(reason: string, key: string) {
    const error = await settle(async () => {
      const outcome = await submit({ id: row.id, ...(reason !== '' && { reason }) }, key);
      if (outcome.kind === 'done') toast.success('指令已重新排队');
    });
    if (!error) onClose();
    return error;
  }

  const unknownNote = row.state === COMMAND.unknown ? '平台若已执行过，会按同一编号直接答复，不会执行第二次。' : '';
  return (
    <ConfirmDialog
      title={`重发指令 #${row.id}`}
      verb="重发指令"
      amounts={amountsOf(row)}
      details={detailsOf(row)}
      consequence={`指令回到「待发送」，以同一编号再发一次。${unknownNote}`}
      reason={{ required: false, chips: ['平台已恢复', '平台确认未执行'] }}
      stateText={stateText}
      makeKey={newKey}
      run={run}
      onClose={onClose}
    />
  );
}
