import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '#core';
import { lockFolder } from '#store';
import { startModelHub } from '#test/support/model-hub';
import type { ModelOption } from '../surface.ts';
import { readInventory } from './inventory.ts';
import { type PullOptions, pullModel } from './pull-model.ts';
import { verifyModel } from './verify-model.ts';

const config = Buffer.from('{"model_type":"tiny"}');
const weights = Buffer.alloc(300_000, 'weights of a tiny model ');
const pinOf = (bytes: Buffer) => ({ sha256: sha256(bytes), bytes: bytes.length });
const at = (path: string) => `/lab/tiny/resolve/main/${path}`;

/** A model of two files with the given pins. */
function tiny(pinned: boolean): ModelOption {
  const file = (path: string, bytes: Buffer) => ({ path, pin: pinned ? pinOf(bytes) : null });
  return {
    id: 'lab/tiny',
    title: 'Tiny',
    licence: 'Apache-2.0',
    runtime: 'onnx',
    evidence: [],
    weights: {
      repository: 'lab/tiny',
      revision: 'main',
      files: [file('config.json', config), file('onnx/model.onnx', weights)],
    },
  };
}

let data_folder: string;
let hub: Awaited<ReturnType<typeof startModelHub>>;
beforeEach(async () => {
  taken_bytes = 0;
  data_folder = mkdtempSync(join(tmpdir(), 'assay-test-models-'));
  hub = await startModelHub();
  hub.files.set(at('config.json'), { bytes: config });
  hub.files.set(at('onnx/model.onnx'), { bytes: weights });
});
afterEach(async () => {
  await hub.close();
  rmSync(data_folder, { recursive: true, force: true });
});

const placeOf = (path: string) => join(data_folder, 'models/lab/tiny', path);
const place = (path: string, bytes: Buffer) => {
  mkdirSync(dirname(placeOf(path)), { recursive: true });
  writeFileSync(placeOf(path), bytes);
};
/** Number of bytes that the last pull has downloaded of the current file. */
let taken_bytes = 0;
const taken = (bytes: number) =>
  expect.poll(() => taken_bytes, { interval: 5, timeout: 30_000 }).toBeGreaterThanOrEqual(bytes);
const pull = (option: ModelOption, more: Partial<PullOptions> = {}) =>
  pullModel(option, {
    lock: lockFolder,
    data_folder,
    hub: hub.url,
    pins: {},
    accept: [],
    signal: new AbortController().signal,
    onBytes: (_, bytes) => {
      taken_bytes = bytes;
    },
    ...more,
  });
const verify = (option: ModelOption) =>
  verifyModel(option, { data_folder, pins: {}, signal: new AbortController().signal });
const verdicts = (files: readonly { readonly path: string; readonly verdict: string }[]) =>
  Object.fromEntries(files.map(({ path, verdict }) => [path, verdict]));
const rangesOf = (path: string) => hub.asked.filter((one) => one.path === at(path)).map(({ range }) => range);

