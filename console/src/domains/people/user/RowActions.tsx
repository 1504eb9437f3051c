import type { UserRow } from '@hengtai/contract/people/user/schema';
import { openPath } from '../../../navigation/open-path.ts';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { MoreActions } from '../../../ui/dialog/MoreActions.tsx';
import { type UserAction, actionNames, dialogActions } from './words.ts';

interface Props {
  row: UserRow;
  disabledReason: string | undefined;
  onOpen: () => void;
  onAssets: () => void;
  onAction: (action: UserAction) => void;
}

/** The actions of a row. */
export function RowActions({ row, disabledReason, onOpen, onAssets, onAction }: Props) {
  return (
    <>
      <GreyedAction onClick={onOpen}>详情</GreyedAction>
      <GreyedAction onClick={onAssets}>资产</GreyedAction>
      <MoreActions
        label={`用户 ${row.account} 的更多操作`}
        actions={[
          { key: 'service', label: '客服会话' },
          ...dialogActions.map((action) => ({
            key: action,
            label: actionNames[action],
            danger: action === 'remove',
            disabledReason,
          })),
        ]}
        onAction={(key) => {
          if (key === 'service') openPath(`/service?userId=${row.id}`);
          else onAction(key as UserAction);
        }}
      />
    </>
  );
}
