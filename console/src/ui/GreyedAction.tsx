import './ui.css';
import { Button, Tooltip } from 'antd';
import { type ReactNode, memo } from 'react';
import { useStable } from './use-stable.ts';

interface Props {
  /** Why it cannot be done now; undefined when it can. */
  why: string | undefined;
  onClick: () => void;
  children: ReactNode;
  /** text: in a table; button: in a footer. */
  look?: 'text' | 'button';
  danger?: boolean;
  primary?: boolean;
  /** Shown behind the words, for a shortcut. */
  hint?: string;
}

/** An action that is always in its place: where it cannot be done it is grey and says why. */
export function GreyedAction({ onClick, ...look }: Props) {
  // A list has hundreds of them, and their pages hand them new words for the click each time.
  const act = useStable(onClick);
  return <Look {...look} onClick={act} />;
}

const Look = memo(
  ({ why, onClick, children, look = 'text', danger = false, primary = false, hint }: Props): ReactNode => {
    const greyed = why !== undefined;
    const button = (
      <Button
        size={look === 'text' ? 'small' : 'middle'}
        type={look === 'text' ? 'link' : primary && !greyed ? 'primary' : 'default'}
        danger={danger && !greyed}
        aria-disabled={greyed}
        className={greyed ? 'ht-action ht-greyed' : 'ht-action'}
        onClick={(event) => {
          event.stopPropagation();
          if (!greyed) onClick();
        }}
      >
        {children}
        {hint && <kbd className="ht-kbd">{hint}</kbd>}
      </Button>
    );
    return greyed ? <Tooltip title={why}>{button}</Tooltip> : button;
  },
);
