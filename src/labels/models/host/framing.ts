import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';

/** No message is longer: a tensor of a picture is some megabytes. */
const mostBytes = 2 ** 30;

/** Sends a message: its length in four bytes, then itself. Between processes of one program on one machine only. */
export function sendMessage(socket: Socket, message: object): void {
  const body = serialize(message);
  const head = Buffer.alloc(4);
  head.writeUInt32LE(body.length);
  socket.cork();
  socket.write(head);
  socket.write(body);
  socket.uncork();
}

/** Calls `onMessage` for each message that comes. */
export function readMessages<Message>(socket: Socket, onMessage: (message: Message) => void): void {
  let parts: Buffer[] = [];
  let held = 0;
  let wanted = 4;
  let isHead = true;
  socket.on('data', (part: Buffer) => {
    parts.push(part);
    held += part.length;
    while (held >= wanted) {
      const all = parts.length === 1 ? parts[0] : Buffer.concat(parts, held);
      const taken = all.subarray(0, wanted);
      parts = [all.subarray(wanted)];
      held -= wanted;
      if (isHead) {
        wanted = taken.readUInt32LE();
        if (wanted > mostBytes) {
          socket.destroy(new Error(`a message of ${wanted} bytes`));
          return;
        }
      } else {
        wanted = 4;
        onMessage(deserialize(taken));
      }
      isHead = !isHead;
    }
  });
}
