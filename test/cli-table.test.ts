import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { partlyUsable } from '#test/support/set-verdicts';
import { renderTable, type TableOptions } from '../src/apps/cli/tables/table.ts';
import { bytesInWords, count, secondsInWords } from '../src/apps/cli/text.ts';
import type { AssessmentResult, DatasetSummary, EpisodeVerdict } from '../src/engine/local/index.ts';

const facts = {
  format: 'lerobot',
  version: 'v3.0',
  declared_episodes: 40,
  declared_frames: null,
  declared_rate_hz: 30,
  robot: null,
  declared_cameras: [],
};

function dataset(verdicts: readonly EpisodeVerdict[]): DatasetSummary {
  const of = (decision: string) => verdicts.filter((verdict) => verdict.decision === decision).length;
  return {
    path: '.',
    facts,
    evidence: ['meta/info.json says codebase_version v3.0'],
    kind: 'teleop',
    kinds: { teleop: verdicts.length },
    episodes: verdicts.length,
    unreadable: 1,
    decisions: { accept: of('accept'), review: of('review'), reject: of('reject') },
    loads: {
      reader: 'LeRobot v3.0',
      loads: 'no',
      why: [{ rule: 'timestamps_gap', does: 'serves_wrong_rows', episodes: 2, fix: true }],
      loaders: ['lerobot-0.4'],
      choice: 'default',
      marker: null,
      others: [],
    },
    usability: partlyUsable(verdicts.length - of('reject'), 'camera_frozen', of('reject')),
    streams: {},
    bridged: [],
    findings: [
      { code: 'note', severity: 'info', path: null, message: 'last', advice: 'nothing to do' },
      {
        code: 'bad',
        severity: 'error',
        path: 'data/x.parquet',
        message: 'the footer is cut',
        advice: 'copy it again',
      },
    ],
  };
}

const frozen = {
  code: 'camera_frozen',
  check: 'camera_coverage',
  severity: 'blocking',
  message: 'top stands still for 2 s',
} as const;

function verdict(index: number, decision: EpisodeVerdict['decision'], score: number | null): EpisodeVerdict {
  return {
    dataset: 0,
    index,
    id: `episode_${String(index).padStart(6, '0')}`,
    kind: 'teleop',
    decision,
    score,
    graded_fraction: 0.84,
    duration_s: 10,
    flags: decision === 'reject' ? [frozen] : [],
    findings: [],
    reason: decision === 'review' ? 'only 0.3 could be graded' : null,
    receipt: null,
  };
}

function result(verdicts: readonly EpisodeVerdict[]): AssessmentResult {
  const only = dataset(verdicts);
  return {
    datasets: [only],
    findings: [],
    verdicts,
    decisions: only.decisions,
    settings: { name: 'default', hash: 'a1b2c3d4e5f6' },
    unreadable: 1,
    usability: only.usability,
    incomplete: [],
    embedded: [],
    receipts: () => [],
    rendered: () => [],
    pictures: 0,
    summary: () => ({
      format: '',
      episodes: 0,
      unreadable: 0,
      settings: { name: 'default', hash: 'a1b2c3d4e5f6' },
      decisions: only.decisions,
      usability: only.usability,
      findings: [],
      incomplete: [],
      parts: [],
    }),
    close: async () => {},
  };
}

const flags = new Map([
  [
    'camera_frozen',
    { code: 'camera_frozen', severity: 'blocking', meaning: 'stands still', advice: 'Check the cable.' },
  ],
] as const);
const plain: TableOptions = { path: 'set', columns: 100, colours: false, rows: 20, all: false, flags };

const fine = Array.from({ length: 37 }, (_, i) => verdict(i, 'accept', 1));
const mixed = [...fine, verdict(37, 'review', null), verdict(38, 'reject', 0.4), verdict(39, 'reject', 0.2)];

