import './ui.css';
import { Drawer } from 'antd';
import { type ReactNode, useMemo } from 'react';
import { usePageVisible } from './page-visibility.ts';

export interface PageDrawerProps {
  open: boolean;
  title: ReactNode;
  width?: number | string;
  extra?: ReactNode;
  footer?: ReactNode;
  children: ReactNode;
  onClose: () => void;
}

/** A dialog stands above everything else. */
const isDialogOpen = (): boolean =>
  [...document.querySelectorAll<HTMLElement>('.ant-modal-wrap')].some((one) => one.style.display !== 'none');

/** A drawer for reading: the list beside it stays in use, so it neither dims the page nor holds the focus. */
export function PageDrawer({ open, title, width = 640, extra, footer, children, onClose }: PageDrawerProps) {
  const shown = usePageVisible();
  // It often opens a moment after it was asked for, and somebody may have gone on to a dialog by then.
  const takesFocus = useMemo(() => open && !isDialogOpen(), [open]);
  return (
    <Drawer
      open={open && shown}
      title={title}
      size={width}
      mask={false}
      focusable={{ trap: false }}
      {...(!takesFocus && { autoFocus: false })}
      destroyOnHidden
      rootClassName="ht-page-drawer"
      extra={extra}
      footer={footer}
      onClose={onClose}
    >
      {children}
    </Drawer>
  );
}
