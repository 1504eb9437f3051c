import { expect, test } from 'vitest';
import { findSettings } from './calls.ts';
import type { ConfigRow } from './schema.ts';

const rows = [
  { key: 'session.idle', name: '闲置退出(分钟)', group: '登录', remark: '多久没有操作后退出' },
  { key: 'otp.required', name: '必须启用验证码', group: '登录', remark: '未启用的操作员登录后先启用' },
  { key: 'login.url', name: '登录地址', group: '链接', remark: 'Shown to users' },
].map((row) => ({ ...row }) as ConfigRow);

test.each([
  ['登录', ['login.url', 'session.idle', 'otp.required']],
  ['otp', ['otp.required']],
  ['SHOWN users', ['login.url']],
  ['登录  闲置', ['session.idle']],
  ['闲置 验证码', []],
  [' ', ['session.idle', 'otp.required', 'login.url']],
])('%j finds %j', (text, keys) => {
  expect(findSettings(rows, text).map(({ key }) => key)).toEqual(keys);
});
