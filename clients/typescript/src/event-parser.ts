/** An event as its stream tells it. */
export interface ServiceEvent {
  /** For going on after it; undefined where the event is no place to go on from. */
  readonly id: string | undefined;
  readonly event: string;
  readonly data: unknown;
}

/** Cuts the text of an event stream into events; comments and incomplete ones are skipped. */
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
