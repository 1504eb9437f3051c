import { MoreOutlined } from '@ant-design/icons';
import type { UserRow } from '@hengtai/contract/user.schema';
import { Button, Dropdown } from 'antd';
import { openPath } from '../../navigation/open-path.ts';
import { GreyedAction } from '../../ui/GreyedAction.tsx';
import { usePopup } from '../../ui/page-visibility.ts';
import { type UserAction, actionNames, userActions } from './words.ts';

interface Props {
  row: UserRow;
  disabledReason: string | undefined;
  onOpen: () => void;
  onAssets: () => void;
  onAction: (action: UserAction) => void;
}

/** The actions of a row. An action that is not possible is disabled, so that the others keep their places. */
export function RowActions({ row, disabledReason, onOpen, onAssets, onAction }: Props) {
  const [open, setOpen] = usePopup();
  return (
    <>
      <GreyedAction disabledReason={undefined} onClick={onOpen}>
        详情
      </GreyedAction>
      <GreyedAction disabledReason={undefined} onClick={onAssets}>
        资产
      </GreyedAction>
      <Dropdown
        open={open}
        onOpenChange={setOpen}
        trigger={['click']}
        menu={{
          items: [
            { key: 'service', label: '客服会话' },
            ...userActions.map((action) => ({
              key: action,
              label: <span title={disabledReason}>{actionNames[action]}</span>,
              danger: action === 'remove' && disabledReason === undefined,
              ...(disabledReason !== undefined && {
                disabled: true,
                extra: <small className="ht-faint">{disabledReason}</small>,
              }),
            })),
          ],
          onClick: ({ key, domEvent }) => {
            domEvent.stopPropagation();
            setOpen(false);
            if (key === 'service') openPath(`/service?userId=${row.id}`);
            else onAction(key as UserAction);
          },
        }}
      >
        <Button
          type="text"
          size="small"
          aria-label={`用户 ${row.account} 的更多操作`}
          icon={<MoreOutlined aria-hidden />}
          onClick={(event) => event.stopPropagation()}
        />
      </Dropdown>
    </>
  );
}
