// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type SignatureRequest, askSignature } from './signing-window.ts';

const page = { url: 'https://sign.example.com/', isApart: true };
const request: SignatureRequest = {
  person: 'maker',
  roster: 1,
  relyingParty: 'sign.example.com',
  keys: ['key'],
  texts: ['{}'],
  previous: null,
};
const signature = { key: 'key', consent: '{}', authenticatorData: 'a', clientDataJSON: 'b', signature: 'c' };

const opened = { closed: false, postMessage: vi.fn<Window['postMessage']>(), close: vi.fn<Window['close']>() };
const open = vi.fn<Window['open']>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  opened.closed = false;
  open.mockReturnValue(opened as never);
  vi.stubGlobal('open', open);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A message of a window, of the signing page unless another is named. */
const receive = (data: unknown, source: unknown = opened, origin = 'https://sign.example.com') =>
  window.dispatchEvent(Object.assign(new MessageEvent('message', { data, origin }), { source }));

test('sends the request to the page only, and returns its answer', async () => {
  const answer = askSignature(page, request);
  receive({ type: 'hengtai.signing.ready' }, opened, 'https://evil.example.com');
  receive({ type: 'hengtai.signing.ready' }, {});
  expect(opened.postMessage).not.toHaveBeenCalled();
  receive({ type: 'hengtai.signing.ready' });
  expect(opened.postMessage.mock.calls).toEqual([
    [{ type: 'hengtai.signing.sign', ...request }, 'https://sign.example.com'],
  ]);
  receive({ type: 'hengtai.signing.signed', signature: 'forged' }, opened, 'https://evil.example.com');
  receive({ type: 'hengtai.signing.signed', signature });
  expect(await answer).toEqual(signature);
  expect(opened.close).toHaveBeenCalled();
});

test.each([
  ['cancelled', '已取消，没有签名。'],
  ['refused', '签名页拒绝签名：内容在显示之后有变化。请通知负责人。'],
  ['something', '签名页没有签名。'],
])('says why the page did not sign: %s', async (reason, text) => {
  const answer = expect(askSignature(page, request)).rejects.toThrow(text);
  receive({ type: 'hengtai.signing.failed', reason });
  await answer;
});

test('says that the window was closed, or blocked, or belongs to another address', async () => {
  const closed = expect(askSignature(page, request)).rejects.toThrow('签名窗口已关闭，没有签名。');
  opened.closed = true;
  vi.advanceTimersByTime(1_000);
  await closed;
  open.mockReturnValue(null);
  await expect(askSignature(page, request)).rejects.toThrow('浏览器拦截了签名窗口');
  open.mockClear();
  await expect(askSignature({ ...page, isApart: false }, request)).rejects.toThrow('请从该地址打开控制台');
  expect(open).not.toHaveBeenCalled();
});
