import { expect, test } from 'vitest';
import { doneText } from './done-text.ts';

test('a generic success names the action, the record and the amount', () => {
  const dialog = { msg: '操作成功', title: '通过提现 #1629', verb: '通过提现' };
  expect(doneText({ ...dialog, amounts: [{ value: '740.00', unit: 'USDT' }] })).toBe('已通过提现 #1629 · 740 USDT');
  expect(doneText({ ...dialog, title: '编辑设置：页面水印', verb: '保存' })).toBe('已保存 · 编辑设置：页面水印');
  expect(doneText({ ...dialog, amounts: [{ value: '0', unit: 'BTC' }] })).toBe('已通过提现 #1629');
});

test('a message of the server that says more is kept', () => {
  expect(doneText({ msg: '密码修改成功，请重新登录', title: '修改密码', verb: '修改密码' })).toBe(
    '密码修改成功，请重新登录',
  );
});