describe('pulling pinned weights', () => {
  it('puts every file in place, and a second pull asks the hub for nothing', async () => {
    const { installed, files } = await pull(tiny(true));
    expect([installed, verdicts(files)]).toEqual([
      true,
      { 'config.json': 'pinned', 'onnx/model.onnx': 'pinned' },
    ]);
    expect(readFileSync(placeOf('onnx/model.onnx')).equals(weights)).toBe(true);
    const before = hub.asked.length;
    expect((await pull(tiny(true))).installed).toBe(true);
    expect(hub.asked.length).toBe(before);
    expect(await verify(tiny(true))).toMatchObject({ intact: true });
  });

  it('goes on where a download was cut, and hashes the whole', async () => {
    hub.files.set(at('onnx/model.onnx'), { bytes: weights, cut_after: 100_000, cuts: 2, taken });
    expect((await pull(tiny(true))).installed).toBe(true);
    const ranges = rangesOf('onnx/model.onnx');
    expect(ranges).toEqual([null, 'bytes=100000-', 'bytes=200000-']);
    expect(readFileSync(placeOf('onnx/model.onnx')).equals(weights)).toBe(true);
  });

  it('gives up where every download is cut, keeps what came, and a later pull goes on with it', async () => {
    hub.files.set(at('onnx/model.onnx'), { bytes: weights, cut_after: 50_000, cuts: 3, taken });
    await expect(pull(tiny(true))).rejects.toMatchObject({
      code: 'unreadable_input',
      message: expect.stringMatching(/interrupted, after 150000 of 300000 bytes/),
      path: placeOf('onnx/model.onnx'),
    });
    expect(existsSync(placeOf('config.json'))).toBe(false);
    expect((await pull(tiny(true))).installed).toBe(true);
    expect(rangesOf('onnx/model.onnx').at(-1)).toBe('bytes=150000-');
    expect(rangesOf('config.json')).toHaveLength(1);
  });

  it('begins again where the hub has another file by now, or no ranges', async () => {
    for (const later of [{ etag: '"two"' }, { ignores_ranges: true }]) {
      hub.files.set(at('onnx/model.onnx'), {
        bytes: Buffer.alloc(300_000, 'old'),
        cut_after: 90_000,
        cuts: 3,
        taken,
      });
      await expect(pull(tiny(true))).rejects.toThrow('repeatedly interrupted');
      hub.files.set(at('onnx/model.onnx'), { bytes: weights, ...later });
      expect((await pull(tiny(true))).installed).toBe(true);
      expect(readFileSync(placeOf('onnx/model.onnx')).equals(weights)).toBe(true);
      rmSync(placeOf('.'), { recursive: true });
    }
  });

  it('begins again where what had come is all there is', async () => {
    const part = join(data_folder, 'models/.pulling/lab/tiny/files/onnx/model.onnx.part');
    mkdirSync(dirname(part), { recursive: true });
    writeFileSync(part, weights);
    writeFileSync(`${part}.etag`, '"one"');
    expect((await pull(tiny(true))).installed).toBe(true);
    expect(rangesOf('onnx/model.onnx')).toEqual(['bytes=300000-', null]);
  });

  it('can be stopped, and gone on with', async () => {
    const stop = new AbortController();
    const held = () => new Promise<void>(() => {});
    hub.files.set(at('onnx/model.onnx'), { bytes: weights, cut_after: 50_000, cuts: 1, taken: held });
    const pulling = pull(tiny(true), { signal: stop.signal });
    const ended = expect(pulling).rejects.toMatchObject({ code: 'cancelled', exitCode: 4 });
    await taken(50_000);
    stop.abort();
    await ended;
    expect((await pull(tiny(true))).installed).toBe(true);
    expect(rangesOf('onnx/model.onnx')).toEqual([null, 'bytes=50000-']);
  });

  it('follows a redirect', async () => {
    hub.files.set('/cdn/abc', { bytes: weights });
    hub.files.set(at('onnx/model.onnx'), { bytes: weights, redirect: '/cdn/abc' });
    expect((await pull(tiny(true))).installed).toBe(true);
    expect(hub.asked.map(({ path }) => path)).toContain('/cdn/abc');
  });

  it('refuses other bytes, puts nothing in place and keeps nothing of them', async () => {
    const other = Buffer.from(weights);
    other[1234] ^= 1;
    hub.files.set(at('onnx/model.onnx'), { bytes: other });
    const { installed, files } = await pull(tiny(true));
    expect(installed).toBe(false);
    expect(files[1]).toMatchObject({ verdict: 'mismatch', sha256: sha256(other), expected: sha256(weights) });
    expect(existsSync(placeOf('config.json'))).toBe(false);
    hub.files.set(at('onnx/model.onnx'), { bytes: weights });
    expect((await pull(tiny(true))).installed).toBe(true);
  });

  it('stops reading where more comes than was pinned', async () => {
    hub.files.set(at('onnx/model.onnx'), { bytes: Buffer.alloc(64 * 1024, 7), endless: true });
    const { installed, files } = await pull(tiny(true));
    expect([installed, files[1].verdict]).toEqual([false, 'mismatch']);
    expect(files[1].bytes).toBeLessThan(weights.length + 1024 * 1024);
  });

  it('replaces a file here that is not what was pinned', async () => {
    place('config.json', config);
    place('onnx/model.onnx', Buffer.from('spoiled'));
    expect(verdicts((await verify(tiny(true))).files)).toEqual({
      'config.json': 'intact',
      'onnx/model.onnx': 'mismatch',
    });
    expect((await pull(tiny(true))).installed).toBe(true);
    expect(rangesOf('config.json')).toEqual([]);
    expect(await verify(tiny(true))).toMatchObject({ intact: true });
  });
});

