import './ui.css';
import { Drawer } from 'antd';
import type { ReactNode } from 'react';
import { useShown } from './shown.ts';

export interface ReaderProps {
  open: boolean;
  title: ReactNode;
  width?: number | string;
  extra?: ReactNode;
  footer?: ReactNode;
  children: ReactNode;
  onClose: () => void;
}

/** A drawer for reading: the list beside it stays in use, so it neither dims the page nor holds the focus. */
export function Reader({ open, title, width = 640, extra, footer, children, onClose }: ReaderProps) {
  const shown = useShown();
  return (
    <Drawer
      open={open && shown}
      title={title}
      size={width}
      mask={false}
      focusable={{ trap: false }}
      destroyOnHidden
      rootClassName="ht-reader"
      extra={extra}
      footer={footer}
      onClose={onClose}
    >
      {children}
    </Drawer>
  );
}
