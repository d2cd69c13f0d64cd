import type { Page } from './generated/types.ts';
import type { CallOptions } from './options.ts';

/** Input members that every list has. */
interface PageInput {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

const longestPage = 500;

/**
 * Yields every item of a list and requests pages as needed: `all(client.runs.list, { project_id })`. `limit` is the
 * number of items per request, 500 by default.
 */
export async function* all<Input extends PageInput | undefined, Item>(
  list: (input: Input, options?: CallOptions) => Promise<Page<Item>>,
  input: NonNullable<Input>,
  options?: CallOptions,
): AsyncGenerator<Item> {
  for (let cursor: string | null | undefined = input.cursor; cursor !== null; ) {
    const page: Page<Item> = await list({ limit: longestPage, ...input, cursor }, options);
    yield* page.items;
    cursor = page.next_cursor;
  }
}
