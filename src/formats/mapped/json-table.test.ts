import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Episode } from '#core/episode';
import { tinyPng } from '#test/support/case-files';
import { readEverything } from '#test/support/read-dataset';
import { proposeMapping } from '../discovery/map-folder.ts';
import { JsonScanner } from '../shared/text/json-scanner.ts';
import { parseMapping } from './mapping.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-mapped-json-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, content: string | Uint8Array | object): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  const isPlain = typeof content === 'string' || content instanceof Uint8Array;
  writeFileSync(join(folder, path), isPlain ? content : JSON.stringify(content));
}

const state = 'streams: [{ id: state, role: state, columns: [q] }]\n';

async function readAll(
  settings: string,
): Promise<Awaited<ReturnType<typeof readEverything>>['sets'][number]> {
  write('assay.map.yaml', `assay_map: 1\n${settings}`);
  return (await readEverything(folder)).sets[0];
}

async function read(content: string | object, settings: string, name = 'run.json'): Promise<Episode> {
  write(name, content);
  const { episodes, unreadable } = await readAll(`episodes: { file: ${name} }\n${settings}`);
  expect(unreadable).toEqual([]);
  return episodes[0];
}

const valuesOf = ({ streams }: Episode) => [...(streams[0].series?.values ?? [])];
const codes = ({ findings }: Episode) => findings.map(({ code }) => code);
const records = (count: number) => Array.from({ length: count }, (_, i) => ({ q: [i, i / 2] }));

describe('a JSON document with a mapping', () => {
  it('has the records of its list as rows, and values of the document as rate, task and outcome', async () => {
    const document = {
      meta: { rate: { hz: 20 }, 'task.text': 'fold the towel', done: false },
      steps: [
        { robot: { q: [1, [2, 3]], grip: true }, at: 100 },
        { robot: { q: [4, [5, 6]], grip: false }, at: 150 },
        { robot: { q: [7, 8], grip: null }, at: null },
      ],
    };
    const settings = `rows: steps
rate_hz: { path: meta.rate.hz }
clocks: [{ column: at, unit: ms }]
streams: [{ id: state, role: state, columns: [robot.q, robot.grip] }]
task: { path: meta.task.text }
outcome: { path: meta.done, success: true, failure: false }
`;
    const episode = await read(document, settings);
    expect(valuesOf(episode)).toEqual([1, 2, 3, 1, 4, 5, 6, 0, 7, 8, Number.NaN, Number.NaN]);
    expect(episode.streams[0]).toMatchObject({
      names: ['robot.q[0]', 'robot.q[1]', 'robot.q[2]', 'robot.grip'],
      declared_rate_hz: 20,
    });
    expect([...episode.streams[0].clocks[0].time_s]).toEqual([0, 0.05, Number.NaN]);
    expect(episode.tasks).toEqual([{ text: 'fold the towel', source: 'meta.task.text' }]);
    expect(episode.outcome).toMatchObject({ value: 'failure', evidence: 'declared' });
  });

  it.each([
    ['a list', JSON.stringify(records(3))],
    ['a list with a byte order mark and line breaks', `\ufeff${JSON.stringify(records(3), null, 2)}\r\n`],
    [
      'JSON Lines',
      records(3)
        .map((record) => JSON.stringify(record))
        .join('\n'),
    ],
    [
      'JSON Lines with blank lines',
      records(3)
        .map((record) => `${JSON.stringify(record)}\r\n\r\n`)
        .join(''),
    ],
  ])('may be %s', async (_, text) => {
    expect(valuesOf(await read(text, state))).toEqual([0, 0, 1, 0.5, 2, 1]);
  });

  it('is divided by a member of its records', async () => {
    const rows = ['a', 'a', 'b'].map((ep, q) => JSON.stringify({ ep, q }));
    write('all.jsonl', rows.join('\n'));
    const { episodes } = await readAll(`episodes: { file: all.jsonl, column: ep }\n${state}`);
    expect(episodes.map(({ id, streams }) => [id, streams[0].sample_count])).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
  });

  it('that was cut off keeps the whole records, and the values before them', async () => {
    const text = JSON.stringify({ info: { fps: 10 }, data: records(20) });
    const settings = `rows: data\nrate_hz: { path: info.fps }\n${state}`;
    const episode = await read(text.slice(0, text.indexOf('{"q":[9,')), settings);
    expect(episode.streams[0]).toMatchObject({ sample_count: 9, declared_rate_hz: 10 });
    expect(episode.findings).toMatchObject([{ code: 'file_truncated', severity: 'error' }]);
  });

  it('reports records that are no JSON, and reads the others', async () => {
    const episode = await read('[{"q":[1,2]},{"q":[1,x]},{"q":[3,NaN]}]', state);
    expect(valuesOf(episode)).toEqual([1, 2, 3, Number.NaN]);
    expect(codes(episode)).toEqual(['records_unreadable']);
  });

  it.each([
    ['no such list', { steps: records(3) }, 'rows: data\n', 'steps'],
    ['no list named', { steps: records(3) }, '', 'steps'],
    [
      'text in UTF-16',
      Buffer.from(`\ufeff${JSON.stringify(records(3))}`, 'utf16le'),
      'rows: data\n',
      'UTF-8',
    ],
    ['deep nesting', '{"a":'.repeat(5000), 'rows: data\n', 'nested'],
  ])('is refused with %s, and the way forward is named', async (_, content, rows, advice) => {
    write('run.json', content);
    const { unreadable } = await readAll(`episodes: { file: run.json }\n${rows}${state}`);
    expect(unreadable).toMatchObject([{ finding: { code: 'table_unreadable' } }]);
    expect(unreadable[0].finding.advice).toContain(advice);
  });

  it('has cameras of the picture files that records name, and says which are missing', async () => {
    const document = ['a/1.png', null, 'a\\2.png', '../3.png', '../../out.png'].map((picture, q) => ({
      q,
      picture,
    }));
    for (const path of ['e/a/1.png', 'e/a/2.png', '3.png']) write(path, tinyPng);
    write('e/run.json', document);
    const { episodes } = await readAll(
      `episodes: { files: "e/{episode}.json" }\nrate_hz: 10\n${state}videos: [{ id: c, column: picture }]\n`,
    );
    const camera = episodes[0].streams[1];
    expect(camera.frames?.locator).toEqual({
      type: 'image-files',
      paths: ['e/a/1.png', 'e/a/2.png', '3.png'],
    });
    expect([...camera.clocks[0].time_s]).toEqual([0, 0.2, 0.3]);
    expect(episodes[0].findings).toMatchObject([
      { code: 'pictures_missing', evidence: { pictures: 1, first: '../../out.png' } },
    ]);
    expect(episodes[0].sources.filter(({ role }) => role === 'image')).toHaveLength(3);
  });

  it('leaves out optional streams and cameras that are empty, and reports others', async () => {
    const settings = (optional: boolean) => `streams:
  - { id: state, role: state, columns: [q] }
  - { id: torque, role: effort, columns: [torque], optional: ${optional} }
  - { id: wheel, role: other, columns: [wheel], optional: ${optional} }
videos: [{ id: c, column: c, optional: ${optional} }]
`;
    const rows = [{ q: 1, torque: [] }];
    const quiet = await read(rows, settings(true));
    expect([quiet.streams.map(({ id }) => id), codes(quiet)]).toEqual([['state'], []]);
    const episode = await read(rows, settings(false));
    expect(codes(episode).sort()).toEqual(['column_missing', 'column_missing', 'stream_empty']);
  });
});

