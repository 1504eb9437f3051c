// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { goToLogin } from './leave.ts';

afterEach(() => vi.restoreAllMocks());

test('redirects to the login once, and again after the document was restored', () => {
  const replace = vi.spyOn(window.location, 'replace').mockImplementation(() => undefined);
  window.history.replaceState(null, '', '/withdraw?state=0');
  goToLogin();
  goToLogin();
  expect(replace.mock.calls).toEqual([['/login?back=%2Fwithdraw%3Fstate%3D0']]);
  window.dispatchEvent(new Event('pageshow'));
  goToLogin();
  expect(replace).toHaveBeenCalledTimes(2);
});
