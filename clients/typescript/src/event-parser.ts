/** An event of a stream. */
export interface ServiceEvent {
  /** Id for `last_event_id`; undefined if the stream cannot be resumed after this event. */
  readonly id: string | undefined;
  readonly event: string;
  readonly data: unknown;
}

/** Creates a parser that splits the text of an event stream into events; it skips comments and keeps an incomplete event for the next call. */
export function createParser(): { push(text: string): ServiceEvent[] } {
  let rest = '';
  return {
    push(text) {
      const blocks = (rest + text).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      return blocks.flatMap((block) => {
        const fields = block.split(/\r?\n/).map((line) => /^(event|data|id): ?(.*)$/.exec(line));
        const of = (name: string) => fields.flatMap((field) => (field?.[1] === name ? [field[2]] : []));
        const data = of('data').join('\n');
        const event = of('event')[0] ?? 'message';
        return data === '' ? [] : [{ id: of('id')[0], event, data: JSON.parse(data) as unknown }];
      });
    },
  };
}
