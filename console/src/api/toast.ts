type Kind = 'success' | 'error' | 'info' | 'warning';
type Sink = (kind: Kind, text: string) => void;

let sink: Sink | undefined;
const early: [Kind, string][] = [];

/** The shell says where notices are drawn; what was said before that is shown then. */
export function showToasts(to: Sink): () => void {
  sink = to;
  for (const [kind, text] of early.splice(0)) to(kind, text);
  return () => {
    if (sink === to) sink = undefined;
  };
}

function show(kind: Kind, text: string) {
  if (sink) sink(kind, text);
  else early.push([kind, text]);
}

/** A short message at the top of the window, also from code that is no component. */
export const toast = {
  success: (text: string) => show('success', text),
  error: (text: string) => show('error', text),
  info: (text: string) => show('info', text),
  warning: (text: string) => show('warning', text),
};
