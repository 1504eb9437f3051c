import { fillReply } from '@hengtai/contract/desk/support/calls';
import type { SupportMessage } from '@hengtai/contract/desk/support/schema';
import { expect, test } from 'vitest';
import { type LoadedThread, dayMark, mergeNewest, mergeOlder } from './thread.ts';

const message = (id: number, text = ''): SupportMessage => ({
  id,
  serviceId: 1,
  no: `${id}`,
  side: 1,
  text,
  image: '',
  by: null,
  delivery: null,
  fault: '',
  createdAt: id,
});
const messageRange = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => message(from + index));
const ids = ({ list }: LoadedThread) => list.map(({ id }) => id);

test('a newer page is merged and updates loaded messages', () => {
  const thread: LoadedThread = { id: 1, list: messageRange(1, 10), more: true };
  const page = { list: [message(9, 'new'), message(10), message(11)], more: true };
  const next = mergeNewest(thread, 1, page);
  expect(ids(next)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(next.list[8]?.text).toBe('new');
  expect(next.more).toBe(true);
});

test('a page with a gap to the loaded messages replaces them', () => {
  const thread: LoadedThread = { id: 1, list: messageRange(1, 10), more: false };
  const next = mergeNewest(thread, 1, { list: messageRange(20, 30), more: true });
  expect(ids(next)).toEqual(ids({ id: 1, list: messageRange(20, 30), more: true }));
  expect(next.more).toBe(true);
  expect(ids(mergeOlder(next, { list: messageRange(11, 19), more: true }))[0]).toBe(11);
});

test('another conversation replaces the thread, and a short one has no older messages', () => {
  const thread: LoadedThread = { id: 2, list: messageRange(1, 3), more: false };
  expect(ids(mergeNewest(thread, 1, { list: messageRange(5, 6), more: false }))).toEqual([5, 6]);
  expect(mergeNewest({ id: 1, list: [], more: false }, 1, { list: messageRange(5, 6), more: false })).toMatchObject({
    more: false,
  });
});

test('day separators follow the time zone', () => {
  const list = [Date.UTC(2026, 2, 1, 15, 59), Date.UTC(2026, 2, 1, 16, 1)].map((createdAt) => ({ createdAt }));
  const marks = (zone: string) => list.map((_, index) => dayMark(list, index, zone, Date.UTC(2026, 2, 1, 20)));
  expect(marks('Asia/Shanghai')).toEqual(['2026-03-01', '今天 2026-03-02']);
  expect(marks('UTC')).toEqual(['今天 2026-03-01', undefined]);
});

test('fills the known blanks of a canned reply and changes nothing else', () => {
  expect(fillReply('您好 {账号}，{代理}{账号} {constructor} {未知}', { 账号: 'a$&b' })).toBe(
    '您好 a$&b，{代理}a$&b {constructor} {未知}',
  );
});
