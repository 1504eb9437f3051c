import { type DragEvent, useState } from 'react';
import { useTabs } from '../navigation/tabs.ts';

interface Drag {
  key: string;
  over?: string;
  after: boolean;
}

/** Drag and drop of tabs. Tabs stay links, so they can also be dragged into another window. */
export function useTabDrag() {
  const [drag, setDrag] = useState<Drag | null>(null);

  const markOf = (key: string): 'before' | 'after' | undefined => {
    if (!drag || drag.over !== key || drag.key === key) return undefined;
    return drag.after ? 'after' : 'before';
  };

  const handlersOf = (key: string) => ({
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.effectAllowed = 'copyMove';
      setDrag({ key, after: false });
    },
    onDragOver: (event: DragEvent) => {
      if (!drag) return;
      event.preventDefault();
      const { left, width } = event.currentTarget.getBoundingClientRect();
      const after = event.clientX > left + width / 2;
      if (drag.over !== key || drag.after !== after) setDrag({ key: drag.key, over: key, after });
    },
    onDrop: (event: DragEvent) => {
      if (!drag) return;
      event.preventDefault();
      drop(drag.key, key, drag.after);
      setDrag(null);
    },
    onDragEnd: () => setDrag(null),
  });

  return { markOf, handlersOf };
}

function drop(key: string, over: string, after: boolean) {
  if (key === over) return;
  const { tabs, move } = useTabs.getState();
  const rest = tabs.filter((tab) => tab.key !== key);
  move(key, rest.findIndex((tab) => tab.key === over) + (after ? 1 : 0));
}
