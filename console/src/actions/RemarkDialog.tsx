import type { agent } from '@hengtai/contract/people/agent/calls';
import type { user } from '@hengtai/contract/people/user/calls';
import { useAction } from '../api/hooks.ts';
import { TextDialog } from './TextDialog.tsx';

interface Props {
  call: typeof user.remark | typeof agent.remark;
  row: { id: number; account: string; remark: string };
  onClose: () => void;
}

const REMARK_MAX = 200;

/** 修改备注: edits the remark of a user or agent. */
export function RemarkDialog({ call, row, onClose }: Props) {
  const { submit, pending } = useAction<typeof user.remark | typeof agent.remark>(call);
  return (
    <TextDialog
      title={`修改备注 · ${row.account}`}
      label="备注"
      initial={row.remark}
      max={REMARK_MAX}
      verb="保存"
      pending={pending}
      doneText={`已修改备注 · ${row.account}`}
      submit={(remark, key) => submit({ id: row.id, remark }, key)}
      onClose={onClose}
    />
  );
}
