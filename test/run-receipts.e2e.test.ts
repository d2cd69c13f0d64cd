import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Finding, severities } from '#core/episode';
import { assessInto } from '#engine/local';
import {
  getRunReport,
  rescoreProject,
  setDataKind,
  setReadinessSettings,
  startRun,
} from '#service/operations';
import { receiptsOf } from './support/run-receipts.ts';
import { openRunService, type RunService } from './support/run-service.ts';
import { sharedSamples } from './support/shared-samples.ts';
import { rounds } from './support/tiers.ts';

const shared = join(import.meta.dirname, '../../shared/data');
const place = mkdtempSync(join(tmpdir(), 'assay-test-runs-'));
let samples: string;
let service: RunService;

beforeAll(async () => {
  samples = (await sharedSamples()).recordings;
  service = await openRunService({ roots: [shared, samples].filter(existsSync) });
});
afterAll(async () => {
  await service.close();
  rmSync(place, { recursive: true, force: true });
});

const run = async (path: string) => {
  const { store, call, project_id } = service;
  const source_id = await service.source(path);
  const started = await startRun(store, call, { project_id, source_id });
  return service.ended(started.id);
};

/** Runs `assay assess --out` on the same recordings; returns the sorted receipts and the folder. */
async function assessed(path: string, options: Parameters<typeof assessInto>[2] = {}) {
  const out = mkdtempSync(join(place, 'out-'));
  const result = await assessInto(out, path, options);
  await result.close();
  const files = readdirSync(join(out, 'receipts'), { recursive: true, encoding: 'utf8' });
  const receipts = files
    .map((file) => join(out, 'receipts', file))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'utf8'));
  return { out, result, receipts: receipts.sort() };
}

/**
 * Real recordings; at night of every kind of reader, with what is unreadable among them. In CI a LeRobot set with its loaders
 * follows below.
 */
const recordings = rounds(0, 1)
  ? ['lerobot-v20-gr00t-pick-place', 'lerobot-v21-g1-bottle', 'mcap', 'images', 'video', 'driving']
  : ['mcap/rosbags-rs', 'images/datumaro-formats'];

/** Nothing in these can be read at all. */
const unreadable = ['lerobot-malformed-omx', 'malformed'];

describe('a run of what assess cannot read', () => {
  test.for(unreadable)('fails with the same words: %s', async (name, { skip }) => {
    const path = join(shared, name);
    skip(!existsSync(path), `${path} is not here`);
    const { error, status } = await run(path);
    expect(status).toBe('failed');
    await expect(assessed(path)).rejects.toMatchObject({ ...error });
  });
});

describe('a run gives, byte for byte, the receipts that assess writes', () => {
  test.for(recordings)('of %s', { timeout: 300_000 }, async (name, { skip }) => {
    const path = join(shared, name);
    skip(!existsSync(path), `${path} is not here`);
    const ended = await run(path);
    const theirs = await assessed(path, { settings: ended.settings });
    const { findings } = theirs.result.summary();
    expect(ended).toMatchObject({
      status: theirs.result.unreadable > 0 || hasUnopened(findings) ? 'partial' : 'succeeded',
      episodes: { judged: theirs.receipts.length, unreadable: theirs.result.unreadable },
      decisions: theirs.result.decisions,
      usability: theirs.result.usability,
      error: null,
    });
    expect(await receiptsOf(service, ended.id)).toEqual(theirs.receipts);
    const unavailable = ended.layers.filter(({ status }) => status === 'unavailable');
    const ofLayers = unavailable.map(({ layer }) => ({ code: 'layer_unavailable', evidence: { layer } }));
    const all = (await service.findings(ended.id)) as { readonly code: string }[];
    const isOfLayer = ({ code }: { readonly code: string }) => code === 'layer_unavailable';
    // Findings of a run on its layers; assess has none.
    expect(all.filter(isOfLayer)).toMatchObject(ofLayers);
    expect(all.filter((one) => !isOfLayer(one))).toEqual(worstFirst(findings));
  });

  test('of the samples, and draws the same report', async () => {
    const path = join(samples, rounds(0, 1) ? '' : 'teleop-lerobot');
    const ended = await run(path);
    const theirs = await assessed(path, { settings: ended.settings });
    expect(await receiptsOf(service, ended.id)).toEqual(theirs.receipts);
    const { store, call } = service;
    const { signal } = new AbortController();
    const pages = readdirSync(theirs.out, { recursive: true, encoding: 'utf8' }).filter(
      (file) =>
        /^(index|episode)\.html$|^(assets|data)/.test(file) && statSync(join(theirs.out, file)).isFile(),
    );
    expect(pages.length).toBeGreaterThan(20);
    for (const file of pages) {
      const { bytes } = await getRunReport(store, call, { run_id: ended.id, file }, signal);
      const written = readFileSync(join(theirs.out, file), 'utf8');
      expect(drawing(file, Buffer.from(bytes).toString()), file).toEqual(drawing(file, written));
    }
  }, 300_000);

  test('with a pinned kind and other settings, and again when it is rescored', async () => {
    const path = join(samples, 'teleop-lerobot');
    const { store, call, project_id } = service;
    const settings = { checks: { signal_sync: { weight_factor: 2 }, episode_length: { enabled: false } } };
    const other = { checks: { signal_sync: { threshold_offset: 0.2 } } };
    await setDataKind(store, call, { project_id, kind: 'egocentric' });
    await setReadinessSettings(store, call, { project_id, ...settings });
    const ended = await run(path);
    expect(await receiptsOf(service, ended.id)).toEqual(
      (await assessed(path, { settings: ended.settings, kind: 'egocentric' })).receipts,
    );
    await setReadinessSettings(store, call, { project_id, checks: {} });
    await setReadinessSettings(store, call, { project_id, ...other });
    const { items } = await rescoreProject(store, call, { project_id, source_id: ended.source_id });
    const rescored = await service.ended(items[0].id);
    expect(rescored).toMatchObject({ status: ended.status, type: 'rescore', base_run_id: ended.id });
    expect(await receiptsOf(service, rescored.id)).toEqual(
      (await assessed(path, { settings: rescored.settings, kind: 'egocentric' })).receipts,
    );
    expect(ended.settings).toMatchObject(settings);
    expect(rescored.settings).toMatchObject(other);
  }, 300_000);
});

