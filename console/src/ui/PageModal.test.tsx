// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { Activity } from 'react';
import { afterEach, expect, test } from 'vitest';
import { PageModal } from './PageModal.tsx';

afterEach(cleanup);

test('a dialog closes while its tab is hidden, and opens again with it', () => {
  const pageIn = (mode: 'visible' | 'hidden') => (
    <Activity mode={mode}>
      <PageModal title="驳回提现 #7" />
    </Activity>
  );
  const { rerender } = render(pageIn('visible'));
  expect(screen.queryByText('驳回提现 #7')).not.toBeNull();
  rerender(pageIn('hidden'));
  expect(screen.queryByText('驳回提现 #7')).toBeNull();
  rerender(pageIn('visible'));
  expect(screen.queryByText('驳回提现 #7')).not.toBeNull();
});
