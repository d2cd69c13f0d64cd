import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeTeleopLeRobot, writeTeleopMcap } from '#apps/samples';
import { sha256 } from '#core';
import { timesOf } from '#core/episode';
import { assess } from '#engine/local';
import { annotateInto } from '#engine/local/annotate';
import { type ExportOptions, exportDataset, verifyExport } from '#engine/local/export';
import { laidEpisodes } from '#test/support/export-truth';
import { temporaryFolder } from '#test/support/lerobot-set';
import { lerobotPython, onLeRobot, peersPython } from '#test/support/peers';
import { validatorReports } from './lerobot-validators.ts';
import { askScript, runScript } from './python-worker.ts';

const layers = ['segments', 'captions', 'dense_text'] as const;

interface Span {
  readonly from_s: number;
  readonly to_s: number;
  /** Kind of a segment. */
  readonly kind: string;
  /** Text of a caption. */
  readonly text: string;
}

interface Row {
  readonly episode: number;
  readonly time_s: number;
  readonly persistent: readonly { readonly timestamp: number }[];
  readonly events: readonly unknown[];
  readonly subtask: string | null;
  readonly plan: string | null;
  readonly phrasings: readonly string[];
}

interface Source {
  readonly recordings: string;
  readonly annotations: string;
}

async function annotated(write: typeof writeTeleopMcap): Promise<Source> {
  const folder = await temporaryFolder();
  const [recordings, annotations] = [join(folder, 'recordings'), join(folder, 'annotations')];
  await write(recordings, 5, () => {}, { episodes: 3, plan: {} });
  const models = { data_folder: join(folder, 'data'), environment_models: {} };
  const asked = { layers: layers.map((layer) => ({ layer, config: {} })), models };
  await annotateInto(annotations, recordings, asked, { signal: new AbortController().signal });
  return { recordings, annotations };
}

async function exported({ recordings, annotations }: Source, options: ExportOptions) {
  const out = join(await temporaryFolder(), 'export');
  const { lineage } = await exportDataset(recordings, out, { annotations, ...options });
  expect((await verifyExport(out)).problems).toEqual([]);
  return { out, lineage: lineage! };
}

interface Seen {
  readonly declared: unknown;
  /** Features that have some. */
  readonly statistics: readonly string[];
  readonly rows: readonly Row[];
}

const seenIn = (...folders: readonly string[]): Promise<readonly Seen[]> =>
  askScript('lerobot-v06', 'language_rows.py', ...folders);

const bytesOf = ({ annotations }: Source, id: string, layer: string) =>
  readFileSync(join(annotations, `episodes/${id}/${layer}.json`));
const artifact = (source: Source, id: string, layer: string) =>
  JSON.parse(bytesOf(source, id, layer).toString());

/** Artifacts round to microseconds. */
const at = (spans: readonly Span[], time_s: number) =>
  spans.findLast(({ from_s }) => from_s - 1e-6 <= time_s);

/** Each row says what was annotated of its time; `times`: of each row, since the start of the recording. */
function expectSaid(source: Source, id: string, rows: readonly Row[], times: readonly number[]): void {
  const segments: Span[] = artifact(source, id, 'segments').segments;
  const captions: Span[] = artifact(source, id, 'captions').windows;
  expect(rows.map(({ subtask }) => subtask)).toEqual(times.map((time) => at(segments, time)?.kind));
  expect(rows.map(({ plan }) => plan)).toEqual(times.map((time) => at(captions, time)?.text));
  const stamps = new Set(rows.map(({ time_s }) => time_s));
  for (const { persistent, phrasings, events } of rows) {
    expect(persistent).toEqual(rows[0].persistent);
    expect(phrasings.at(-1)).toBe(artifact(source, id, 'dense_text').text);
    expect(events).toEqual([]);
    expect(persistent.every(({ timestamp }) => stamps.has(timestamp))).toBe(true);
  }
}