describe('a hub that does not give the file', () => {
  it('is named with what it answered, and where to put the file by hand', async () => {
    for (const [status, said] of [
      [404, /the hub returned HTTP 404: file not found/],
      [401, /the hub returned HTTP 401/],
      [503, /the hub returned HTTP 503/],
    ] as const) {
      hub.files.set(at('onnx/model.onnx'), { bytes: weights, status });
      await expect(pull(tiny(true))).rejects.toMatchObject({
        code: 'unreadable_input',
        message: expect.stringMatching(said),
        path: placeOf('onnx/model.onnx'),
        advice: expect.stringContaining(`manually to ${placeOf('onnx/model.onnx')}`),
        exitCode: 3,
      });
    }
  });

  it('is named where it cannot be reached', async () => {
    const { url } = hub;
    await hub.close();
    await expect(pull(tiny(true), { hub: url })).rejects.toMatchObject({
      code: 'unreadable_input',
      message: expect.stringMatching(/the hub is unreachable \(.*ECONNREFUSED/),
      advice: expect.stringContaining('ASSAY_MODEL_HUB'),
    });
    hub = await startModelHub();
  });

  it('and has more than the disk takes is stopped before anything is written', async () => {
    hub.files.set(at('onnx/model.onnx'), { bytes: weights, says_bytes: 1e17 });
    await expect(pull(tiny(true))).rejects.toMatchObject({
      code: 'output_unwritable',
      message: expect.stringContaining('100000000000000000 bytes needed'),
      exitCode: 4,
    });
  });
});

describe('pulling weights that nobody has pinned', () => {
  const hashes = [sha256(config), sha256(weights)];

  it('says their hashes and trusts none; accepted, they are what later ones must be', async () => {
    const first = await pull(tiny(false));
    expect([first.installed, verdicts(first.files)]).toEqual([
      false,
      { 'config.json': 'not_pinned', 'onnx/model.onnx': 'not_pinned' },
    ]);
    expect(first.files.map((file) => file.sha256)).toEqual(hashes);
    expect(existsSync(placeOf('config.json'))).toBe(false);
    const asked = hub.asked.length;
    expect((await pull(tiny(false), { accept: hashes.slice(0, 1) })).installed).toBe(false);
    const last = await pull(tiny(false), { accept: hashes });
    expect([last.installed, verdicts(last.files)]).toEqual([
      true,
      { 'config.json': 'accepted', 'onnx/model.onnx': 'accepted' },
    ]);
    // What had come was kept.
    expect(hub.asked.length).toBe(asked);
    writeFileSync(placeOf('onnx/model.onnx'), 'spoiled');
    expect(await verify(tiny(false))).toMatchObject({
      intact: false,
      files: [{ verdict: 'intact' }, { verdict: 'mismatch', expected: hashes[1] }],
    });
    expect(verdicts((await pull(tiny(false))).files)).toMatchObject({ 'onnx/model.onnx': 'pinned' });
  });

  it('does not take another file of the hub later, unless that is accepted too', async () => {
    await pull(tiny(false), { accept: hashes });
    rmSync(placeOf('onnx/model.onnx'));
    const newer = Buffer.alloc(1000, 'newer');
    hub.files.set(at('onnx/model.onnx'), { bytes: newer, etag: '"two"' });
    expect(verdicts((await pull(tiny(false))).files)).toMatchObject({ 'onnx/model.onnx': 'mismatch' });
    const accepted = await pull(tiny(false), { accept: [sha256(newer)] });
    expect([accepted.installed, verdicts(accepted.files)]).toMatchObject([
      true,
      { 'config.json': 'pinned', 'onnx/model.onnx': 'accepted' },
    ]);
  });

  it('takes the word of a person’s list of pins', async () => {
    const pins = { 'config.json': pinOf(config), 'onnx/model.onnx': { sha256: hashes[1], bytes: null } };
    expect((await pull(tiny(false), { pins })).installed).toBe(true);
    rmSync(placeOf('.'), { recursive: true });
    const wrong = { ...pins, 'onnx/model.onnx': { sha256: hashes[0], bytes: null } };
    // A pin is firm: what was accepted beside it does not count.
    const refused = await pull(tiny(false), { pins: wrong, accept: hashes });
    expect([refused.installed, refused.files[1].verdict]).toEqual([false, 'mismatch']);
  });

  it('judges files that were put there by hand, and downloads none of them', async () => {
    place('config.json', config);
    place('onnx/model.onnx', weights);
    expect(verdicts((await pull(tiny(false))).files)).toEqual({
      'config.json': 'not_pinned',
      'onnx/model.onnx': 'not_pinned',
    });
    expect((await pull(tiny(false), { accept: hashes })).installed).toBe(true);
    expect(hub.asked).toEqual([]);
  });

  it('says how to place files where no list of them is known, and takes what was placed', async () => {
    const { weights: _, ...exported } = tiny(false);
    const model: ModelOption = exported;
    await expect(pull(model)).rejects.toMatchObject({
      code: 'not_found',
      advice: expect.stringContaining(
        `copy the .onnx and its data files to ${placeOf('.').slice(0, -1)}`.replace(/\/$/, ''),
      ),
    });
    place('tiny.onnx', weights);
    expect((await pull(model)).installed).toBe(false);
    expect((await pull(model, { accept: hashes })).installed).toBe(true);
    expect(await verify(model)).toMatchObject({ intact: true, files: [{ path: 'tiny.onnx' }] });
    rmSync(placeOf('tiny.onnx'));
    expect(await verify(model)).toMatchObject({ intact: false, files: [{ verdict: 'missing' }] });
  });

  it('says of a spoiled list of what was accepted which file it is', async () => {
    place('.assay-pins.json', Buffer.from('{"config.json":{"sha256":"short"}}'));
    await expect(verify(tiny(false))).rejects.toMatchObject({
      code: 'invalid_settings',
      message: expect.stringContaining(
        `${placeOf('.assay-pins.json')} is not a valid list of pins: /config.json/sha256`,
      ),
    });
  });
});

describe('two pulls of a model at once', () => {
  it('are one pull: the other is refused and harms nothing', async () => {
    let goOn = () => {};
    const pause = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    hub.files.set(at('onnx/model.onnx'), { bytes: weights, pause });
    const first = pull(tiny(true));
    await expect.poll(() => hub.asked.length, { timeout: 30_000 }).toBe(2);
    await expect(pull(tiny(true))).rejects.toMatchObject({
      code: 'folder_locked',
      message: 'another process is already pulling lab/tiny',
    });
    goOn();
    expect((await first).installed).toBe(true);
    expect(readFileSync(placeOf('onnx/model.onnx')).equals(weights)).toBe(true);
  });
});

describe('the inventory', () => {
  it('knows a registry’s model as here once all its files are', async () => {
    const id = 'peterande/d-fine-l';
    const put = (path: string) => {
      const file = join(data_folder, 'models', id, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, 'x');
    };
    const state = async (model = id) => (await readInventory(data_folder)).get(model);
    expect(await state()).toMatchObject({ installed: 'absent', weights: { folder: `models/${id}` } });
    put('config.json');
    put('preprocessor_config.json');
    expect(await state()).toMatchObject({
      installed: 'absent',
      weights: { files: [{ present: true }, { present: true }, { present: false, sha256: null }] },
    });
    put('onnx/model.onnx');
    expect(await state()).toMatchObject({ installed: 'unusable' });
    expect(await state('opencv/farneback')).toEqual({ installed: 'no_weights_needed', weights: null });
    expect(await state('self-hosted/vision')).toEqual({ installed: 'endpoint', weights: null });
    expect(await state('roboflow/rf-detr-large')).toMatchObject({
      installed: 'absent',
      weights: { source: null },
    });
  });
});
