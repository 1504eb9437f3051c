import './toasts.css';
import { CheckCircleFilled, CloseCircleFilled, ExclamationCircleFilled, InfoCircleFilled } from '@ant-design/icons';
import { useEffect, useState } from 'react';
import { type ToastKind, setToastSink } from '../api/toast.ts';

const icons = {
  success: CheckCircleFilled,
  error: CloseCircleFilled,
  info: InfoCircleFilled,
  warning: ExclamationCircleFilled,
} as const;

/** More push the oldest out, so that the place at the foot of the menu is enough. */
const TOASTS_MAX = 2;
const SHOWN_MS = { success: 3_500, info: 3_500, warning: 5_000, error: 6_000 } as const;

interface Toast {
  id: number;
  kind: ToastKind;
  text: string;
}

let lastId = 0;

/** What happened, at the foot of the menu: a place kept free, so that a toast covers nothing in use. */
export function Toasts() {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  useEffect(() => {
    const timers = new Set<ReturnType<typeof setTimeout>>();
    const removeSink = setToastSink((kind, text) => {
      lastId += 1;
      const id = lastId;
      setToasts((shown) => [...shown.slice(1 - TOASTS_MAX), { id, kind, text }]);
      timers.add(setTimeout(() => setToasts((shown) => shown.filter((one) => one.id !== id)), SHOWN_MS[kind]));
    });
    return () => {
      removeSink();
      for (const timer of timers) clearTimeout(timer);
    };
  }, []);
  return (
    <div className="ht-app-toasts" role="status" aria-live="polite" aria-label="操作结果">
      {toasts.map(({ id, kind, text }) => {
        const Icon = icons[kind];
        return (
          <p key={id} className="ht-app-toast" data-kind={kind}>
            <Icon aria-hidden />
            <span>{text}</span>
          </p>
        );
      })}
    </div>
  );
}
