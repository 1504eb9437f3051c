import './resize-head.css';
import type { PointerEvent, ThHTMLAttributes } from 'react';
import { WIDTH_MAX, WIDTH_MIN } from './columns.ts';

export interface ResizeHeadProps extends ThHTMLAttributes<HTMLTableCellElement> {
  /** Set if the column can be resized; a width of undefined restores the default. `rowWidth` is that of all columns. */
  onResized?: ((width: number | undefined, done: boolean, rowWidth: number) => void) | undefined;
}

/** Header cell with a resize handle at the right edge; a double click resets the width. */
export function ResizeHead({ onResized, children, ...rest }: ResizeHeadProps) {
  return (
    <th {...rest}>
      {children}
      {onResized && (
        <span
          className="ht-table-resize"
          aria-hidden
          onClick={(event) => event.stopPropagation()}
          onPointerDown={(event) => drag(event, onResized)}
          onDoubleClick={(event) => {
            event.stopPropagation();
            onResized(undefined, true, 0);
          }}
        />
      )}
    </th>
  );
}

function drag(event: PointerEvent<HTMLElement>, onResized: (width: number, done: boolean, rowWidth: number) => void) {
  const handle = event.currentTarget;
  const cell = handle.closest('th');
  if (!cell || event.button !== 0) return;
  event.preventDefault();
  event.stopPropagation();
  handle.setPointerCapture(event.pointerId);
  const [start, width] = [event.clientX, cell.offsetWidth];
  const rowWidth = cell.parentElement?.offsetWidth ?? 0;
  let hasMoved = false;
  const widthAt = (x: number) => Math.round(Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, width + x - start)));
  const onMove = (e: globalThis.PointerEvent) => {
    hasMoved = true;
    onResized(widthAt(e.clientX), false, rowWidth);
  };
  const onEnd = (e: globalThis.PointerEvent) => {
    handle.removeEventListener('pointermove', onMove);
    handle.removeEventListener('pointerup', onEnd);
    handle.removeEventListener('pointercancel', onEnd);
    if (hasMoved) onResized(widthAt(e.clientX), true, rowWidth);
  };
  handle.addEventListener('pointermove', onMove);
  handle.addEventListener('pointerup', onEnd);
  handle.addEventListener('pointercancel', onEnd);
}
