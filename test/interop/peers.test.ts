import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PeerRule, peers } from '#formats/rules';
import { onPeers, peersPython } from '#test/support/peers';
import { program } from '#test/support/program';
import { askScript, runScript } from './python-worker.ts';

const robovet = (...args: string[]) => runScript('peers', 'robovet_command.py', ...args);

const scratch = join(tmpdir(), `assay-interop-peers-${process.pid}`);

/** A set of `robovet demo`, by the options that make it. */
const demos = { v2: [], v3: ['--v3'], clean: ['--clean'], 'clean-v3': ['--clean', '--v3'] } as const;
type Demo = keyof typeof demos;

/** One message of a tool about a dataset; without episodes it concerns the dataset as a whole. */
interface Said {
  readonly tool: string;
  readonly rule: string;
  readonly text: string;
  readonly episodes: readonly number[];
}

interface Ours {
  /** Severity and code of what is said of the set. */
  readonly set: readonly string[];
  /** Decision, and severity and code of flags and findings, by episode index. */
  readonly episodes: readonly { readonly decision: string; readonly said: readonly string[] }[];
}

const folderOf = (demo: Demo) => join(scratch, demo);
const ours = new Map<Demo, Ours>();

/** Warnings and failures of `robovet doctor`, and the flags of `robovet score`. */
async function robovetSays(demo: Demo): Promise<Said[]> {
  const [json, csv] = [join(scratch, `${demo}.json`), join(scratch, `${demo}.csv`)];
  await robovet('doctor', folderOf(demo), '--json', json);
  await robovet('score', folderOf(demo), '--csv', csv);
  const { results } = JSON.parse(readFileSync(json, 'utf8')) as {
    results: { check_id: string; severity: string; summary: string; episodes: number[] }[];
  };
  const found = results.flatMap(({ check_id: rule, severity, summary: text, episodes }) =>
    severity === 'WARN' || severity === 'FAIL' ? [{ tool: 'robovet', rule, text, episodes }] : [],
  );
  const [head, ...lines] = readFileSync(csv, 'utf8').trim().split('\n');
  const [index, flags] = ['episode_index', 'flags'].map((name) => head.split(',').indexOf(name));
  const scored = lines.flatMap((line) => {
    const cells = line.split(',');
    return (cells[flags] === '' ? [] : cells[flags].split('|')).map((text) => {
      return { tool: 'robovet', rule: text.replace(/\d+$/, ''), text, episodes: [Number(cells[index])] };
    });
  });
  return [...found, ...scored];
}

interface DoctorReport {
  readonly checks: readonly { name: string; messages: readonly { severity: string; message: string }[] }[];
}

