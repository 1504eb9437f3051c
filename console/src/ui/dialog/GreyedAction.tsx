import './greyed-action.css';
import './key.css';
import { Button, Tooltip } from 'antd';
import { type MouseEvent, type ReactNode, memo } from 'react';
import { usePopup } from '../browser/page-visibility.ts';
import { useStable } from '../browser/use-stable.ts';

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
    const press = (event: MouseEvent) => {
      event.stopPropagation();
      if (!isDisabled) onClick();
    };
    const content = (
      <>
        {children}
        {hint && <kbd className="ht-dialog-key">{hint}</kbd>}
      </>
    );
    if (look === 'text') {
      return (
        <RowAction disabledReason={disabledReason} isDangerous={danger && !isDisabled} onClick={press}>
          {content}
        </RowAction>
      );
    }
    const button = (
      <Button
        type={primary && !isDisabled ? 'primary' : 'default'}
        danger={danger && !isDisabled}
        aria-disabled={isDisabled}
        className={isDisabled ? 'ht-dialog-action ht-dialog-greyed' : 'ht-dialog-action'}
        onClick={press}
      >
        {content}
      </Button>
    );
    return isDisabled ? <Tooltip title={disabledReason}>{button}</Tooltip> : button;
  },
);

interface RowActionProps {
  disabledReason: string | undefined;
  isDangerous: boolean;
  onClick: (event: MouseEvent) => void;
  children: ReactNode;
}

/** A page has hundreds of these: a plain button, whose tooltip is mounted when the pointer or the focus reaches it. */
function RowAction({ disabledReason, isDangerous, onClick, children }: RowActionProps) {
  const [isExplaining, setIsExplaining] = usePopup();
  const isDisabled = disabledReason !== undefined;
  return (
    <button
      type="button"
      className={isDisabled ? 'ht-dialog-row-action ht-dialog-greyed' : 'ht-dialog-row-action'}
      data-danger={isDangerous}
      aria-disabled={isDisabled}
      onPointerEnter={() => setIsExplaining(isDisabled)}
      onPointerLeave={() => setIsExplaining(false)}
      onFocus={() => setIsExplaining(isDisabled)}
      onBlur={() => setIsExplaining(false)}
      onClick={onClick}
    >
      {children}
      {isDisabled && isExplaining && (
        <Tooltip open title={disabledReason}>
          <i className="ht-dialog-anchor" />
        </Tooltip>
      )}
    </button>
  );
}
