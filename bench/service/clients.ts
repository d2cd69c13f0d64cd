import { Agent, request } from 'node:http';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** Many clients, each asking again as soon as it is answered, in a thread of their own. */
export interface ClientsTask {
  readonly base: string;
  readonly token: string;
  /** Asked in turn, each client starting somewhere else. */
  readonly paths: readonly string[];
  readonly clients: number;
  readonly requests: number;
}

/** Milliseconds from sending to the last byte, by path. */
export type Latencies = Readonly<Record<string, readonly number[]>>;

export function runClients(task: ClientsTask): Promise<Latencies> {
  const thread = new Worker(new URL(import.meta.url), { workerData: task });
  return new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
  });
}

async function work(task: ClientsTask): Promise<Latencies> {
  const agent = new Agent({ keepAlive: true, maxSockets: task.clients });
  const latencies: Record<string, number[]> = Object.fromEntries(task.paths.map((path) => [path, []]));
  let left = task.requests;
  const client = async (number: number) => {
    for (let turn = number; left-- > 0; turn++) {
      const path = task.paths[turn % task.paths.length];
      const started = performance.now();
      await get(task, agent, path);
      latencies[path].push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: task.clients }, (_, number) => client(number)));
  agent.destroy();
  return latencies;
}

function get({ base, token }: ClientsTask, agent: Agent, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request(`${base}${path}`, { agent, headers: { authorization: `Bearer ${token}` } });
    asked.on('error', reject);
    asked.on('response', (answer) => {
      answer.resume();
      answer.on('error', reject);
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`${path} answered ${answer.statusCode}`));
      });
    });
    asked.end();
  });
}

if (!isMainThread) work(workerData as ClientsTask).then((latencies) => parentPort!.postMessage(latencies));
