// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { toLogin } from './leave.ts';

afterEach(() => vi.restoreAllMocks());

test('the way to the login is begun once, and again when the document is shown again', () => {
  const replace = vi.spyOn(window.location, 'replace').mockImplementation(() => undefined);
  window.history.replaceState(null, '', '/withdraw?state=0');
  toLogin();
  toLogin();
  expect(replace.mock.calls).toEqual([['/login?back=%2Fwithdraw%3Fstate%3D0']]);
  window.dispatchEvent(new Event('pageshow'));
  toLogin();
  expect(replace).toHaveBeenCalledTimes(2);
});
