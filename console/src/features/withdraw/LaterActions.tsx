import { MoreOutlined } from '@ant-design/icons';
import type { WithdrawAction } from '@hengtai/contract/withdraw';
import type { WithdrawRow } from '@hengtai/contract/withdraw.schema';
import { Button, Dropdown } from 'antd';
import { usePopup } from '../../ui/page-visibility.ts';
import { actionLabels, disabledReasonOf } from './actions.ts';

interface Props {
  row: WithdrawRow;
  hasAbility: boolean;
  onAct: (action: WithdrawAction) => void;
}

const LATER: readonly WithdrawAction[] = ['retry', 'refund', 'resolve'];

/** The actions after the review. An action that is not possible is disabled, so that the others keep their places. */
export function LaterActions({ row, hasAbility, onAct }: Props) {
  const [open, setOpen] = usePopup();
  return (
    <Dropdown
      open={open}
      onOpenChange={setOpen}
      trigger={['click']}
      menu={{
        items: LATER.map((action) => {
          const disabledReason = disabledReasonOf(action, row, hasAbility);
          return {
            key: action,
            label: <span title={disabledReason}>{actionLabels[action].short}</span>,
            ...(disabledReason !== undefined && {
              disabled: true,
              extra: <small className="ht-faint">{disabledReason}</small>,
            }),
          };
        }),
        onClick: ({ key, domEvent }) => {
          domEvent.stopPropagation();
          onAct(key as WithdrawAction);
        },
      }}
    >
      <Button
        type="text"
        size="small"
        aria-label={`提现 ${row.id} 的更多操作`}
        icon={<MoreOutlined aria-hidden />}
        onClick={(event) => event.stopPropagation()}
      />
    </Dropdown>
  );
}
