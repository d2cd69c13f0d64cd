import { AssayError } from '#core';
import type { Store } from '#store';

/**
 * What `work` would answer or throw, with nothing of it done: its statements are rolled back, and nobody hears of them.
 * Only for work whose every effect is in the database, and which is done in moments: others wait meanwhile.
 */
export async function rehearse<Answer>(
  { database }: Pick<Store, 'database'>,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const answers: Answer[] = [];
  const undo = new AssayError('cancelled', 'this was a rehearsal');
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
