// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followAddress } from './address.ts';

const FORM = '/announce/add';
const visited: string[] = [];
let isGuarded = false;
let proceed: (() => void) | undefined;
let onPopState: () => void;

beforeEach(() => {
  visited.length = 0;
  isGuarded = false;
  proceed = undefined;
  window.history.replaceState(null, '', '/user?page=2');
  vi.spyOn(window, 'addEventListener').mockImplementation((_type, listener) => {
    onPopState = listener as () => void;
  });
});
afterEach(() => vi.restoreAllMocks());

const follow = () =>
  followAddress({
    mustAsk: (pathname) => isGuarded && pathname !== FORM,
    ask: (next) => (proceed = next),
    visit: ({ pathname, search }) => {
      visited.push(pathname + search);
      return pathname === '/' ? '/home' : undefined;
    },
  });

/** What the browser does for a step through the history. */
function stepTo(idx: number, path: string) {
  window.history.replaceState({ idx }, '', path);
  onPopState();
}

test('the address is visited at once and after every move, and the root leads to home', () => {
  const navigate = follow();
  navigate('/withdraw?state=0', { replace: false });
  navigate('/withdraw?state=1', { replace: true });
  navigate('/', { replace: false });
  expect(visited).toEqual(['/user?page=2', '/withdraw?state=0', '/withdraw?state=1', '/', '/home']);
  expect(window.history.state).toEqual({ idx: 2 });
  expect(window.location.pathname).toBe('/home');
  stepTo(1, '/withdraw?state=1');
  expect(visited.at(-1)).toBe('/withdraw?state=1');
});

test('a move away from unsaved forms waits for the confirmation', () => {
  const navigate = follow();
  navigate(FORM, { replace: false });
  isGuarded = true;
  navigate('/withdraw', { replace: false });
  expect(visited).toEqual(['/user?page=2', FORM]);
  proceed?.();
  expect(visited.at(-1)).toBe('/withdraw');
});

test('a step away from unsaved forms is taken back, and repeated after the confirmation', () => {
  const navigate = follow();
  navigate(FORM, { replace: false });
  isGuarded = true;
  const go = vi.spyOn(window.history, 'go').mockReturnValue(undefined);
  stepTo(0, '/user?page=2');
  expect(go).toHaveBeenLastCalledWith(1);
  stepTo(1, FORM);
  expect(visited).toEqual(['/user?page=2', FORM]);
  proceed?.();
  expect(go).toHaveBeenLastCalledWith(-1);
  stepTo(0, '/user?page=2');
  expect(visited).toEqual(['/user?page=2', FORM, '/user?page=2']);
  // The next step is asked about again.
  stepTo(1, '/market');
  expect(go).toHaveBeenLastCalledWith(-1);
});
