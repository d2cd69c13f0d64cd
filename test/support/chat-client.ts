import { type ChatEvent, chatEventSchema } from '#core/api';

/** One chat over HTTP: its events as they come, each held against the contract. */
export async function* chatOver(
  address: string,
  token: string,
  body: object,
  signal?: AbortSignal,
): AsyncGenerator<ChatEvent> {
  const answer = await fetch(`${address}/v1/copilot/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
  if (answer.status !== 200 || answer.body === null)
    throw new Error(`the chat answered ${answer.status}: ${await answer.text()}`);
  let rest = '';
  for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
    rest += piece;
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      if (block.startsWith(':')) continue;
      const [, event, data] = /^event: (.*)\ndata: (.*)$/s.exec(block) ?? [];
      yield chatEventSchema.parse({ event, data: JSON.parse(data) });
    }
  }
}
