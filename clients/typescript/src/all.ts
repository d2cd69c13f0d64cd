import type { Page } from './generated/types.ts';
import type { CallOptions } from './options.ts';

/** What a list is asked with, whatever else it takes. */
interface PageInput {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

const longestPage = 500;

/**
 * Every item of a list, page by page, as they are asked for: `all(client.runs.list, { project_id })`. `limit` is how many
 * come with one request.
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
