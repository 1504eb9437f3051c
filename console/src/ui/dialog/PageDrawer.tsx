import './page-drawer.css';
import { Drawer } from 'antd';
import { type ReactNode, useMemo } from 'react';
import { CloseIcon } from './CloseIcon.tsx';
import { usePageVisible } from '../browser/page-visibility.ts';

export interface PageDrawerProps {
  open: boolean;
  title: ReactNode;
  width?: number | string;
  extra?: ReactNode;
  footer?: ReactNode;
  children: ReactNode;
  onClose: () => void;
}

/** Whether a dialog or the palette is open above the drawer. */
const isDialogOpen = (): boolean =>
  [...document.querySelectorAll<HTMLElement>('.ant-modal-wrap, [data-overlay]')].some(
    (one) => one.style.display !== 'none',
  );

/** A non-modal drawer: the list next to it stays usable, so there is neither mask nor focus trap. */
export function PageDrawer({ open, title, width = 640, extra, footer, children, onClose }: PageDrawerProps) {
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
      rootClassName="ht-dialog-drawer"
      extra={extra}
      footer={footer}
      onClose={onClose}
    >
      {children}
    </Drawer>
  );
}
