import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { assess } from '#engine/local';
import { exportDataset } from '#engine/local/export';
import { applyPlan, planFixes } from '#formats/fix';
import { generateNumericSet } from '../../bench/lerobot/generate-set.ts';
import { temporaryFolder } from '../support/lerobot-set.ts';
import { lerobotPython, onLeRobot } from '../support/peers.ts';
import { takesTurn } from '../support/turn.ts';
import { askScript } from './python-worker.ts';

type Version = 'v2.1' | 'v3.0';

/** A change to the text of a file, with whether Python's `json` still reads the file. */
interface Oddity {
  readonly name: string;
  readonly spoil: (text: string) => string | Uint8Array;
  readonly file: 'reads' | 'refuses';
  /** The same of a line in a file of lines, by the package `jsonlines`. */
  readonly line: 'reads' | 'refuses';
  /** No fix brings back what the text said, or makes it readable. */
  readonly lost?: true;
}

/** Puts a member into the first object of a text. */
const withMember = (member: string) => (text: string) => text.replace('{', `{${member}, `);
const nested = (depth: number) => withMember(`"deep": ${'['.repeat(depth)}${']'.repeat(depth)}`);
const latin1 = (text: string) => Buffer.from(withMember('"note": "\u00e9"')(text), 'latin1');
const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
const digits = (count: number) => withMember(`"big": ${'9'.repeat(count)}`);

const oddities: readonly Oddity[] = [
  { name: 'nothing', spoil: (text) => text, file: 'reads', line: 'reads' },
  { name: 'a byte order mark', spoil: (text) => `\ufeff${text}`, file: 'refuses', line: 'reads' },
  {
    name: 'NaN and Infinity',
    spoil: withMember('"a": NaN, "b": -Infinity'),
    ...{ file: 'reads', line: 'reads' },
  },
  { name: 'a key twice', spoil: withMember('"fps": 7, "task_index": 9'), file: 'reads', line: 'reads' },
  { name: 'UTF-16', spoil: utf16, file: 'refuses', line: 'refuses' },
  { name: 'Latin-1', spoil: latin1, file: 'refuses', line: 'refuses' },
  {
    name: 'a comma before a bracket',
    spoil: (text) => text.replace(/\}(\s*)$/, ',}$1'),
    ...{ file: 'refuses', line: 'refuses' },
  },
  {
    name: 'text after the end of the document',
    spoil: (text) => `${text.trimEnd()} end\n`,
    ...{ file: 'refuses', line: 'refuses' },
  },
  { name: 'zero bytes after the end', spoil: (text) => `${text}\0\0`, file: 'refuses', line: 'refuses' },
  { name: 'a blank line at the end', spoil: (text) => `${text}\n\n`, file: 'reads', line: 'refuses' },
  {
    name: 'lines that end with CR',
    spoil: (text) => text.replaceAll('\n', '\r'),
    file: 'reads',
    line: 'reads',
  },
  // NumPy takes 64 dimensions of what is in meta/stats.json.
  { name: '60 lists in each other', spoil: nested(60), file: 'reads', line: 'reads' },
  { name: '2,000 lists in each other', spoil: nested(2000), file: 'refuses', line: 'refuses', lost: true },
  { name: 'an integer of 4,300 digits', spoil: digits(4300), file: 'reads', line: 'reads' },
  { name: 'an integer of 4,301 digits', spoil: digits(4301), file: 'refuses', line: 'refuses' },
  {
    name: 'a text that is cut',
    spoil: (text) => text.slice(0, -9),
    file: 'refuses',
    line: 'refuses',
    lost: true,
  },
];

const files: Readonly<Record<Version, readonly string[]>> = {
  'v2.1': ['meta/info.json', 'meta/episodes.jsonl', 'meta/tasks.jsonl', 'meta/episodes_stats.jsonl'],
  'v3.0': ['meta/info.json', 'meta/stats.json'],
};

/** CI tries one of this many pairs of file and oddity; which ones depends on the commit. */
const shares = 3;

interface Case {
  readonly oddity: Oddity;
  readonly path: string;
  readonly folder: string;
}

