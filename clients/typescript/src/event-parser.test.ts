import { expect, test } from 'vitest';
import { createParser } from './event-parser.ts';

test('events are found wherever the event stream was interrupted', () => {
  const text =
    'event: run\nid: 1\ndata: {"a":1}\n\n: heartbeat\n\nevent: progress\ndata: {"b":\ndata: 2}\n\n';
  for (let cut = 0; cut <= text.length; cut++) {
    const parser = createParser();
    const events = [...parser.push(text.slice(0, cut)), ...parser.push(text.slice(cut))];
    expect(events).toStrictEqual([
      { id: '1', event: 'run', data: { a: 1 } },
      { id: undefined, event: 'progress', data: { b: 2 } },
    ]);
  }
});

test('an event that has not ended is kept back', () => {
  const parser = createParser();
  expect(parser.push('event: run\ndata: {"a":1}\n')).toEqual([]);
  expect(parser.push('\n')).toEqual([{ event: 'run', data: { a: 1 } }]);
});
