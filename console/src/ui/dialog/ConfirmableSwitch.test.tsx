// @vitest-environment happy-dom
import { cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ConfirmableSwitch } from './ConfirmableSwitch.tsx';
import type { DisplayError } from '../value/display-error.ts';

// Popups take long on a busy machine.
configure({ asyncUtilTimeout: 60_000 });

afterEach(cleanup);

const onYes = vi.fn<(key: string) => Promise<DisplayError | undefined>>();
const toggle = () => screen.getByRole('switch');
const popover = () => document.querySelector('.ant-popover:not(.ant-popover-hidden)');
/** The buttons of the question. */
const buttons = () => {
  const [cancel, confirm] = popover()?.querySelectorAll('button') ?? [];
  if (!cancel || !confirm) throw new Error('nothing is asked');
  return { cancel, confirm };
};

function show(disabledReason?: string) {
  onYes.mockReset();
  render(
    <ConfirmableSwitch
      name="交易 alice"
      on
      disabledReason={disabledReason}
      question="关闭 alice 的「交易」？"
      verb="关闭"
      makeKey={() => 'key-1'}
      onYes={onYes}
    />,
  );
}

test('a switch asks, with the focus on cancel; cancelling changes nothing and gives the focus back', async () => {
  show();
  fireEvent.click(toggle());
  await waitFor(() => expect(document.activeElement).toBe(buttons().cancel));
  expect(popover()?.textContent).toContain('关闭 alice 的「交易」？');
  fireEvent.click(buttons().cancel);
  await waitFor(() => expect(document.activeElement).toBe(toggle()));
  expect(onYes).not.toHaveBeenCalled();
});

test('a confirmed switch is sent once; a conflict is shown and cannot be confirmed again', async () => {
  show();
  onYes.mockResolvedValueOnce({ kind: 'conflict', msg: '用户已冻结' });
  fireEvent.click(toggle());
  await waitFor(() => fireEvent.click(buttons().confirm));
  expect((await screen.findByRole('alert')).textContent).toContain('用户已冻结');
  expect(onYes.mock.calls).toEqual([['key-1']]);
  expect(buttons().confirm).toHaveProperty('disabled', true);
});

test('a switch that is not possible says why and asks nothing', async () => {
  show('没有「用户管理」权限');
  expect(toggle().getAttribute('aria-disabled')).toBe('true');
  fireEvent.pointerEnter(toggle());
  expect((await screen.findByRole('tooltip')).textContent).toBe('没有「用户管理」权限');
  fireEvent.click(toggle());
  expect(popover()).toBeNull();
});
