import { counted } from '#core';
import type { Finding } from '#core/episode';

const mostListed = 16;
/** A single message is at most this long; more was lost in another way than by stopping in the middle of one. */
const longestMessage = 65_538;

/** What of a log's bytes could not be read: counted while it is walked, findings in the end. */
export class Damage {
  /** Whole messages that make no sense and were passed over alone. */
  odd = 0;
  badOffsets = 0;
  #lostBytes = 0;
  #lostSpans = 0;
  readonly #listed: { from: number; bytes: number }[] = [];
  readonly #cuts: { from: number; bytes: number }[] = [];

  /** Bytes [from, to) make no sense; reading went on at a sync mark. */
  lost(from: number, to: number): void {
    this.#lostSpans++;
    this.#lostBytes += to - from;
    if (this.#listed.length < mostListed) this.#listed.push({ from, bytes: to - from });
  }

  /** The last bytes of the log, or of the part before appended data, are no whole message. */
  cut(from: number, bytes: number): void {
    if (bytes > longestMessage) this.lost(from, from + bytes);
    else this.#cuts.push({ from, bytes });
  }

  findings(path: string): Finding[] {
    const found: Finding[] = [];
    const add = (
      code: string,
      severity: Finding['severity'],
      message: string,
      advice: string,
      evidence: Finding['evidence'] = {},
    ): void => {
      found.push({ code, severity, path, message, advice, evidence });
    };
    if (this.#lostSpans > 0) {
      const places =
        this.#lostSpans === 1
          ? `at byte ${this.#listed[0].from}`
          : `in ${this.#lostSpans} places, first at byte ${this.#listed[0].from}`;
      const said = `${this.#lostBytes} damaged bytes ${places} were passed over to the next sync mark`;
      add(
        'file_corrupt',
        'warning',
        said,
        'copy the log from the card again; if it stays so, check the card',
        { bytes: this.#lostBytes, spans: this.#lostSpans, first: this.#listed },
      );
    }
    for (const { from, bytes } of this.#cuts) {
      const said = `the log breaks off in the middle of a message: ${bytes} bytes at byte ${from} are no whole one`;
      add(
        'file_truncated',
        'info',
        said,
        'nothing to do: a power cut ends a log so, and everything before it is read',
        { from, bytes },
      );
    }
    if (this.odd > 0)
      add(
        'messages_undecodable',
        'warning',
        `${counted(this.odd, 'messages do')} not fit what the log declares and had to be left out`,
        'copy the log from the card again; if it stays so, the logger wrote them wrong',
        { messages: this.odd },
      );
    if (this.badOffsets > 0)
      add(
        'appended_data_missing',
        'warning',
        `the log names ${this.badOffsets} places of appended data that lie outside it`,
        'fetch the whole file',
        { offsets: this.badOffsets },
      );
    return found;
  }
}
