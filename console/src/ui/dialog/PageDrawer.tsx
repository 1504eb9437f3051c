import './page-drawer.css';
import { Drawer } from 'antd';
import { type ReactNode, useMemo } from 'react';
import { CloseIcon } from './CloseIcon.tsx';
import { usePageVisible } from '../browser/page-visibility.ts';

export interface PageDrawerProps {
  open: boolean;
  title: ReactNode;
  width?: number | string;
  /** Space to its right, for another drawer. */
  inset?: string;
  extra?: ReactNode;
  footer?: ReactNode;
  children: ReactNode;
  /** Another record beside the open one, to which the keys of the page belong. */
  isBeside?: boolean;
  onClose: () => void;
}

/** Whether a dialog or the palette is open above the drawer. */
const isDialogOpen = (): boolean =>
  [...document.querySelectorAll<HTMLElement>('.ant-modal-wrap, [data-overlay]')].some(
    (one) => one.style.display !== 'none',
  );

/** A non-modal drawer: the list next to it stays usable, so there is neither mask nor focus trap. */
export function PageDrawer({
  open,
  title,
  width = 640,
  inset = '0',
  extra,
  footer,
  children,
  isBeside = false,
  onClose,
}: PageDrawerProps) {
  const isVisible = usePageVisible();
  // The drawer may open late, when the operator has already opened a dialog.
  const takesFocus = useMemo(() => open && !isDialogOpen(), [open]);
  return (
    <Drawer
      open={open && isVisible}
      title={title}
      size={width}
      mask={false}
      focusable={{ trap: false }}
      {...(!takesFocus && { autoFocus: false })}
      destroyOnHidden
      closeIcon={<CloseIcon />}
      rootClassName={isBeside ? 'ht-dialog-drawer ht-dialog-beside' : 'ht-dialog-drawer'}
      styles={{ wrapper: { insetInlineEnd: inset } }}
      extra={extra}
      footer={footer}
      onClose={onClose}
    >
      {children}
    </Drawer>
  );
}