const refuses = ({ oddity, path }: Case): boolean =>
  oddity[path.endsWith('l') ? 'line' : 'file'] === 'refuses';

describe.each<Version>(['v2.1', 'v3.0'])('JSON of a LeRobot %s set', (version) => {
  const cases: Case[] = [];
  let sets = '';
  beforeAll(async () => {
    const v3 = join(await temporaryFolder(), 'v3');
    await generateNumericSet(v3, 3, 60);
    let sound = v3;
    if (version === 'v2.1') {
      sound = join(await temporaryFolder(), 'v21');
      await exportDataset(v3, sound, { format: 'lerobot-v2.1' });
    }
    sets = await temporaryFolder();
    for (const [row, path] of files[version].entries())
      for (const [column, oddity] of oddities.entries()) {
        if (!takesTurn(row + column, shares)) continue;
        const folder = join(sets, `set-${String(cases.length).padStart(3, '0')}`);
        cpSync(sound, folder, { recursive: true });
        writeFileSync(join(folder, path), oddity.spoil(readFileSync(join(folder, path), 'utf8')));
        cases.push({ oddity, path, folder });
      }
  });

  const told = (one: Case) => `${one.path} with ${one.oddity.name}`;

  it.skipIf(!lerobotPython)(onLeRobot('is read or refused by LeRobot as is written here'), async () => {
    const folders = cases.map(({ folder }) => folder);
    const library = version === 'v2.1' ? 'lerobot-v21' : 'lerobot';
    const errors: (string | null)[] = await askScript(library, 'json_loads.py', version, ...folders);
    const wrong = cases.flatMap((one, at) =>
      (errors[at] !== null) === refuses(one) ? [] : [`${told(one)}: ${errors[at]}`],
    );
    expect(wrong).toEqual([]);
  });

  it('is said by assess to load where LeRobot loads it', async () => {
    const wrong: string[] = [];
    for (const one of cases) {
      const said = await loadsOf(one.folder);
      if (said !== (refuses(one) ? 'no' : 'yes')) wrong.push(`${told(one)}: ${said}`);
    }
    expect(wrong).toEqual([]);
  });

  it('is exported where LeRobot loads it, and not where it refuses meta/info.json', async () => {
    const wrong: string[] = [];
    for (const one of cases.filter((one) => !refuses(one) || one.path === 'meta/info.json')) {
      const out = join(await temporaryFolder(), 'out');
      const format = version === 'v2.1' ? 'lerobot-v2.1' : 'lerobot-v3';
      const failure = await exportDataset(one.folder, out, { format }).then(
        () => null,
        ({ message }: Error) => message,
      );
      if ((failure !== null) !== refuses(one)) wrong.push(`${told(one)}: ${failure ?? 'exported'}`);
    }
    expect(wrong).toEqual([]);
  });

  it('is mended by fix so that it loads, where the text can be read', async () => {
    const wrong: string[] = [];
    const mended: Case[] = [];
    for (const one of cases.filter((one) => refuses(one) && one.oddity.lost === undefined)) {
      await applyPlan(
        await planFixes({ root: one.folder, file: null }, { stamps: false, video: false }),
        '2026-01-01T00:00:00Z',
      );
      mended.push(one);
      const said = await loadsOf(one.folder);
      if (said !== 'yes') wrong.push(`${told(one)}: ${said}`);
    }
    expect(wrong).toEqual([]);
    if (lerobotPython === undefined) return;
    const library = version === 'v2.1' ? 'lerobot-v21' : 'lerobot';
    const folders = mended.map(({ folder }) => folder);
    const errors: (string | null)[] = await askScript(library, 'json_loads.py', version, ...folders);
    expect(mended.flatMap((one, at) => (errors[at] === null ? [] : [`${told(one)}: ${errors[at]}`]))).toEqual(
      [],
    );
  });
});

/** Returns the answer of assess whether LeRobot loads a dataset; `no` if assess itself cannot open it. */
async function loadsOf(folder: string): Promise<string> {
  try {
    const result = await assess(folder);
    const [{ loads }] = result.datasets;
    await result.close();
    return loads?.loads ?? 'not said';
  } catch {
    return 'no';
  }
}
