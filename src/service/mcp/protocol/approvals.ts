import { randomUUID } from 'node:crypto';
import { AssayError } from '#core';

const good_ms = 600_000;
const most = 100;

/** What a person may still say yes to in one session: each is good once, for ten minutes, for the arguments it was made for. */
export class Approvals {
  readonly #open = new Map<string, { readonly hash: string; readonly until_ms: number }>();

  /** The word by which a client says that its person agreed to arguments of this hash. */
  open(hash: string, now_ms: number): { readonly confirmation: string; readonly expires_at: string } {
    const [oldest] = this.#open.keys();
    if (this.#open.size >= most && oldest !== undefined) this.#open.delete(oldest);
    const confirmation = randomUUID();
    const until_ms = now_ms + good_ms;
    this.#open.set(confirmation, { hash, until_ms });
    return { confirmation, expires_at: new Date(until_ms).toISOString() };
  }

  /** Uses one up. Throws `conflict` where it is of other arguments, was used, or is too old. */
  use(confirmation: string, hash: string, now_ms: number): void {
    const found = this.#open.get(confirmation);
    this.#open.delete(confirmation);
    if (found !== undefined && found.hash === hash && now_ms <= found.until_ms) return;
    throw new AssayError('conflict', 'the confirmation is of other arguments, was used, or is too old', {
      advice: 'call the tool without it, show the new prompt to the person, and send what comes with it',
    });
  }
}
