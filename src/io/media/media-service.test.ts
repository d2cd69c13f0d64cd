import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AssayError } from '#core';
import { openVideoWriter } from '#io/video';
import { videoRequest } from '#test/support/camera-requests';
import { movingPicture } from '#test/support/moving-picture';
import type { MediaOptions } from './media-port.ts';
import { createMediaService } from './media-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-media-'));
const clip = join(folder, 'clip.mp4');
/** Takes seconds to decode: every frame repeats the one before, so that all are looked at. */
const long = join(folder, 'long.mp4');

beforeAll(async () => {
  const frames = movingPicture(160, 120, 40);
  await write(clip, 160, 120, frames);
  const [still] = movingPicture(1280, 720, 1);
  await write(
    long,
    1280,
    720,
    Array.from({ length: 900 }, () => still),
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

async function write(path: string, width_px: number, height_px: number, frames: readonly Uint8Array[]) {
  const writer = await openVideoWriter(path, { width_px, height_px, rate_hz: 30 });
  for (const frame of frames) await writer.write(frame);
  await writer.close();
}

/** Process ids of the living children of a process. Linux only, as are the tests that kill. */
function childrenOf(pid: number): number[] {
  const list = `/proc/${pid}/task/${pid}/children`;
  return existsSync(list) ? readFileSync(list, 'utf8').split(' ').filter(Boolean).map(Number) : [];
}

const mediaChildren = (pid: number) =>
  childrenOf(pid).filter((child) => {
    try {
      return readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('media/child/main.ts');
    } catch {
      return false;
    }
  });

/** A child that has a file open has begun to work on it. */
function hasOpen(pid: number, path: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`) === path);
  } catch {
    return false;
  }
}

async function until(condition: () => boolean, limit_ms = 10_000): Promise<boolean> {
  for (let waited = 0; waited < limit_ms; waited += 20) {
    if (condition()) return true;
    await wait(20);
  }
  return condition();
}

describe('the media service', () => {
  it('starts no process before it is asked, and leaves none behind', async () => {
    const service = createMediaService({ children: 2, keep_idle: false });
    expect(mediaChildren(process.pid)).toEqual([]);
    const all = await Promise.all(Array.from({ length: 8 }, () => service.examine(videoRequest(clip))));
    for (const evidence of all) expect(evidence).toEqual(all[0]);
    expect(all[0]).toMatchObject({ decodable: 'yes', container: { frame_count: 40, width_px: 160 } });
    await service.close();
    expect(mediaChildren(process.pid)).toEqual([]);
    await expect(service.examine(videoRequest(clip))).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('leaves its children to the next service, with no file open', async () => {
    const first = createMediaService({ children: 1 });
    const evidence = await first.examine(videoRequest(clip));
    await first.close();
    const children = mediaChildren(process.pid);
    expect(children).toHaveLength(1);
    expect(await until(() => !hasOpen(children[0], clip))).toBe(true);
    const next = createMediaService({ children: 1, keep_idle: false });
    expect(await next.examine(videoRequest(clip))).toEqual(evidence);
    expect(mediaChildren(process.pid)).toEqual(children);
    await expect(first.examine(videoRequest(clip))).rejects.toMatchObject({ code: 'cancelled' });
    await next.close();
    expect(mediaChildren(process.pid)).toEqual([]);
  });

  it('ends a child that takes too much memory, says how much, and makes no verdict of it', async () => {
    const service = createMediaService({ children: 1, memory_limit_mb: 90 });
    const failed = await service.examine(videoRequest(long)).catch((thrown: unknown) => thrown);
    expect(failed).toMatchObject({
      code: 'unfinished',
      path: 'long.mp4',
      message: expect.stringMatching(/used \d+ MB of memory; the limit of the process is 90 MB/),
    });
    await service.close();
  });

  it('answers for absent files, files outside the root, and links that lead out of it', async () => {
    const service = createMediaService({ children: 1 });
    const inner = join(folder, 'inner');
    mkdirSync(inner);
    symlinkSync(clip, join(inner, 'link.mp4'));
    for (const path of ['absent.mp4', '../clip.mp4', 'link.mp4']) {
      const evidence = await service.examine(videoRequest(join(inner, 'x'), {}));
      expect(evidence.decodable).toBe('missing');
      const request = videoRequest(clip);
      const locator = { ...request.frames.locator, path } as typeof request.frames.locator;
      const outside = await service.examine({
        ...request,
        root: inner,
        frames: { ...request.frames, locator },
      });
      expect(outside).toMatchObject({ decodable: 'missing', reason: `file not found: ${path}` });
    }
    await service.close();
  });

  it('works from a worker thread', async () => {
    const program = `
      import { parentPort, workerData } from 'node:worker_threads';
      const { createMediaService } = await import(workerData.module);
      const service = createMediaService({ children: 1 });
      const { decodable } = await service.examine(workerData.request);
      await service.close();
      parentPort.postMessage(decodable);`;
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`), {
      workerData: {
        module: pathToFileURL('src/io/media/media-service.ts').href,
        request: videoRequest(clip),
      },
    });
    const said = await new Promise((done, fail) => worker.once('message', done).once('error', fail));
    expect(said).toBe('yes');
    await worker.terminate();
  });
});

