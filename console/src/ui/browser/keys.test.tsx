// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { useKeys } from './keys.ts';

const act = vi.fn<(key: string) => void>();

function Page() {
  useKeys({ j: () => act('j'), Enter: () => act('Enter'), '?': () => act('?'), ArrowDown: () => act('down') });
  return (
    <div>
      <input aria-label="text" />
      <input type="checkbox" aria-label="check" />
      <textarea aria-label="area" />
      <button type="button">press</button>
      <div role="menu">
        <span id="item" />
      </div>
      <p id="plain">text</p>
    </div>
  );
}

afterEach(() => {
  cleanup();
  act.mockClear();
});

function press(on: string, key: string, more: KeyboardEventInit & { keyCode?: number } = {}) {
  const target = document.querySelector(on);
  if (!target) throw new Error(on);
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
  if (more.keyCode) Object.defineProperty(event, 'keyCode', { value: more.keyCode });
  target.dispatchEvent(event);
  return event;
}

describe('shortcuts', () => {
  it('fire on the page, for both letter cases', () => {
    render(<Page />);
    expect(press('#plain', 'j').defaultPrevented).toBe(true);
    press('#plain', 'J', { shiftKey: true });
    press('#plain', '?', { shiftKey: true });
    press('[type=checkbox]', 'j');
    expect(act.mock.calls.flat()).toEqual(['j', 'j', '?', 'j']);
  });

  it('do not fire while typing, composing or with a modifier', () => {
    render(<Page />);
    press('[aria-label=text]', 'j');
    press('textarea', 'Enter');
    press('#plain', 'j', { isComposing: true });
    press('#plain', 'j', { keyCode: 229 });
    press('#plain', 'j', { ctrlKey: true });
    press('#plain', 'j', { metaKey: true });
    press('#plain', 'j', { altKey: true });
    expect(act).not.toHaveBeenCalled();
  });

  it('leave Enter to buttons and arrows to menus', () => {
    render(<Page />);
    press('button', 'Enter');
    press('#item', 'ArrowDown');
    expect(act).not.toHaveBeenCalled();
    press('button', 'j');
    expect(act.mock.calls).toEqual([['j']]);
  });

  it('do not fire while a dialog is open, and fire again after it closes', () => {
    render(<Page />);
    const dialog = document.createElement('div');
    dialog.className = 'ant-modal-wrap';
    document.body.append(dialog);
    press('#plain', 'j');
    expect(act).not.toHaveBeenCalled();
    dialog.style.display = 'none';
    press('#plain', 'j');
    expect(act).toHaveBeenCalledTimes(1);
    dialog.remove();
  });

  it('are removed when the page unmounts', () => {
    const { unmount } = render(<Page />);
    unmount();
    document.body.append(document.createElement('p'));
    press('body > p', 'j');
    expect(act).not.toHaveBeenCalled();
  });
});