/** Findings in the order in which a run lists them. */
const worstFirst = <One extends Pick<Finding, 'severity'>>(findings: readonly One[]): One[] =>
  findings.toSorted((a, b) => severities.indexOf(b.severity) - severities.indexOf(a.severity));

describe('a run of a project that names a loader', () => {
  /** Checks that a run says what an assessment with its settings says, findings included. */
  async function expectSame(ended: Awaited<ReturnType<typeof run>>, path: string) {
    const theirs = await assessed(path, { settings: ended.settings });
    const { usability, decisions, result } = { ...theirs.result, result: theirs.result };
    expect(ended).toMatchObject({ status: 'succeeded', usability, decisions });
    expect(await receiptsOf(service, ended.id)).toEqual(theirs.receipts);
    const findings = (await service.findings(ended.id)) as { readonly code: string }[];
    expect(findings.filter(({ code }) => code !== 'layer_unavailable')).toEqual(
      worstFirst(result.summary().findings),
    );
    return theirs;
  }

  const chosen = async (loaders: readonly string[] | null) => {
    const { store, call, project_id } = service;
    await setDataKind(store, call, { project_id, kind: null });
    const list = loaders === null ? null : [...loaders];
    return setReadinessSettings(store, call, { project_id, checks: {}, loaders: list });
  };
  afterAll(() => chosen(null));

  test('is judged by it, and by another when it is rescored', { timeout: 300_000 }, async ({ skip }) => {
    const path = join(shared, 'lerobot-v20-gr00t-pick-place');
    skip(!existsSync(path), `${path} is not here`);
    const { store, call, project_id } = service;
    await chosen(['lerobot-0.3']);
    const ended = await run(path);
    expect(ended.settings.loaders).toEqual(['lerobot-0.3']);
    expect(ended.decisions).toEqual({ accept: 0, review: 0, reject: 5 });
    expect(ended.loader).toBe('LeRobot v2.1');
    const theirs = await expectSame(ended, path);
    const { signal } = new AbortController();
    const file = 'index.html';
    const { bytes } = await getRunReport(store, call, { run_id: ended.id, file }, signal);
    expect(Buffer.from(bytes).toString()).toBe(readFileSync(join(theirs.out, file), 'utf8'));
    // Its own loader again, without decoding: nothing of the earlier choice remains.
    for (const loaders of [null, ['gr00t-n1.5']]) {
      await chosen(loaders);
      const { items } = await rescoreProject(store, call, { project_id, source_id: ended.source_id });
      const rescored = await service.ended(items[0].id);
      await expectSame(rescored, path);
      expect(rescored.loader).toBe(loaders === null ? 'GR00T N1.7' : 'GR00T N1.5');
      if (loaders === null) expect(rescored.decisions).toEqual({ accept: 5, review: 0, reject: 0 });
    }
  });

  test('names what the loader refuses by the version alone', async () => {
    const path = join(samples, 'teleop-lerobot');
    await chosen(['lerobot-0.3']);
    const ended = await run(path);
    await expectSame(ended, path);
    expect(await service.findings(ended.id)).toContainEqual(
      expect.objectContaining({ code: 'version_unsupported', severity: 'blocking' }),
    );
    expect(ended.usability?.reasons[0]).toMatchObject({ code: 'version_unsupported', effect: 'refuses_set' });
  }, 300_000);
});

/** A file of a report; what a data file hands over, as values, without links to receipts beside the report. */
function drawing(file: string, text: string): unknown {
  if (!file.startsWith('data')) return text;
  let handed: unknown[] = [];
  const receive = (slot: string, part: number, items: string[], packing?: string) => {
    handed = [slot, part, packing === undefined ? items : inflated(items[0])];
  };
  new Function('assay', text)({ receive });
  return JSON.parse(JSON.stringify(handed), (key, value) =>
    typeof value === 'string' && /^[[{]/.test(value) ? drawn(value) : alike(key, value),
  );
}

const inflated = (base64: string): string[] =>
  inflateRawSync(Buffer.from(base64, 'base64')).toString().split('\n');

const drawn = (json: string): unknown => JSON.parse(json, alike);

/** Receipts lie elsewhere; what layers say a run draws too, and assess only where annotate wrote it. */
function alike(key: string, value: unknown): unknown {
  if (key === 'receipt_path') return null;
  return key === 'annotation_parts' ? undefined : value;
}

const hasUnopened = (findings: readonly { readonly code: string }[]): boolean =>
  findings.some(({ code }) => code === 'dataset_unreadable');
