import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { channelMeans } from '#test/support/onnx-model';
import { ModelClient, ModelHost, type ModelHostOptions, type ModelRef } from '../index.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-model-host-'));
const meansPath = join(folder, 'means.onnx');
const at = (path: string): ModelRef => ({ model: 'test/means', runtime: 'onnx', graphs: { main: path } });
const means = at(meansPath);
beforeAll(() => writeFileSync(meansPath, channelMeans()));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const picture = (red: number, side = 4) => {
  const data = new Float32Array(3 * side * side).fill(1).fill(red, 0, side * side);
  return { pixels: { type: 'float32', dims: [1, 3, side, side], data } } as const;
};

async function withHost(
  work: (client: ModelClient, host: ModelHost) => Promise<void>,
  options: ModelHostOptions = {},
  program?: URL,
): Promise<void> {
  const host = new ModelHost(options, program);
  const client = new ModelClient(host.socket);
  try {
    await work(client, host);
  } finally {
    client.close();
    await host.close();
  }
}

describe('a model in ONNX', () => {
  let host: ModelHost;
  let client: ModelClient;
  beforeAll(() => {
    host = new ModelHost();
    client = new ModelClient(host.socket);
  });
  afterAll(async () => {
    client.close();
    await host.close();
  });

  it('says what it takes and gives, and runs', async () => {
    const session = await client.session(means);
    expect(session).toMatchObject({
      model: 'test/means',
      inputs: [{ name: 'pixels', type: 'float32', dims: [1, 3, null, null] }],
      outputs: [{ name: 'means', type: 'float32', dims: [1, 3] }],
    });
    const outputs = await session.run(picture(0.5));
    expect(outputs.means).toEqual({ type: 'float32', dims: [1, 3], data: Float32Array.of(0.5, 1, 1) });
  });

  it('takes large tensors, and many requests at once, each with its own answer', async () => {
    const session = await client.session(means);
    const reds = Array.from({ length: 20 }, (_, i) => i / 32);
    const answers = await Promise.all(reds.map((red) => session.run(picture(red, 512))));
    expect(answers.map(({ means: { data } }) => data[0])).toEqual(reds);
  });

  it('that is none, or is fed wrongly, says why and is in nobody’s way', async () => {
    writeFileSync(join(folder, 'text.onnx'), 'no model');
    const none = client.session(at(join(folder, 'text.onnx')));
    await expect(none).rejects.toMatchObject({
      code: 'layer_unavailable',
      message: expect.stringMatching(/test\/means cannot run/),
    });
    const gone = client.session(at(join(folder, 'gone.onnx')));
    await expect(gone).rejects.toMatchObject({ code: 'layer_unavailable' });
    const session = await client.session(means);
    const { pid } = host;
    await expect(session.run({})).rejects.toMatchObject({ code: 'layer_unavailable' });
    expect((await session.run(picture(0.25))).means.data[0]).toBe(0.25);
    expect(host.pid).toBe(pid);
  });

  it('is loaded anew where its file has changed', async () => {
    const path = join(folder, 'changing.onnx');
    writeFileSync(path, channelMeans());
    expect((await client.session(at(path))).inputs).toHaveLength(1);
    writeFileSync(path, 'spoiled');
    await expect(client.session(at(path))).rejects.toMatchObject({ code: 'layer_unavailable' });
  });

  it('is one for all threads of the process', async () => {
    const program = `
        import { parentPort, workerData } from 'node:worker_threads';
        const { ModelClient } = await import(workerData.module);
        const client = new ModelClient(workerData.socket);
        const session = await client.session(workerData.means);
        const { means } = await session.run(workerData.picture);
        parentPort.postMessage(means.data[0]);
        client.close();`;
    const pids = new Set<number | undefined>();
    const threads = [0.125, 0.25, 0.5].map(
      (red) =>
        new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`), {
          workerData: {
            module: pathToFileURL('src/labels/models/index.ts').href,
            socket: host.socket,
            means,
            picture: picture(red),
          },
        }),
    );
    // Heard from the start: a thread may have ended before another one has answered.
    const ended = threads.map((thread) => new Promise((done) => thread.once('exit', done)));
    const said = await Promise.all(
      threads.map(
        (thread, at) =>
          new Promise((done, fail) => {
            thread.once('message', (value) => {
              pids.add(host.pid);
              done(value);
            });
            thread.once('error', fail);
            void ended[at].then((code) => fail(new Error(`it ended with code ${code} and no answer`)));
          }),
      ),
    );
    expect(said).toEqual([0.125, 0.25, 0.5]);
    expect(pids.size).toBe(1);
    await Promise.all(ended);
  });
});

describe('a model process', () => {
  const program = new URL('../../../../test/support/bad-model-host.ts', import.meta.url);
  const ref = (how: string): ModelRef => ({
    model: `test/${how}`,
    runtime: 'bad' as ModelRef['runtime'],
    graphs: { main: join(folder, how) },
  });
  beforeAll(() => {
    for (const how of ['sound', 'loop', 'wait', 'arrays', 'die', 'stop', 'refuses', 'no-model'])
      writeFileSync(join(folder, how), '');
  });
  const bad = (how: string, options: ModelHostOptions = {}) => {
    let said: unknown;
    const run = withHost(
      async (client) => {
        const session = await client.session(ref(how));
        const sound = await client.session(ref('sound'));
        const failing = session.run(picture(1)).catch((thrown: unknown) => thrown);
        // Waits behind the one that ends the process, and is not to blame.
        const waiting = sound.run(picture(0.5));
        said = await failing;
        expect(await waiting).toEqual(picture(0.5));
      },
      options,
      program,
    );
    return run.then(() => said);
  };
  const unfinished = (why: string) => ({ code: 'unfinished', message: expect.stringContaining(why) });

  it('that computes and gives no answer is ended, and named', async () => {
    expect(await bad('loop', { cpu_limit_s: 0.5 })).toMatchObject(
      unfinished('test/loop could not run: the model process made no progress in 0.5 s of CPU time'),
    );
  });

  it('that waits for something that does not come is ended', async () => {
    expect(await bad('wait', { idle_limit_s: 0.5 })).toMatchObject(unfinished('made no progress for 0.5 s'));
  });

  it('that fills the memory is ended, and a second one before it is given up', async () => {
    expect(await bad('arrays', { memory_limit_mb: 500 })).toMatchObject(
      unfinished('the limit of the process is 500 MB'),
    );
  });

  it('that ends by itself is started once more', async () => {
    expect(await bad('die')).toMatchObject(unfinished('exited with code 7'));
  });

  it.skipIf(process.platform === 'win32')('that somebody stopped is ended', async () => {
    expect(await bad('stop', { silent_limit_s: 1.5 })).toMatchObject(unfinished('did not respond'));
  });

  it('goes on where a model refuses', async () => {
    expect(await bad('refuses')).toMatchObject({
      code: 'layer_unavailable',
      message: expect.stringContaining('no such input'),
    });
    await expect(bad('no-model')).rejects.toMatchObject({
      message: expect.stringContaining('the file is no model'),
    });
  });

  it('that cannot be started says so', () =>
    withHost(
      async (client) => {
        await expect(client.session(means)).rejects.toMatchObject(unfinished('could not be started'));
      },
      {},
      new URL('../../../../test/support/nowhere.ts', import.meta.url),
    ));

  it('that is killed over a request does it again in another', () =>
    withHost(async (client, host) => {
      const session = await client.session(means);
      const first = host.pid!;
      const asked = session.run(picture(0.5, 2000));
      process.kill(first, 'SIGKILL');
      expect((await asked).means.data[0]).toBe(0.5);
      expect(host.pid).not.toBe(first);
    }));

  it.skipIf(!existsSync('/proc/self/task'))('does not outlive the process that started it', async () => {
    const script = join(folder, 'parent.mjs');
    writeFileSync(
      script,
      `const { ModelClient, ModelHost } = await import(${JSON.stringify(pathToFileURL('src/labels/models/index.ts').href)});
       const host = new ModelHost();
       const client = new ModelClient(host.socket);
       await client.session(${JSON.stringify(means)});
       process.stdout.write(String(host.pid));
       if (process.argv[2] === 'stay') setInterval(() => {}, 1000);`,
    );
    const { spawn } = await import('node:child_process');
    for (const how of ['leave', 'stay']) {
      const parent = spawn(process.execPath, [script, how], { stdio: ['ignore', 'pipe', 'inherit'] });
      const pid = await new Promise<number>((done) =>
        parent.stdout.once('data', (text) => done(Number(text))),
      );
      const ended = new Promise((done) => parent.once('exit', done));
      if (how === 'stay') parent.kill('SIGKILL');
      await ended;
      const alive = () => {
        try {
          return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
        } catch {
          return false;
        }
      };
      for (let looks = 0; looks < 50 && alive(); looks++) await new Promise((done) => setTimeout(done, 100));
      expect(alive()).toBe(false);
    }
  });
});
