export type ToastKind = 'success' | 'error' | 'info' | 'warning';
type Sink = (kind: ToastKind, text: string) => void;

let sink: Sink | undefined;
const queued: [ToastKind, string][] = [];

/** Registers the component that renders toasts, and flushes those queued before it was mounted. */
export function setToastSink(next: Sink): () => void {
  sink = next;
  for (const [kind, text] of queued.splice(0)) next(kind, text);
  return () => {
    if (sink === next) sink = undefined;
  };
}

function show(kind: ToastKind, text: string) {
  if (sink) sink(kind, text);
  else queued.push([kind, text]);
}

/** Shows a short message at the foot of the menu; also usable outside of components. */
export const toast = {
  success: (text: string) => show('success', text),
  error: (text: string) => show('error', text),
  info: (text: string) => show('info', text),
  warning: (text: string) => show('warning', text),
};
