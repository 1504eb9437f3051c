import { expect, test } from 'vitest';
import { type ServerEvent, eventParser } from './server-events.ts';

const text = ': \n\nid: 7\nevent: fact\ndata: {"a":"1: 2"}\n\n: \n\nevent: counts\ndata: {}\n\n';
const events = [
  { event: 'fact', id: '7', data: '{"a":"1: 2"}' },
  { event: 'counts', id: undefined, data: '{}' },
];

test.each([1, 2, 3, 7, 1000])('events are the same in pieces of %i characters', (size) => {
  const taken: ServerEvent[] = [];
  const parse = eventParser((event) => taken.push(event));
  for (let at = 0; at < text.length; at += size) parse(text.slice(at, at + size));
  expect(taken).toEqual(events);
});

test('an event is told when it is whole, and not before', () => {
  const taken: ServerEvent[] = [];
  const parse = eventParser((event) => taken.push(event));
  parse('event: counts\ndata: {}\n');
  expect(taken).toEqual([]);
  parse('\n');
  expect(taken).toHaveLength(1);
});
