import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface CutDoor {
  /** The server's address through the door. */
  readonly endpoint: string;
  /** Cuts the next `times` answers once `after` bytes of a connection's answers have passed. */
  cut(after: number, times: number): void;
  /** Cuts not made yet. */
  readonly cuts: number;
  /** Answers that begin from now on; every one after them is cut. */
  lastAnswers(count: number): void;
  close(): Promise<void>;
}

/** A door before a server on this machine, through which connections can be made to break off. */
export async function openCutDoor(server: string): Promise<CutDoor> {
  const port = Number(new URL(server).port);
  const sockets = new Set<Socket>();
  let cutAfter = 0;
  let cuts = 0;
  let answers = Number.POSITIVE_INFINITY;
  const door = createServer((client) => {
    const inside = connect(port, '127.0.0.1');
    for (const socket of [client, inside]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    let passed = 0;
    let answering = false;
    client.on('data', (bytes) => {
      answering = false;
      inside.write(bytes);
    });
    inside.on('data', (bytes) => {
      passed += bytes.length;
      if (!answering) answers -= 1;
      answering = true;
      const isCut = cuts > 0 && passed > cutAfter;
      if (isCut) cuts -= 1;
      if (isCut || answers < 0) {
        client.destroy();
        inside.destroy();
      } else client.write(bytes);
    });
    inside.on('end', () => client.end());
    client.on('close', () => inside.destroy());
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(door.address() as { port: number }).port}`,
    cut: (after, times) => {
      [cutAfter, cuts] = [after, times];
    },
    get cuts() {
      return cuts;
    },
    lastAnswers: (count) => {
      answers = count;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      door.close();
      await once(door, 'close');
    },
  };
}
