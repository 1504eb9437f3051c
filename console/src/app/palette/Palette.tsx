import './palette.css';
import { type KeyboardEvent, Suspense, useEffect, useId, useRef, useState } from 'react';
import type { PaletteCommand } from './choice.ts';
import { lazyComponent } from '../../ui/page/lazy-component.tsx';
import { isComposing } from '../../ui/browser/ime.ts';

export const loadResults = async () => (await import('./PaletteResults.tsx')).PaletteResults;
const PaletteResults = lazyComponent(loadResults);

interface Props {
  onCommand: (command: PaletteCommand) => void;
  onClose: () => void;
}

/**
 * 查找: finds pages by name, users by any part of account and remark, records by number, address or hash, and runs verbs; fully
 * usable by keyboard. Its input does not wait for the results to load, so no typed character is lost, also while a
 * Chinese input method composes.
 */
export function Palette({ onCommand, onClose }: Props) {
  const [text, setText] = useState('');
  // Enter chooses once the results of the text are known.
  const [isEntered, setIsEntered] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  useEffect(() => {
    const previousFocus = document.activeElement;
    input.current?.focus();
    return () => {
      if (previousFocus instanceof HTMLElement && previousFocus.isConnected) previousFocus.focus();
    };
  }, []);

  function onKeyDown(event: KeyboardEvent) {
    // During an IME composition these keys choose characters.
    if (isComposing(event)) return;
    if (event.key === 'Escape') onClose();
    if (event.key === 'Enter') setIsEntered(true);
    // The input is the only field of the dialog.
    if (['Escape', 'Enter', 'Tab'].includes(event.key)) event.preventDefault();
  }

  return (
    <div className="ht-palette-layer" data-overlay>
      <button type="button" className="ht-palette-mask" aria-label="关闭查找" tabIndex={-1} onClick={onClose} />
      <section className="ht-palette" role="dialog" aria-modal aria-label="查找">
        <input
          ref={input}
          className="ht-palette-input"
          role="combobox"
          aria-label="查找页面、用户、记录或操作"
          aria-expanded
          aria-controls={listId}
          aria-autocomplete="list"
          placeholder="页面、账号或备注的任意部分、单号、地址或哈希的首尾六位、操作"
          autoComplete="off"
          spellCheck={false}
          maxLength={256}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setIsEntered(false);
          }}
          onKeyDown={onKeyDown}
          onBlur={({ relatedTarget, currentTarget }) => {
            if (relatedTarget === null) currentTarget.focus();
          }}
        />
        <Suspense
          fallback={
            <div id={listId} className="ht-palette-list" role="listbox" aria-label="结果" aria-busy tabIndex={-1} />
          }
        >
          <PaletteResults
            input={input}
            listId={listId}
            text={text.trim()}
            isEntered={isEntered}
            onCommand={onCommand}
            onClose={onClose}
          />
        </Suspense>
      </section>
    </div>
  );
}
