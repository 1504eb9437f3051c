import { SearchOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { Suspense, lazy, useEffect, useEffectEvent, useRef, useState } from 'react';
import { isOverlayOpen } from '../ui/keys.ts';

const load = async () => ({ default: (await import('./CommandPalette.tsx')).CommandPalette });
const CommandPalette = lazy(load);

const KEYS = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : 'Ctrl+K';
/** Nobody is in a hurry for it at the start; afterwards it opens at once. */
const PRELOAD_MS = 5_000;

/** The way to the palette: a button in sight, and Ctrl or Cmd with K from everywhere but out of a dialog. */
export function Search() {
  const [open, setOpen] = useState(false);
  // What is typed before the palette stands belongs to it, and to no shortcut of the page.
  const early = useRef<string | undefined>(undefined);
  const show = () => {
    early.current = '';
    setOpen(true);
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229) return;
    const { ctrlKey, metaKey, altKey, shiftKey, code, key } = event;
    if ((ctrlKey || metaKey) && !altKey && !shiftKey && code === 'KeyK') {
      event.preventDefault();
      if (open) setOpen(false);
      else if (!isOverlayOpen()) show();
    } else if (open && early.current !== undefined && key.length === 1 && !ctrlKey && !metaKey && !altKey) {
      event.preventDefault();
      event.stopPropagation();
      early.current += key;
    }
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen, true);
    const timer = setTimeout(() => void load().catch(() => undefined), PRELOAD_MS);
    return () => {
      document.removeEventListener('keydown', listen, true);
      clearTimeout(timer);
    };
  }, []);
  const takeEarly = () => {
    const text = early.current ?? '';
    early.current = undefined;
    return text;
  };
  return (
    <>
      <Button
        type="text"
        icon={<SearchOutlined />}
        aria-label="查找"
        aria-keyshortcuts="Control+K Meta+K"
        title={`查找（${KEYS}）`}
        onClick={show}
      />
      {open && (
        <Suspense>
          <CommandPalette takeEarly={takeEarly} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
