import { MoreOutlined } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';
import { usePopup } from '../browser/page-visibility.ts';

export interface MoreAction {
  key: string;
  label: string;
  danger?: boolean;
  /** Why it is not possible now. */
  disabledReason?: string | undefined;
}

interface Props {
  label: string;
  /** Text of the button; without it only the icon. */
  text?: string;
  actions: readonly MoreAction[];
  onAction: (key: string) => void;
  onOpenChange?: (open: boolean) => void;
}

/** Menu with the further actions of a row. An action that is not possible is disabled, so that the others keep their places. */
export function MoreActions({ label, text: buttonText, actions, onAction, onOpenChange }: Props) {
  const [open, setOpen] = usePopup();
  const change = (next: boolean) => {
    setOpen(next);
    onOpenChange?.(next);
  };
  return (
    <Dropdown
      open={open}
      onOpenChange={change}
      trigger={['click']}
      menu={{
        items: actions.map(({ key, label: text, danger = false, disabledReason }) => ({
          key,
          label: <span title={disabledReason}>{text}</span>,
          danger: danger && disabledReason === undefined,
          ...(disabledReason !== undefined && {
            disabled: true,
            extra: <small className="ht-value-faint">{disabledReason}</small>,
          }),
        })),
        onClick: ({ key, domEvent }) => {
          domEvent.stopPropagation();
          change(false);
          onAction(key);
        },
      }}
    >
      <Button
        {...(buttonText === undefined && { type: 'text', size: 'small' })}
        aria-label={label}
        title={buttonText === undefined ? label : undefined}
        icon={<MoreOutlined aria-hidden />}
        iconPlacement="end"
        onClick={(event) => event.stopPropagation()}
      >
        {buttonText}
      </Button>
    </Dropdown>
  );
}