/** Warnings and failures of `lerobot-doctor check`; its messages name episodes in the text, or by a file's name. */
async function doctorSays(demo: Demo): Promise<Said[]> {
  const reports: Record<string, DoctorReport> = await askScript(
    'peers',
    'doctor_sets.py',
    'lerobot-doctor',
    folderOf(demo),
  );
  const { checks } = reports[folderOf(demo)];
  return checks.flatMap(({ name, messages }) =>
    messages.flatMap(({ severity, message }) => {
      if (severity === 'PASS' || /^\d+\/\d+ episode\(s\) flagged|^Total /.test(message)) return [];
      const named = /(?:[Ee]pisode |episode_0*|\[\(\d+, |\[\()(\d+)/.exec(message);
      return [
        {
          tool: 'lerobot-doctor',
          rule: name,
          text: message,
          episodes: named === null ? [] : [Number(named[1])],
        },
      ];
    }),
  );
}

function ourVerdict(demo: Demo): Ours {
  const arguments_ = [program, 'assess', folderOf(demo), '--json'];
  const json = execFileSync(process.execPath, arguments_, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { dataset, receipts } = JSON.parse(json);
  const codes = (of: readonly { severity: string; code: string }[]) =>
    of.map(({ severity, code }) => `${severity} ${code}`);
  return {
    set: codes(dataset.findings),
    episodes: receipts.map((receipt: { decision: string; flags: []; findings: [] }) => ({
      decision: receipt.decision,
      said: codes([...receipt.flags, ...receipt.findings]),
    })),
  };
}

const codeOf = (said: string): string => said.split(' ')[1];

/** Returns the messages of tools for which Assay reports nothing on the same episode or on the dataset. */
function unsaid(said: readonly Said[], { set, episodes }: Ours): string[] {
  return said.flatMap(({ tool, rule, text, episodes: concerned }) => {
    const rows = peers.find((peer) => peer.tool === tool)!.rules;
    const row = rows.find((one: PeerRule) => one.rule === rule && (one.message?.test(text) ?? true));
    if (row === undefined) return [`${tool} ${rule}: no row for ${text}`];
    if (row.not_a_fault !== undefined) return [];
    const names = (codes: readonly string[]) => codes.some((code) => row.ours.includes(codeOf(code)));
    const anywhere = [...set, ...episodes.flatMap((episode) => episode.said)];
    const lacking = concerned.filter((index) => !names([...set, ...episodes[index].said]));
    if (concerned.length === 0 ? names(anywhere) : lacking.length === 0) return [];
    return [`${tool} ${rule} (${lacking.join(', ')}): ${text}; wanted one of ${row.ours.join(', ')}`];
  });
}

describe.skipIf(!peersPython)(onPeers('robovet demo'), () => {
  beforeAll(async () => {
    mkdirSync(scratch);
    for (const [demo, options] of Object.entries(demos) as [Demo, readonly string[]][]) {
      await robovet('demo', folderOf(demo), ...options);
      ours.set(demo, ourVerdict(demo));
    }
  }, 600_000);
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  // Expected results as described at the top of the generator, robovet/fixtures.py.
  it.each<[Demo, number | null, string, readonly string[]]>([
    ['v2', 0, 'stamps from 0.5 s on', ['timestamps_start_late']],
    ['v2', 1, 'a video five frames short', ['camera_frames_missing', 'camera_truncated']],
    ['v2', 2, 'stamps that jitter by 4 ms', ['timestamps_off_grid']],
    [
      'v2',
      3,
      'an arm that stands still for 60 %',
      ['action_frozen', 'state_frozen', 'signal_still', 'episode_idle'],
    ],
    ['v2', 4, 'jerks', ['signal_chatter']],
    ['v2', 4, 'a gripper that chatters', ['gripper_chatter', 'signal_chatter']],
    ['v2', 5, 'statistics of other rows', ['episode_stats_stale']],
    ['v2', 6, 'a length twelve rows too high', ['length_mismatch']],
    ['v2', 7, 'actions of episode 1', ['duplicate_episode']],
    ['v2', null, 'MPEG-4 videos', ['video_codec_unshown']],
    ['v2', null, 'total_frames 37 too low', ['total_frames_wrong', 'metadata_count_mismatch']],
    ['v3', 1, 'statistics of other rows', ['episode_stats_stale']],
    ['v3', 1, 'a window that begins 4 ms late', ['camera_rows_refused', 'video_span_mismatch']],
    ['v3', 3, 'a video four frames short', ['camera_frames_missing', 'camera_truncated']],
    ['v3', null, 'q01 and q99 exchanged', ['stats_quantiles_wrong']],
  ])('%s, episode %s: %s', (demo, index, _, wanted) => {
    const { set, episodes } = ours.get(demo)!;
    const said =
      index === null ? [...set, ...episodes.flatMap((episode) => episode.said)] : episodes[index].said;
    expect(said.map(codeOf).filter((code) => wanted.includes(code))).not.toEqual([]);
  });

  it.each<[Demo]>([['clean'], ['clean-v3']])(
    '%s: every episode is accepted, with nothing but info',
    (demo) => {
      const { set, episodes } = ours.get(demo)!;
      const serious = (codes: readonly string[]) => codes.filter((code) => !code.startsWith('info '));
      expect(episodes.map(({ decision, said }) => [decision, ...serious(said)])).toEqual(
        episodes.map(() => ['accept']),
      );
      // The v3 generator writes tasks.parquet without the pandas index: the real loader then serves numbers as task texts.
      const known = demo === 'clean-v3' ? ['tasks_without_index'] : [];
      expect(serious(set).map(codeOf)).toEqual(known);
    },
  );

  it.each<[Demo]>([['v2'], ['v3']])('%s: what robovet fails or warns of is said', async (demo) => {
    const said = await robovetSays(demo);
    expect(said.length).toBeGreaterThan(3);
    expect(unsaid(said, ours.get(demo)!)).toEqual([]);
  });

  it.each<[Demo]>([['v2'], ['v3']])('%s: what lerobot-doctor fails or warns of is said', async (demo) => {
    const said = await doctorSays(demo);
    expect(said.length).toBeGreaterThan(3);
    expect(unsaid(said, ours.get(demo)!)).toEqual([]);
  });
});
