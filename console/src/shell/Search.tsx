import { SearchOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { Suspense, lazy, useEffect, useEffectEvent, useState } from 'react';
import { overlayOpen } from '../ui/keys.ts';

const CommandPalette = lazy(async () => ({ default: (await import('./CommandPalette.tsx')).CommandPalette }));

const KEYS = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : 'Ctrl+K';

/** The way to the palette: a button in sight, and Ctrl or Cmd with K from everywhere but out of a dialog. */
export function Search() {
  const [open, setOpen] = useState(false);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const wanted = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.code === 'KeyK';
    if (!wanted || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    if (open) setOpen(false);
    else if (!overlayOpen()) setOpen(true);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  return (
    <>
      <Button
        type="text"
        icon={<SearchOutlined />}
        aria-label="查找"
        aria-keyshortcuts="Control+K Meta+K"
        title={`查找（${KEYS}）`}
        onClick={() => setOpen(true)}
      />
      {open && (
        <Suspense>
          <CommandPalette onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
