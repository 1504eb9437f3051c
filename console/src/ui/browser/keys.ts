import { useEffect, useEffectEvent } from 'react';
import { isComposing } from './ime.ts';

/** Handlers by key. Letters are lower case, `?` is itself, others are named as in KeyboardEvent.key. */
export type Bindings = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const TEXT_INPUTS =
  'input:not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, [contenteditable=true], [contenteditable=""], [role=combobox], [role=textbox], [role=spinbutton]';
const USES_ARROWS =
  '[role=menu], [role=menubar], [role=tablist], [role=listbox], [role=radiogroup], [role=slider], [role=tree]';
const USES_ENTER = 'button, a[href], summary, [role=button], [role=menuitem], [role=tab], [role=option], [role=switch]';
const OVERLAYS =
  '.ant-modal-wrap, .ant-popover:not(.ant-popover-hidden), .ant-dropdown:not(.ant-dropdown-hidden), .ant-select-dropdown:not(.ant-select-dropdown-hidden), .ant-picker-dropdown:not(.ant-picker-dropdown-hidden), .ant-image-preview, [role=alertdialog], [data-overlay]';

const isDisplayed = (element: Element): boolean =>
  !(element instanceof HTMLElement) || (getComputedStyle(element).display !== 'none' && !element.hidden);

/** Whether a dialog, menu or picker is open, which handles keys itself. A non-modal drawer does not count, nor what matches `except`. */
export const isOverlayOpen = (except?: string): boolean =>
  [...document.querySelectorAll(OVERLAYS)].some(
    (element) => isDisplayed(element) && (except === undefined || !element.matches(except)),
  );

/**
 * Whether a key event is for the page: no text input, IME composition, modifier or overlay is involved, and no record beside
 * the open one, which alone the keys decide.
 */
function isForPage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || isComposing(event)) return false;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest(`${TEXT_INPUTS}, .ht-dialog-beside`)) return false;
  if (event.key.startsWith('Arrow') && target?.closest(USES_ARROWS)) return false;
  if (event.key === 'Enter' && target?.closest(USES_ENTER)) return false;
  return !isOverlayOpen();
}

/** Registers shortcuts of a page while it is visible. */
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

/**
 * Handles Escape anywhere before the drawer below, which listens on the window. An open overlay comes first, unless it
 * matches `except`.
 */
export function useEscape(handle: (event: KeyboardEvent) => void, except: string) {
  const onEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing || isOverlayOpen(except)) return;
    event.stopPropagation();
    handle(event);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onEscape(event);
    document.addEventListener('keydown', listen, true);
    return () => document.removeEventListener('keydown', listen, true);
  }, []);
}
