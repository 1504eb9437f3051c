// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';

const calls: string[] = [];

beforeEach(async () => {
  calls.length = 0;
  vi.resetModules();
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.includes('/api/')) calls.push(url);
    return new Response(JSON.stringify({ code: 401, msg: '账号、密码或验证码错误', data: null }));
  });
  localStorage.clear();
  const html = readFileSync(join(import.meta.dirname, '../../login.html'), 'utf8');
  document.body.innerHTML = (/<body>([^]*)<\/body>/.exec(html)?.[1] ?? '').replaceAll(/<script[^]*?<\/script>/g, '');
  await import('./login.ts');
  calls.length = 0;
});
afterAll(() => vi.unstubAllGlobals());

const field = (id: string) => document.getElementById(id) as HTMLInputElement;
const textOf = (id: string) => document.getElementById(id)?.textContent;
const logIn = () => field('submit').click();
function fill(id: string, value: string) {
  field(id).value = value;
  field(id).dispatchEvent(new Event('input', { bubbles: true }));
}

test('missing fields are named and focused, and nothing is sent', () => {
  logIn();
  expect([textOf('account-error'), textOf('password-error')]).toEqual(['请输入登录账号', '请输入登录密码']);
  expect(document.activeElement).toBe(field('account'));
  fill('account', 'someone');
  expect(textOf('account-error')).toBe('');
  logIn();
  expect(document.activeElement).toBe(field('password'));
  expect(calls).toEqual([]);
});

test('a refusal shows the message of the server, and no session is stored', async () => {
  fill('account', 'someone');
  fill('password', 'not-the-password');
  logIn();
  await vi.waitFor(() => expect(textOf('refusal')).toBe('账号、密码或验证码错误'));
  expect(calls).toHaveLength(1);
  expect(localStorage.getItem('hengtai.session')).toBeNull();
});

test('caps lock is named while a password is typed', () => {
  const press = (on: boolean) => {
    const event = new KeyboardEvent('keydown', { key: 'A' });
    event.getModifierState = () => on;
    field('password').dispatchEvent(event);
    return textOf('caps');
  };
  expect([press(true), press(false)]).toEqual(['大写锁定已打开', '']);
});