describe('the records of a JSON document', () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  const document = fc.record({ before: json, list: fc.array(fc.dictionary(fc.string(), json)), after: json });

  it('are found wherever blocks end, and what is left is the document without them', async () => {
    await fc.assert(
      fc.asyncProperty(document, fc.boolean(), fc.array(fc.nat(50)), async (value, isPretty, cuts) => {
        const bytes = Buffer.from(JSON.stringify({ top: value }, null, isPretty ? 1 : undefined));
        const scanner = new JsonScanner('x.json', { of: 'elements', path: 'top.list' });
        const found: unknown[] = [];
        for (let from = 0, at = 0; from < bytes.length; at++) {
          const to = from + Math.max(1, cuts[at] ?? bytes.length);
          for (const record of scanner.feed(Buffer.from(bytes.subarray(from, to))))
            found.push(JSON.parse(record.bytes.toString()));
          from = to;
        }
        expect(found).toEqual(JSON.parse(JSON.stringify(value.list)));
        expect(scanner.shape).toBe('whole');
        const outside = JSON.parse(scanner.outside ?? '');
        expect(outside).toEqual(JSON.parse(JSON.stringify({ top: { ...value, list: [] } })));
      }),
    );
  });

  it('are counted in every list that has some', () => {
    const scanner = new JsonScanner('x.json', { of: 'elements', path: '\0' });
    const document = { a: [{ inner: [{}, {}] }], b: { c: [{}, {}, 1, []] }, d: [1, 2] };
    scanner.feed(Buffer.from(JSON.stringify(document)));
    expect([...scanner.lists]).toEqual([
      ['a', 1],
      ['b.c', 2],
    ]);
  });
});

describe('a mapping proposed for JSON', () => {
  it('names the list, rate, task, cameras and roles, and is read as it stands', async () => {
    for (const episode of ['run_1', 'run_2']) {
      const steps = Array.from({ length: 70 }, (_, i) => ({
        index: i,
        follower: { pos: [Math.sin(i / 9), Math.cos(i / 9)] },
        leader: { pos: [Math.sin((i + 2) / 9), Math.cos((i + 2) / 9)] },
        view: `pictures/${i}.png`,
        note: 'x',
      }));
      write(`${episode}/log.json`, { recorder: { fps: 15, instruction: 'wipe the table' }, steps });
      for (const { view } of steps) write(`${episode}/${view}`, tinyPng);
      write(`${episode}/about.json`, { who: [{ name: 'a' }, { name: 'b' }] });
    }
    const { text, name } = await proposeMapping(folder);
    const mapping = parseMapping(text, name);
    expect(mapping).toMatchObject({
      episodes: { files: '{episode}/log.json' },
      rows: 'steps',
      rate_hz: { path: 'recorder.fps' },
      task: { path: 'recorder.instruction' },
      videos: [{ id: 'view', column: 'view' }],
    });
    expect(mapping.streams.map(({ id, role }) => [id, role])).toEqual([
      ['follower.pos', 'state'],
      ['leader.pos', 'action'],
    ]);
    write(name, text);
    const { sets } = await readEverything(folder);
    expect(sets.map(({ format }) => format)).toEqual(['mapped']);
    expect(sets[0].episodes.map(({ id, findings }) => [id, findings])).toEqual([
      ['run_1', []],
      ['run_2', []],
    ]);
  });
});