describe.skipIf(!lerobotPython)(onLeRobot('what layers say, in LeRobot'), { timeout: 240_000 }, () => {
  let mcap: Source;
  let lerobot: Source;
  beforeAll(async () => {
    mcap = await annotated(writeTeleopMcap);
    lerobot = await annotated(writeTeleopLeRobot);
  }, 240_000);

  it('holds from the first row of each segment and caption on, where rows are laid', async () => {
    const { lineage, out } = await exported(mcap, { only: ['0', '2'] });
    const [{ rows, declared }] = await seenIn(out);
    const feature = { dtype: 'language', shape: [1], names: null };
    expect(declared).toEqual({ language_persistent: feature, language_events: feature });
    expect(lineage.edits).toContainEqual({ edit: 'add_annotations', layers: [...layers], episodes: 2 });
    const reference = String(lineage.edits.find(({ edit }) => edit === 'align')?.reference);
    let place = 0;
    for await (const { episode, places } of laidEpisodes(mcap.recordings, [0, 2], reference)) {
      const stream = episode.streams.find(({ id }) => id === reference)!;
      const times = places(stream).map((sample) => timesOf(stream)![sample]);
      const own = rows.filter((row) => row.episode === place);
      expectSaid(mcap, episode.id, own, times);
      expect(new Set(own.map(({ subtask }) => subtask)).size).toBeGreaterThan(1);
      const hashes = layers.map((layer) => [layer, sha256(bytesOf(mcap, episode.id, layer))]);
      expect(lineage.kept[place++].annotations).toEqual(Object.fromEntries(hashes));
    }
    // The release before language columns says the same as the contract that stands on it.
    await expect(runScript('lerobot', 'lerobot_library.py', 'read', out, '1')).rejects.toThrow();
    const result = await assess(out);
    await result.close();
    expect(result.datasets.map(({ loads }) => loads?.loads)).toEqual(['no']);
    expect(result.verdicts.map(({ decision }) => decision)).toEqual(
      lineage.kept.map(({ decision }) => decision),
    );
  });

  it('goes along with rows that are copied, whole and cut, and changes nothing else', async () => {
    const trim = { trim: ['0.5..4.2'] };
    const whole = await exported(lerobot, {});
    const cut = await exported(lerobot, { edits: trim });
    const copy = join(await temporaryFolder(), 'copy');
    await exportDataset(whole.out, copy, { edits: trim });
    const [all, part, again] = await seenIn(whole.out, cut.out, copy);
    for (const { id, index } of whole.lineage.kept) {
      const own = all.rows.filter(({ episode }) => episode === index);
      const times = own.map(({ time_s }) => time_s);
      expectSaid(lerobot, id, own, times);
    }
    for (const { id, index, rows } of cut.lineage.kept) {
      const own = part.rows.filter(({ episode }) => episode === index);
      const times = own.map((_, row) => (row + rows!.from) / 30);
      expectSaid(lerobot, id, own, times);
    }
    // A part of a set that has the columns says what held there.
    const said = ({ subtask, plan, phrasings }: Row) => [subtask, plan, phrasings];
    expect(again.rows.map(said)).toEqual(part.rows.map(said));
    expect(all.statistics.filter((feature) => feature.startsWith('language'))).toEqual([]);
    const plain = join(await temporaryFolder(), 'plain');
    const { lineage } = await exportDataset(lerobot.recordings, plain, {});
    const others = ({ files }: { files: readonly { path: string; sha256: string }[] }) =>
      files.filter(({ path }) => !/^(data|annotations)\//.test(path) && path !== 'meta/info.json');
    expect(others(whole.lineage)).toEqual(others(lineage!));
  });

  it.skipIf(!peersPython)(
    'has nothing that doctors of sets mind but columns that they do not know',
    async () => {
      const { out } = await exported(mcap, {});
      const plain = join(await temporaryFolder(), 'plain');
      await exportDataset(mcap.recordings, plain, {});
      const minded = (await validatorReports('robovet', [out]))
        .get(out)!
        .filter(({ severity }) => severity !== 'PASS');
      const text = "Vector width differs from info.json 'shape' for: language_persistent, language_events";
      expect(minded).toMatchObject([{ text: expect.stringContaining(text) }]);
      const reports = await validatorReports('lerobot-doctor', [out, plain]);
      const [own, before] = [out, plain].map((folder) =>
        reports.get(folder)!.flatMap(({ severity, text }) => (severity === 'PASS' ? [] : [text])),
      );
      const more = own.filter((message) => !before.includes(message));
      expect(more.filter((message) => !message.includes('language_'))).toEqual([]);
    },
  );
});
