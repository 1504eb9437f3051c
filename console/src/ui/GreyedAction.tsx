import { Button, Tooltip } from 'antd';
import { type ReactNode, memo } from 'react';
import { useStable } from './use-stable.ts';

interface Props {
  /** Why the action is not possible now; absent if it is. */
  disabledReason?: string | undefined;
  onClick: () => void;
  children: ReactNode;
  /** text: in a table row; button: in a footer. */
  look?: 'text' | 'button';
  danger?: boolean;
  primary?: boolean;
  /** Shortcut, shown after the label. */
  hint?: string;
}

/** A button that stays visible when its action is not possible: greyed, with the reason as tooltip. */
export function GreyedAction({ onClick, ...look }: Props) {
  // Lists have hundreds of these, and pages pass a new callback on every render.
  const onStableClick = useStable(onClick);
  return <ActionButton {...look} onClick={onStableClick} />;
}

const ActionButton = memo(
  ({ disabledReason, onClick, children, look = 'text', danger = false, primary = false, hint }: Props): ReactNode => {
    const isDisabled = disabledReason !== undefined;
    const button = (
      <Button
        size={look === 'text' ? 'small' : 'middle'}
        type={look === 'text' ? 'link' : primary && !isDisabled ? 'primary' : 'default'}
        danger={danger && !isDisabled}
        aria-disabled={isDisabled}
        className={isDisabled ? 'ht-action ht-greyed' : 'ht-action'}
        onClick={(event) => {
          event.stopPropagation();
          if (!isDisabled) onClick();
        }}
      >
        {children}
        {hint && <kbd className="ht-kbd">{hint}</kbd>}
      </Button>
    );
    return isDisabled ? <Tooltip title={disabledReason}>{button}</Tooltip> : button;
  },
);
