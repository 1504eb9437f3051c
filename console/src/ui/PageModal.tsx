import './ui.css';
import { Modal, type ModalProps } from 'antd';
import { useEffect } from 'react';
import { useShown } from './shown.ts';

/**
 * The only dialog of pages. It is taken away while its tab is hidden, because an open one breaks there, and it gives the
 * focus back to where it was.
 */
export function PageModal(props: ModalProps) {
  const shown = useShown();
  return shown && props.open !== false ? <ShownModal {...props} /> : null;
}

function ShownModal(props: ModalProps) {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      const next = document.activeElement;
      if (before instanceof HTMLElement && before.isConnected && (!next || next === document.body)) before.focus();
    };
  }, []);
  return <Modal open mask={{ closable: false }} {...props} />;
}
