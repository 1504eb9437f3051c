import { SearchOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { Suspense, lazy, useEffect, useEffectEvent, useRef, useState } from 'react';
import { isOverlayOpen } from '../../ui/keys.ts';
import { useTheme } from '../theme.ts';
import type { Command } from './choice.ts';

const load = async () => ({ default: (await import('./CommandPalette.tsx')).CommandPalette });
const CommandPalette = lazy(load);
const FreezeDialog = lazy(async () => ({
  default: (await import('../../features/user/exported/FreezeDialog.tsx')).FreezeDialog,
}));

const KEYS = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : 'Ctrl+K';
/** The palette is preloaded after this time, so that it later opens at once. */
const PRELOAD_MS = 5_000;

/** Button and shortcut (Ctrl or Cmd with K) that open the command palette, except while a dialog is open. */
export function Search() {
  const [open, setOpen] = useState(false);
  const [frozen, setFrozen] = useState<Extract<Command, { name: 'freeze' }>['user']>();
  const { dark, setMode } = useTheme();
  const onCommand = (command: Command) => {
    if (command.name === 'freeze') setFrozen(command.user);
    else setMode(dark ? 'light' : 'dark');
  };
  // Keys typed while the palette loads go to its input instead of page shortcuts.
  const earlyKeys = useRef<string | undefined>(undefined);
  const openPalette = () => {
    earlyKeys.current = '';
    setOpen(true);
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229) return;
    const { ctrlKey, metaKey, altKey, shiftKey, code, key } = event;
    if ((ctrlKey || metaKey) && !altKey && !shiftKey && code === 'KeyK') {
      event.preventDefault();
      if (open) setOpen(false);
      else if (!isOverlayOpen()) openPalette();
    } else if (open && earlyKeys.current !== undefined && key === 'Backspace') {
      event.preventDefault();
      earlyKeys.current = earlyKeys.current.slice(0, -1);
    } else if (open && earlyKeys.current !== undefined && key.length === 1 && !ctrlKey && !metaKey && !altKey) {
      event.preventDefault();
      event.stopPropagation();
      earlyKeys.current += key;
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
  const takeEarlyKeys = () => {
    const text = earlyKeys.current ?? '';
    earlyKeys.current = undefined;
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
        onClick={openPalette}
      />
      {open && (
        <Suspense>
          <CommandPalette takeEarlyKeys={takeEarlyKeys} onCommand={onCommand} onClose={() => setOpen(false)} />
        </Suspense>
      )}
      <Suspense fallback={null}>
        {frozen && <FreezeDialog row={frozen} onClose={() => setFrozen(undefined)} />}
      </Suspense>
    </>
  );
}
