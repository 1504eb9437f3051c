import { useEffect, useEffectEvent } from 'react';

/** What a key does. Letters are named by their lower case, `?` by itself, others as in KeyboardEvent.key. */
export type Bindings = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const TYPING =
  'input:not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, [contenteditable=true], [contenteditable=""], [role=combobox], [role=textbox], [role=spinbutton]';
const OWN_ARROWS =
  '[role=menu], [role=menubar], [role=tablist], [role=listbox], [role=radiogroup], [role=slider], [role=tree]';
const OWN_ENTER = 'button, a[href], summary, [role=button], [role=menuitem], [role=tab], [role=option], [role=switch]';
const OVERLAYS =
  '.ant-modal-wrap, .ant-popover:not(.ant-popover-hidden), .ant-dropdown:not(.ant-dropdown-hidden), .ant-select-dropdown:not(.ant-select-dropdown-hidden), .ant-picker-dropdown:not(.ant-picker-dropdown-hidden), .ant-image-preview, [role=alertdialog], [data-overlay]';

const isShown = (element: Element): boolean =>
  !(element instanceof HTMLElement) || (getComputedStyle(element).display !== 'none' && !element.hidden);

/** A dialog, menu or picker is open: its keys are its own. A drawer for reading is not one of them. */
export const overlayOpen = (): boolean => [...document.querySelectorAll(OVERLAYS)].some(isShown);

/** Whether a key is meant for the page: nobody is typing, composing, holding a modifier or in a dialog. */
export function isForPage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return false;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest(TYPING)) return false;
  if (event.key.startsWith('Arrow') && target?.closest(OWN_ARROWS)) return false;
  if (event.key === 'Enter' && target?.closest(OWN_ENTER)) return false;
  return !overlayOpen();
}

/** Shortcuts of a page, alive while it is in sight. */
export function useKeys(bindings: Bindings, enabled = true) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const act = Object.hasOwn(bindings, name) ? bindings[name] : undefined;
    if (!act || !isForPage(event)) return;
    event.preventDefault();
    act(event);
  });
  useEffect(() => {
    if (!enabled) return undefined;
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [enabled]);
}
