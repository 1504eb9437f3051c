import { SearchOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useEffect, useEffectEvent, useState } from 'react';
import { dialogOnDemand } from '../../ui/page/on-demand.tsx';
import { isOverlayOpen } from '../../ui/browser/keys.ts';
import { useTheme } from '../theme.ts';
import { Palette, loadResults } from './Palette.tsx';
import type { PaletteCommand } from './choice.ts';
import { isComposing } from '../../ui/browser/ime.ts';

const FreezeDialog = dialogOnDemand(
  async () => (await import('../../domains/people/user/exported/FreezeDialog.tsx')).FreezeDialog,
);

const KEYS = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : 'Ctrl+K';
/** The results are preloaded after this time, so that they later appear at once. */
const PRELOAD_MS = 5_000;

/** Button and shortcut (Ctrl or Cmd with K) that open the command palette, except while a dialog is open. */
export function Search() {
  const [open, setOpen] = useState(false);
  const [userToFreeze, setUserToFreeze] = useState<Extract<PaletteCommand, { name: 'freeze' }>['user']>();
  const { dark, setMode } = useTheme();
  const onCommand = (command: PaletteCommand) => {
    if (command.name === 'freeze') setUserToFreeze(command.user);
    else setMode(dark ? 'light' : 'dark');
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const { ctrlKey, metaKey, altKey, shiftKey, code } = event;
    if (!(ctrlKey || metaKey) || altKey || shiftKey || code !== 'KeyK') return;
    event.preventDefault();
    if (open) setOpen(false);
    else if (!isOverlayOpen()) setOpen(true);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen, true);
    const timer = setTimeout(() => void loadResults().catch(() => undefined), PRELOAD_MS);
    return () => {
      document.removeEventListener('keydown', listen, true);
      clearTimeout(timer);
    };
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
      {open && <Palette onCommand={onCommand} onClose={() => setOpen(false)} />}
      {userToFreeze && <FreezeDialog row={userToFreeze} onClose={() => setUserToFreeze(undefined)} />}
    </>
  );
}
