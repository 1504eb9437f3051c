// @vitest-environment happy-dom
import { cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ConfirmDialog, type ConfirmDialogProps } from './ConfirmDialog.tsx';

// Popups take long on a busy machine.
configure({ asyncUtilTimeout: 60_000 });

const run = vi.fn<ConfirmDialogProps['run']>();
const onClose = vi.fn<() => void>();

beforeEach(() => {
  run.mockReset();
  onClose.mockReset();
});
afterEach(cleanup);

const confirmButton = () => document.querySelector<HTMLButtonElement>('[data-verb]') ?? document.body;
const reason = () => screen.getByPlaceholderText('请输入原因');
const press = (key: string, more: object = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more });
const confirmByKeys = () => press('Enter', { ctrlKey: true });

async function open(more: Partial<ConfirmDialogProps> = {}) {
  let keys = 0;
  render(
    <ConfirmDialog
      title="驳回提现 #7"
      details={[{ label: '用户', value: 'alice' }]}
      amounts={[{ value: '1234.5', unit: 'USDT' }]}
      verb="驳回"
      reason={{ required: true, chips: ['地址有风险', '流水不足'] }}
      makeKey={() => `key-${(keys += 1)}`}
      run={run}
      onClose={onClose}
      {...more}
    />,
  );
  await waitFor(() => expect(document.activeElement?.textContent).toMatch(/取\s*消/));
}

test('cancel has the focus, Enter never confirms, and Ctrl+Enter confirms with the reason of a number key', async () => {
  await open();
  expect(screen.getByRole('dialog').textContent).toContain('1,234.5');
  confirmByKeys();
  expect(screen.getByText('请输入原因')).toBeDefined();
  press('2');
  expect(reason()).toHaveProperty('value', '流水不足');
  reason().focus();
  // In a text field a number is a character.
  press('1');
  press('Enter');
  confirmButton().focus();
  expect(press('Enter')).toBe(false);
  expect(run).not.toHaveBeenCalled();
  confirmByKeys();
  await waitFor(() => expect(run.mock.calls).toEqual([['流水不足', 'key-1']]));
});

test('the text of the challenge must be typed', async () => {
  await open({ reason: undefined as never, challenge: { label: '请输入账号以确认', expect: 'alice' } });
  const field = screen.getByLabelText(/请输入账号以确认/);
  fireEvent.change(field, { target: { value: 'alic' } });
  confirmByKeys();
  expect(run).not.toHaveBeenCalled();
  fireEvent.change(field, { target: { value: 'alice' } });
  confirmByKeys();
  await waitFor(() => expect(run).toHaveBeenCalledTimes(1));
});

test('a retry after an unknown outcome repeats the reason and the idempotency key', async () => {
  run.mockResolvedValueOnce({ kind: 'unknown', msg: '结果不明' });
  await open();
  press('1');
  confirmByKeys();
  expect((await screen.findByRole('alert')).textContent).toContain('结果不明');
  expect(reason()).toHaveProperty('disabled', true);
  expect(confirmButton().textContent).toBe('重试驳回');
  // The button takes no click until its own state has followed, a moment after the message shows.
  await waitFor(() => expect(confirmButton().className).not.toContain('loading'));
  fireEvent.click(confirmButton());
  await waitFor(() => expect(run.mock.calls[1]).toEqual(['地址有风险', 'key-1']));
  expect(run.mock.calls[0]).toEqual(run.mock.calls[1]);
});

test('a record that another operator decided first cannot be confirmed again, and says who decided', async () => {
  run.mockResolvedValueOnce({
    kind: 'conflict',
    msg: '记录已被处理',
    requestId: 'r-1',
    moved: { by: 'bob', at: Date.now(), state: 5 },
  });
  await open({ stateText: (state) => (state === 5 ? '已驳回' : '') });
  press('1');
  confirmByKeys();
  const { textContent } = await screen.findByRole('alert');
  for (const text of ['记录已被处理', 'bob', '已驳回', 'r-1']) expect(textContent).toContain(text);
  confirmByKeys();
  expect(run).toHaveBeenCalledTimes(1);
  expect(confirmButton()).toHaveProperty('disabled', true);
});

test('a record that was saved meanwhile shows each field with both values, by whom and when, and keeps the input', async () => {
  const at = Date.UTC(2026, 0, 2, 3, 4, 5);
  run.mockResolvedValueOnce({
    kind: 'conflict',
    msg: '记录已变化：……',
    changed: [
      { label: '最小提现', before: '1', after: '5', kind: 'text', by: 'bob', at },
      { label: '失效时间', before: null, after: String(at), kind: 'time', by: null, at },
    ],
  });
  await open();
  press('1');
  confirmByKeys();
  const alert = await screen.findByRole('alert');
  const lines = [...alert.querySelectorAll('p')];
  const time = lines[1]?.querySelector('time');
  expect(time?.dateTime).toBe(new Date(at).toISOString());
  expect(lines.map(({ textContent }) => textContent)).toEqual([
    '记录已变化',
    `最小提现：1 → 5（bob ${time?.textContent}）`,
    `失效时间：无 → ${time?.textContent}（${time?.textContent}）`,
  ]);
  expect(reason()).toHaveProperty('value', '地址有风险');
  expect(confirmButton()).toHaveProperty('disabled', true);
});

test('a record that was saved meanwhile shows the words of the server if no field is known', async () => {
  run.mockResolvedValueOnce({ kind: 'conflict', msg: '记录已变化（bob）', changed: [] });
  await open();
  press('1');
  confirmByKeys();
  expect((await screen.findByRole('alert')).textContent).toBe('记录已变化（bob）');
});
