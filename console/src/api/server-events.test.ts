import { expect, test } from 'vitest';
import { type ServerEvent, createEventParser } from './server-events.ts';

const text = ': \n\nid: 7\nevent: fact\ndata: {"a":"1: 2"}\n\n: \n\nevent: counts\ndata: {}\n\n';
const events = [
  { event: 'fact', id: '7', data: '{"a":"1: 2"}' },
  { event: 'counts', id: undefined, data: '{}' },
];

test.each([1, 2, 3, 7, 1000])('parses the same events from chunks of %i characters', (size) => {
  const received: ServerEvent[] = [];
  const parse = createEventParser((event) => received.push(event));
  for (let at = 0; at < text.length; at += size) parse(text.slice(at, at + size));
  expect(received).toEqual(events);
});

test('emits an event once its terminating blank line has arrived', () => {
  const received: ServerEvent[] = [];
  const parse = createEventParser((event) => received.push(event));
  parse('event: counts\ndata: {}\n');
  expect(received).toEqual([]);
  parse('\n');
  expect(received).toHaveLength(1);
});
