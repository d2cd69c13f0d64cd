import { AV_LOG_ERROR } from 'node-av/constants';
import { Log } from 'node-av/lib';

const markPrefix = 'assay mark ';

/**
 * Collects log messages of FFmpeg, so that reasons can quote them. Messages arrive in order but after the call that
 * caused them, perhaps while the next file is processed; marks in the log show to which file they belong.
 */
class FfmpegLog {
  readonly #messages: string[] = [];
  readonly #pendingMarks = new Map<string, () => void>();
  #marks = 0;

  /** Starts collecting error messages. */
  start(): void {
    Log.setLevel(AV_LOG_ERROR);
    Log.setCallback((_, message) => {
      const text = message.trim();
      if (text.startsWith(markPrefix)) this.#onMark(text);
      else if (this.#messages.length < 8) this.#messages.push(text);
    });
  }

  /** Discards messages logged until now. */
  clear(): void {
    void this.#mark(() => {
      this.#messages.length = 0;
    });
  }

  /** Returns the first message since `clear`; null if there is none. */
  async firstMessage(): Promise<string | null> {
    let first: string | null = null;
    await this.#mark(() => {
      first = this.#messages[0] ?? null;
    });
    return first;
  }

  /** Calls `then` when all messages logged until now have arrived, before later ones are collected. */
  #mark(then: () => void): Promise<void> {
    const text = `${markPrefix}${this.#marks++}`;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#pendingMarks.set(text, () => {
      then();
      resolve();
    });
    Log.log(AV_LOG_ERROR, text);
    return promise;
  }

  #onMark(text: string): void {
    this.#pendingMarks.get(text)?.();
    this.#pendingMarks.delete(text);
  }
}

/** The log of this process. */
export const ffmpegLog = new FfmpegLog();
ffmpegLog.start();

/**
 * Returns a reason with FFmpeg's first error message since `ffmpegLog.clear` in parentheses, or unchanged if there is
 * none.
 */
export async function withLogMessage(text: string): Promise<string> {
  const words = await ffmpegLog.firstMessage();
  return words === null ? text : `${text} (${words})`;
}
