import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

/** An email as it arrived. */
interface ReceivedEmail {
  readonly to: string;
  readonly text: string;
}

/** An SMTP server with the commands that a client needs to send plain messages. */
export interface MailReceiver {
  readonly port: number;
  /** Answer to `RCPT TO` of an address, such as `550 no such user`; accepted before. */
  answer(to: string, line: string | null): void;
  received(to: string): readonly ReceivedEmail[];
  wait(to: string, count: number): Promise<readonly ReceivedEmail[]>;
  close(): Promise<void>;
}

export async function startMailReceiver(): Promise<MailReceiver> {
  const answers = new Map<string, string>();
  const all: ReceivedEmail[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    void converse(socket, answers, all);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const received = (to: string) => all.filter((one) => one.to === to);
  return {
    port: (server.address() as AddressInfo).port,
    answer: (to, line) => void (line === null ? answers.delete(to) : answers.set(to, line)),
    received,
    wait: async (to, count) => {
      while (received(to).length < count) await wait(20);
      return received(to);
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function converse(
  socket: Socket,
  answers: ReadonlyMap<string, string>,
  all: ReceivedEmail[],
): Promise<void> {
  const say = (line: string) => socket.write(`${line}\r\n`);
  let to = '';
  let data: string[] | null = null;
  say('220 test ready');
  for await (const line of createInterface({ input: socket })) {
    if (data !== null) {
      if (line !== '.') data.push(line.replace(/^\.\./, '.'));
      else {
        all.push({ to, text: data.join('\n') });
        data = null;
        say('250 stored');
      }
      continue;
    }
    const [command] = line.toUpperCase().split(/[ :]/);
    if (command === 'EHLO' || command === 'HELO' || command === 'MAIL' || command === 'RSET') say('250 ok');
    else if (command === 'RCPT') {
      to = /<(.*)>/.exec(line)?.[1] ?? '';
      say(answers.get(to) ?? '250 ok');
    } else if (command === 'DATA') {
      data = [];
      say('354 go on');
    } else if (command === 'QUIT') {
      say('221 bye');
      socket.end();
    } else say('502 unknown');
  }
}
