// @vitest-environment happy-dom
import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { lazyComponent } from './lazy-component.tsx';
import { dialogOnDemand, onDemand } from './on-demand.tsx';

// An error is reported late on a busy machine.
configure({ asyncUtilTimeout: 60_000 });

afterEach(cleanup);

const fail = () => Promise.reject<() => null>(new TypeError('Failed to fetch dynamically imported module'));

test.each([
  ['a part of a page', lazyComponent(fail)],
  ['a dialog', onDemand(fail)],
])('%s whose script cannot be loaded leaves the rest in place and says so', async (_name, Part) => {
  render(
    <Suspense>
      <p>rest</p>
      <Part />
    </Suspense>,
  );
  expect((await screen.findByRole('alert')).textContent).toContain('未能加载');
  expect(screen.getByText('rest')).toBeDefined();
});

test('Escape gives up a dialog that is still loading, and nothing below it', () => {
  const [onClose, onCloseBelow] = [vi.fn<() => void>(), vi.fn<() => void>()];
  window.addEventListener('keydown', onCloseBelow, { once: true });
  const Dialog = dialogOnDemand<{ onClose: () => void }>(() => new Promise(() => undefined));
  render(<Dialog onClose={onClose} />);
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(onClose).toHaveBeenCalledTimes(1);
  expect(onCloseBelow).not.toHaveBeenCalled();
  window.removeEventListener('keydown', onCloseBelow);
});
