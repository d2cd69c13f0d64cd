/** An answer as the bytes of its JSON, for what is asked often: made once, sent many times. */
export class Written<Answer> {
  readonly bytes: Uint8Array;

  constructor(answer: Answer) {
    this.bytes = Buffer.from(JSON.stringify(answer));
  }

  get text(): string {
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length).toString();
  }

  /** A copy of its own for whoever asks. */
  read(): Answer {
    return JSON.parse(this.text);
  }
}
