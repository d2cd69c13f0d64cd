import { AssayError } from '#core';
import type { Store } from '#store';

/**
 * Runs `work` in a transaction that is rolled back, and returns or throws what it did. Use it only for short work
 * whose effects are all in the database: other transactions wait meanwhile.
 */
export async function dryRun<Answer>(
  { database }: Pick<Store, 'database'>,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const answers: Answer[] = [];
  const undo = new AssayError('cancelled', 'dry run');
  try {
    await database.transaction(async () => {
      answers.push(await work());
      throw undo;
    });
  } catch (thrown) {
    if (thrown !== undo) throw thrown;
  }
  return answers[0];
}