describe('renderTable', () => {
  it('lists the worst first, says why, and leaves out most of what is fine', () => {
    const lines = renderTable(result(mixed), plain).split('\n');
    const listed = lines.filter((line) => /^ {2}(accept|review|reject) /.test(line));
    expect(
      listed.map((line) =>
        line
          .trim()
          .split(/\s{2,}/)
          .slice(0, 4),
      ),
    ).toEqual([
      ['reject', '0.20', '84 %', 'episode_000039'],
      ['reject', '0.40', '84 %', 'episode_000038'],
      ['review', '–', '84 %', 'episode_000037'],
    ]);
    expect(listed[0]).toContain('✗ Frozen camera: top stands still for 2 s');
    expect(listed[2]).toContain('only 0.3 could be graded');
    expect(lines).toContain('  and 37 more episodes, accepted without flags (--all lists them)');
  });

  it('gives each flag’s advice once, and findings with errors first', () => {
    const text = renderTable(result(mixed), plain);
    expect(text.match(/Check the cable\./g)).toHaveLength(1);
    expect(text).toContain('Frozen camera: 2 episodes (38-39), blocking');
    expect(text.indexOf('data/x.parquet: the footer is cut')).toBeLessThan(text.indexOf('last'));
    expect(text).toContain('40 episodes: 37 accept, 1 review, 2 reject, 1 unreadable');
  });

  it('tells once what many episodes share, with their numbers and one action', () => {
    const missing = (index: number): EpisodeVerdict => ({
      ...verdict(index, 'reject', 0.5 + index / 1000),
      flags: [{ ...frozen, message: index < 20 ? `top is missing: videos/${index}.mp4 is not there` : null }],
      findings: [
        {
          code: 'video_missing',
          severity: 'blocking',
          message: index < 20 ? `episode ${index} has no video: videos/${index}.mp4 is not there` : null,
          advice: 'Copy it.',
        },
      ],
    });
    const verdicts = [
      ...fine.slice(0, 4),
      ...Array.from({ length: 96 }, (_, i) => missing(i + 4)),
      verdict(100, 'review', 0.7),
    ];
    const text = renderTable(result(verdicts), { ...plain, columns: 140 });
    const rows = text.split('\n').filter((line) => /^ {2}(accept|review|reject) /.test(line));
    expect(rows.map((row) => row.trim().split(' ')[0])).toEqual(['reject', 'review', 'accept']);
    expect(rows[0]).toMatch(
      /reject {4}≥0\.50 +84 % {2}96 episodes \(4-99\) +✗ Frozen camera: top is missing/,
    );
    expect(text).toContain('Frozen camera: 96 episodes (4-99), blocking\n    → Check the cable.');
    expect(text.match(/is not there/g)).toHaveLength(1);
    expect(text).not.toContain('Copy it.');
    const all = { ...plain, all: true, rows: Number.POSITIVE_INFINITY };
    expect(renderTable(result(verdicts), all).match(/^ {2}reject .* episode_/gm)).toHaveLength(96);
  });

  it('tells findings alike once', () => {
    const set = result(mixed);
    const cut = (name: string) => ({
      ...set.datasets[0].findings[1],
      path: `data/${name}.parquet`,
    });
    const findings = ['a', 'b', 'c', 'd', 'e'].map(cut);
    const text = renderTable({ ...set, datasets: [{ ...set.datasets[0], findings }] }, plain);
    expect(text.match(/copy it again/g)).toHaveLength(1);
    expect(text).toContain('and 4 more like it: data/b.parquet, data/c.parquet, data/d.parquet, …');
  });

  it('keeps to the width of the terminal', () => {
    for (const columns of [60, 80, 120]) {
      const lines = renderTable(result(mixed), { ...plain, columns }).split('\n');
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(Math.max(columns, 80));
    }
  });

  it('says the same in colours', () => {
    const coloured = renderTable(result(mixed), { ...plain, colours: true });
    expect(coloured).not.toBe(stripVTControlCharacters(coloured));
    expect(stripVTControlCharacters(coloured)).toBe(renderTable(result(mixed), plain));
  });

  it('says what is damaged before the flags, two lines at most', () => {
    const found = (message: string, severity: 'error' | 'blocking') => ({
      code: 'damage',
      severity,
      message,
      advice: 'copy it again',
    });
    const findings = [
      found('a chunk is missing', 'error'),
      found('the file ends early', 'blocking'),
      found('another is', 'error'),
    ];
    const lines = renderTable(result([{ ...verdict(0, 'reject', 0.4), findings }]), plain).split('\n');
    const at = lines.findIndex((line) => line.endsWith('✗ the file ends early'));
    expect(lines[at + 1].trim()).toBe('! and 2 more in the receipt of the episode');
    expect(lines[at + 2]).toContain('✗ Frozen camera');
  });

  it('says whether the format’s own reader opens the set, and which rules keep it from that', () => {
    const lines = renderTable(result(mixed), { ...plain, columns: 160 }).split('\n');
    expect(lines).toContain(
      '  loads in LeRobot v3.0: no, it returns wrong rows for 2 episodes (Timestamps gap)',
    );
  });

  it('says why another loader was chosen, and what the others do', () => {
    const base = result(mixed);
    const [only] = base.datasets;
    const { reader, loads: answer, why } = only.loads!;
    const loads: DatasetSummary['loads'] = {
      reader: 'GR00T N1.7',
      loads: 'yes',
      why: [],
      loaders: ['gr00t'],
      choice: 'detected',
      marker: 'meta/modality.json',
      others: [{ reader, loads: answer, why, loader: 'lerobot-0.4' }],
    };
    const table = (own: DatasetSummary['loads']) =>
      renderTable({ ...base, datasets: [{ ...only, loads: own }] }, { ...plain, columns: 160 });
    expect(table(loads)).toContain(
      [
        '  loads in GR00T N1.7 (chosen for meta/modality.json): yes',
        '  loads in LeRobot v3.0: no, it returns wrong rows for 2 episodes (Timestamps gap)',
      ].join('\n'),
    );
    const requested: DatasetSummary['loads'] = { ...loads, choice: 'requested', marker: null };
    expect(table(requested)).toContain('  loads in GR00T N1.7 (chosen by --loader): yes');
  });

  it('lists all when asked', () => {
    const all = { ...plain, all: true, rows: Number.POSITIVE_INFINITY };
    expect(renderTable(result(mixed), all).match(/episode_0000\d\d/g)).toHaveLength(40);
  });
});

describe('words', () => {
  it('says amounts as a person would', () => {
    expect([count(1, 'episode'), count(12_345, 'episode')]).toEqual(['1 episode', '12,345 episodes']);
    expect([bytesInWords(999), bytesInWords(1_500_000), bytesInWords(2.5e9)]).toEqual([
      '999 B',
      '1.5 MB',
      '2.50 GB',
    ]);
    expect([secondsInWords(3.2), secondsInWords(300), secondsInWords(7200)]).toEqual([
      '4 s',
      '5 min',
      '2.0 h',
    ]);
  });
});
