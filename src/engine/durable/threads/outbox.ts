import { AssayError } from '#core';
import type { Part } from '../../steps/messages.ts';

/** Parts under way at once: one being committed while the next is made. */
const mostUnderWay = 2;

/** Hands parts to the main thread, each once it is stored, in request, and hears what became of them. */
export class Outbox {
  readonly #send: (part: Part) => void;
  /** Parts that are not answered yet. */
  readonly #underWay: Promise<void>[] = [];
  readonly #unanswered: PromiseWithResolvers<void>[] = [];

  constructor(send: (part: Part) => void) {
    this.#send = send;
  }

  async hand(part: Part, stored: Promise<void>): Promise<void> {
    const before = this.#underWay.at(-1) ?? Promise.resolve();
    const taken = Promise.all([stored, before]).then(() => {
      const answered = Promise.withResolvers<void>();
      this.#unanswered.push(answered);
      this.#send(part);
      return answered.promise;
    });
    // Thrown where it is waited for.
    taken.catch(() => {});
    this.#underWay.push(taken);
    if (this.#underWay.length >= mostUnderWay) await this.#underWay.shift();
  }

  async settled(): Promise<void> {
    await Promise.all(this.#underWay.splice(0));
  }

  /** The answer to the part that was sent first of those unanswered. */
  answer(wanted: boolean): void {
    const answered = this.#unanswered.shift();
    if (wanted) answered?.resolve();
    else answered?.reject(new AssayError('cancelled', 'the work was taken away'));
  }
}
