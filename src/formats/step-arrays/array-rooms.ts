/**
 * Memory for the numbers of one episode after another, by stream: whoever asks for the next episode is done with those
 * of the one before. Fresh memory for each would cost more than reading does.
 */
export class ArrayRooms {
  readonly #rooms = new Map<string, ArrayBuffer>();

  /** At least so many bytes, with what the stream's last numbers left in them. */
  of(stream: string, bytes: number): ArrayBuffer {
    const known = this.#rooms.get(stream);
    if (known !== undefined && known.byteLength >= bytes) return known;
    const room = new ArrayBuffer(bytes + (bytes >> 2) + (-(bytes + (bytes >> 2)) & 7));
    this.#rooms.set(stream, room);
    return room;
  }
}
