import { user } from '@hengtai/contract/people/user/calls';
import { useAction } from '../api/hooks.ts';
import { TextDialog } from './TextDialog.tsx';

interface Props {
  id: number;
  account: string;
  onClose: () => void;
}

const NOTE_MAX = 500;

/** Adds a note about a user. Notes cannot be changed or deleted. */
export function NoteDialog({ id, account, onClose }: Props) {
  const { submit, pending } = useAction(user.noteAdd);
  return (
    <TextDialog
      title={`添加备注 · ${account}`}
      label="备注记录"
      max={NOTE_MAX}
      placeholder="例如：已电话核实提现地址"
      verb="添加"
      pending={pending}
      doneText={`已添加备注 · ${account}`}
      submit={(text, key) => submit({ id, text }, key)}
      onClose={onClose}
    />
  );
}
