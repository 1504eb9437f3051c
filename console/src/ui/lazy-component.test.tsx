// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, expect, test } from 'vitest';
import { lazyComponent } from './lazy-component.tsx';
import { onDemand } from './on-demand.tsx';

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
