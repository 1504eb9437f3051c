import './ui.css';
import { Modal, type ModalProps } from 'antd';
import { useEffect } from 'react';
import { usePageVisible } from './page-visibility.ts';

/**
 * The only dialog of pages. It is taken away while its tab is hidden, because an open one breaks there, and it gives the
 * focus back to where it was.
 */
export function PageModal(props: ModalProps) {
  const shown = usePageVisible();
  return shown && props.open !== false ? <VisibleModal {...props} /> : null;
}

function VisibleModal(props: ModalProps) {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      const next = document.activeElement;
      if (before instanceof HTMLElement && before.isConnected && (!next || next === document.body)) before.focus();
    };
  }, []);
  return <Modal open mask={{ closable: false }} {...props} />;
}
