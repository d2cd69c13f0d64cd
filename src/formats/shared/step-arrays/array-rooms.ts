/**
 * Memory for the numbers of one episode after another, by stream: whoever asks for the next episode is done with those
 * of the one before. Fresh memory for each would cost more than reading does.
 */
export class ArrayRooms {
  #before: ReadonlyMap<string, ArrayBuffer> = new Map();
  #rooms = new Map<string, ArrayBuffer>();

  /** At least so many bytes, with what the stream's last numbers left in them. Once for each stream of an episode. */
  of(stream: string, bytes: number): ArrayBuffer {
    const known = this.#before.get(stream);
    // A quarter more, so that the next may be a little longer.
    const room =
      known !== undefined && known.byteLength >= bytes ? known : new ArrayBuffer(bytes + (bytes >> 2));
    this.#rooms.set(stream, room);
    return room;
  }

  /** An episode has been read: what it did not use is let go, however many names the streams of a file have. */
  turn(): void {
    this.#before = this.#rooms;
    this.#rooms = new Map();
  }
}
