import './ui.css';
import { Modal, type ModalProps } from 'antd';
import { useEffect } from 'react';
import { usePageVisible } from './page-visibility.ts';

/**
 * The only dialog that pages use. Unmounted while its tab is hidden, because an open modal breaks in a hidden tab, and
 * restores the focus when it closes.
 */
export function PageModal(props: ModalProps) {
  const isVisible = usePageVisible();
  return isVisible && props.open !== false ? <VisibleModal {...props} /> : null;
}

function VisibleModal(props: ModalProps) {
  useEffect(() => {
    const previousFocus = document.activeElement;
    return () => {
      const next = document.activeElement;
      if (previousFocus instanceof HTMLElement && previousFocus.isConnected && (!next || next === document.body))
        previousFocus.focus();
    };
  }, []);
  return <Modal open mask={{ closable: false }} {...props} />;
}
