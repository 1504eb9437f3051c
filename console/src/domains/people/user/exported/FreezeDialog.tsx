import { user } from '@hengtai/contract/people/user/calls';
import { ActionDialog } from '../../../../actions/ActionDialog.tsx';
import { switchTexts } from '../words.ts';

interface Props {
  row: { id: number; account: string; state: number };
  onClose: () => void;
}

/** Level 2: freezes or enables a user that was found by name, outside the list of users. */
export function FreezeDialog({ row, onClose }: Props) {
  const { verb, consequence } = switchTexts.state[row.state === 1 ? 0 : 1];
  return (
    <ActionDialog
      call={row.state === 1 ? user.disable : user.enable}
      input={{ id: row.id }}
      title={`${verb}用户`}
      verb={verb}
      danger={row.state === 1}
      details={[
        { label: '账号', value: row.account },
        { label: '用户编号', value: row.id },
        { label: '当前状态', value: row.state === 1 ? '正常' : '冻结' },
      ]}
      consequence={consequence}
      onClose={onClose}
    />
  );
}
