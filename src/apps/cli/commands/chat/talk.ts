import type { AssayClient } from '@assay/client';
import type { Io } from '../../io.ts';
import { showEvent } from './show-event.ts';
import { type Turn, takeTurn } from './take-turn.ts';

export interface TalkParts {
  readonly client: AssayClient;
  readonly io: Io;
  /** Asks the person for a yes; null: events go out as JSON, and nobody is asked. */
  readonly asks: ((prompt: string) => Promise<boolean>) | null;
  readonly project_id: string | undefined;
  readonly model: string | undefined;
  readonly thread_id: string | undefined;
}

/** Messages of a talk that go along with the next one. */
const mostKept = 40;

/** What was said so far, and what is said next. */
export class Talk {
  readonly #parts: TalkParts;
  readonly #said: { readonly role: 'user' | 'assistant'; readonly content: string }[] = [];
  #thread_id: string | undefined;

  constructor(parts: TalkParts) {
    this.#parts = parts;
    this.#thread_id = parts.thread_id;
  }

  /** One message and its answer; what waits for a yes is asked, and done where it is given. */
  async say(content: string): Promise<Turn> {
    const { asks, io } = this.#parts;
    let turn = await this.#turn(content, {});
    while (asks !== null && turn.confirmations.length > 0 && !io.signal.aborted) {
      const approvals = [];
      for (const { tool, argument_hash, prompt } of turn.confirmations)
        if (await asks(prompt)) approvals.push({ tool, argument_hash });
      if (approvals.length === 0) break;
      turn = await this.#turn(content, { autopilot: true, approvals });
    }
    this.#said.push({ role: 'user', content });
    if (turn.text.trim() !== '') this.#said.push({ role: 'assistant', content: turn.text });
    return turn;
  }

  async #turn(content: string, consent: object): Promise<Turn> {
    const { client, io, asks, project_id, model } = this.#parts;
    const messages = [...this.#said.slice(-mostKept), { role: 'user' as const, content }];
    const asked = { messages, project_id, model, thread_id: this.#thread_id, autopilot: false, ...consent };
    const turn = await takeTurn(client, asked, io.signal, (event) => showEvent(event, io, asks === null));
    this.#thread_id = turn.thread_id ?? this.#thread_id;
    return turn;
  }
}
