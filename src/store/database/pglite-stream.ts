import { Duplex } from 'node:stream';
import type { PgliteGate } from './pglite-gate.ts';
import { startupAnswer, WireFraming } from './wire-framing.ts';

/** What `pg` looks at when a session starts; PGlite is one session, opened before. */
const parameters = {
  server_version: '18.0',
  client_encoding: 'UTF8',
  DateStyle: 'ISO, MDY',
  integer_datetimes: 'on',
  standard_conforming_strings: 'on',
  TimeZone: 'UTC',
};

/** Stands where `pg` expects a socket, and carries its bytes to PGlite. */
export class PgliteStream extends Duplex {
  readonly #gate: PgliteGate;
  readonly #framing = new WireFraming();
  #greeted = false;

  constructor(gate: PgliteGate) {
    super();
    this.#gate = gate;
  }

  connect(): this {
    queueMicrotask(() => this.emit('connect'));
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {}

  override _writev(chunks: readonly { chunk: Uint8Array }[], callback: (error?: Error | null) => void): void {
    this.#take(Buffer.concat(chunks.map(({ chunk }) => chunk))).then(
      () => callback(),
      (error) => callback(error),
    );
  }

  override _write(chunk: Uint8Array, _encoding: string, callback: (error?: Error | null) => void): void {
    this.#take(chunk).then(
      () => callback(),
      (error) => callback(error),
    );
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#gate.leave(this);
    callback(error);
  }

  async #take(chunk: Uint8Array): Promise<void> {
    const { rounds, ended } = this.#framing.push(chunk);
    for (const round of rounds) {
      if (!this.#greeted) {
        this.#greeted = true;
        this.push(startupAnswer(parameters));
        continue;
      }
      const answer = await this.#gate.send(this, round);
      // Moved over from the thread, so that it need not be copied.
      this.push(Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength));
    }
    if (ended) this.push(null);
  }
}