/** A child that does what the name of the file says. */
describe('no verdict is made of a decoder that', () => {
  const program = new URL('../../../test/support/bad-media-child.ts', import.meta.url);
  const bad = async (how: string, limits: MediaOptions = {}) => {
    const service = createMediaService({ children: 1, ...limits }, program);
    const said = await service
      .examine(videoRequest(join(folder, how)))
      .catch((thrown: unknown) => thrown as AssayError);
    await service.close();
    return said;
  };
  const unfinished = (why: string) => ({ code: 'unfinished', message: expect.stringContaining(why) });

  it('computes and comes no further', async () => {
    const said = await bad('loop', { cpu_limit_s: 0.5, idle_limit_s: 0.5 });
    expect(said).toMatchObject(unfinished('made no progress in 0.5 s of CPU time'));
  });

  it('waits for something that does not come', async () => {
    const said = await bad('wait', { cpu_limit_s: 0.5, idle_limit_s: 0.5 });
    expect(said).toMatchObject(unfinished('made no progress for 0.5 s'));
  });

  it('fills the memory', async () => {
    expect(await bad('arrays', { memory_limit_mb: 500 })).toMatchObject(
      unfinished('the limit of the process'),
    );
  });

  it('ends', async () => {
    expect(await bad('die')).toMatchObject(unfinished('exited with code 7'));
  });

  it.skipIf(process.platform === 'win32')('is stopped by somebody', async () => {
    expect(await bad('stop', { silent_limit_s: 1.5 })).toMatchObject(unfinished('did not respond'));
  });

  it('is refused a file by the system', async () => {
    expect(await bad('refused')).toMatchObject(unfinished('too many open files'));
  });

  it('may not read the file, which is told as that', async () => {
    expect(await bad('closed')).toMatchObject({
      code: 'unfinished',
      message: 'no permission to read closed',
      advice: expect.stringContaining('get read permission'),
    });
  });

  it('has a fault of its own, which comes each time and says so in the receipt', async () => {
    expect(await bad('fault')).toMatchObject({ decodable: 'not_measured', reason: 'a fault of the program' });
  });
});

describe.skipIf(!existsSync('/proc/self/task'))('killing (needs /proc to find the processes)', () => {
  it('measures again what a child was working on when somebody ended it', async () => {
    const service = createMediaService({ children: 1 });
    await service.examine(videoRequest(clip));
    const pending = [long, clip, clip].map((file) => service.examine(videoRequest(file)));
    const [child] = mediaChildren(process.pid);
    expect(await until(() => hasOpen(child, long))).toBe(true);
    process.kill(child, 'SIGKILL');
    const answers = await Promise.all(pending);
    expect(answers.map((one) => one.decodable)).toEqual(['yes', 'yes', 'yes']);
    expect(mediaChildren(process.pid)).not.toContain(child);
    await service.close();
  });

  it('says that it could not measure once a second child was ended, and goes on with the others', async () => {
    const service = createMediaService({ children: 1 });
    await service.examine(videoRequest(clip));
    const settled = Promise.allSettled([long, clip, clip].map((file) => service.examine(videoRequest(file))));
    const busy = () => mediaChildren(process.pid).find((child) => hasOpen(child, long));
    for (let deaths = 0; deaths < 2; deaths++) {
      expect(await until(() => busy() !== undefined)).toBe(true);
      const child = busy()!;
      process.kill(child, 'SIGKILL');
      await until(() => !mediaChildren(process.pid).includes(child));
    }
    const [first, ...others] = await settled;
    expect(first).toMatchObject({
      reason: {
        code: 'unfinished',
        message: 'the images could not be decoded on this machine: the decoder process was killed by SIGKILL',
      },
    });
    expect(others).toMatchObject(Array(2).fill({ value: { decodable: 'yes' } }));
    await service.close();
  });

  it('leaves no child when the parent itself is killed, even while a child is busy', async () => {
    const program = `
      const { createMediaService } = await import(${JSON.stringify(resolve('src/io/media/media-service.ts'))});
      const service = createMediaService({ children: 2 });
      const request = ${JSON.stringify(videoRequest(long))};
      service.examine(request); service.examine(request);`;
    const script = join(folder, 'parent.mjs');
    writeFileSync(script, program);
    const parent: ChildProcess = spawn(process.execPath, [script], { stdio: 'ignore', cwd: process.cwd() });
    expect(await until(() => mediaChildren(parent.pid!).length === 2)).toBe(true);
    const children = mediaChildren(parent.pid!);
    await wait(300);
    process.kill(parent.pid!, 'SIGKILL');
    const gone = () => children.every((child) => !existsSync(`/proc/${child}/cmdline`) || isZombie(child));
    expect(await until(gone, 3000)).toBe(true);
  });

  it('does not keep its parent alive when it is idle and nobody closed it', async () => {
    const program = `
      const { createMediaService } = await import(${JSON.stringify(resolve('src/io/media/media-service.ts'))});
      const service = createMediaService({ children: 1 });
      const { decodable } = await service.examine(${JSON.stringify(videoRequest(clip))});
      process.stdout.write(decodable);`;
    const script = join(folder, 'idle.mjs');
    writeFileSync(script, program);
    const parent = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    parent.stdout.on('data', (text) => {
      said += String(text);
    });
    const code = await new Promise((done) => parent.once('close', done));
    expect({ code, said }).toEqual({ code: 0, said: 'yes' });
  });
});

function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}
