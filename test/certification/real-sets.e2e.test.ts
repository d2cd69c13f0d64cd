import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { canonicalJson, sha256 } from '#core';
import { type CertificationReport, certificationReportSchema, type TargetProfileId } from '#core/api';
import { certifyInto } from '#engine/local/certify';
import { defaultPolicy } from '#quality/certification';
import { isNightly } from '#test/support/tiers';

const shared = new URL('../../../shared/data/', import.meta.url).pathname;
const scratch = mkdtempSync(join(tmpdir(), 'certified-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function certified(set: string, target: TargetProfileId): Promise<CertificationReport> {
  const out = join(scratch, `${set}-${target}`.replaceAll('/', '-'));
  return await certifyInto(out, join(shared, set), { policy: defaultPolicy(target), project_id: null });
}

const metric = (report: CertificationReport, id: string) => report.metrics.find((row) => row.metric === id)!;

/** Compares the verdicts with the descriptions of the datasets in shared/data/README.md. */
describe.skipIf(!existsSync(shared))('real sets', () => {
  it('GR00T does not load, and its coverage says what could not be seen', async () => {
    const report = await certified('lerobot-v20-gr00t-pick-place', 'vla');
    expect(report.verdict).toBe('not_ready');
    expect(metric(report, 'format.loadable').verdict).toBe('not_ready');
    expect(metric(report, 'format.loadable').diagnostics.join()).toMatch(/in 5 of 5 episodes/);
    expect(metric(report, 'camera.coverage').verdict).toBe('certified');
    expect(metric(report, 'timeline.jitter').observed).toBeNull();
    expect(report.evidence.share).toBeLessThan(1);
    expect(metric(report, 'language.instruction_present').verdict).toBe('certified');
  });

  it('demonstrations without language, times or cameras leave these unseen, never zero', async () => {
    const report = await certified('hdf5/isaaclab-snake', 'vla');
    expect(report.verdict).toBe('not_assessable');
    for (const row of report.metrics) {
      if (!/^(language|timeline|camera|image)\./.test(row.metric)) continue;
      expect(row.verdict).toBe('not_assessable');
      expect(row.observed).toBeNull();
      for (const decision of row.decisions) expect(decision).toHaveProperty('reason');
    }
    expect(metric(report, 'kinematics.violations').verdict).toBe('certified');
  });

  it('single pictures are held against what a detector needs', async () => {
    const report = await certified('images/coco-cobot-hands', 'detector');
    expect(report.verdict).toBe('review_required');
    expect(metric(report, 'camera.coverage').verdict).toBe('certified');
    expect(metric(report, 'annotation.coverage').verdict).toBe('certified');
    expect(metric(report, 'timeline.gap_ratio').need).toBe('advisory');
    expect(report.evidence.share).toBeGreaterThan(0.8);
  });

  it('a set without data files gets no report', async () => {
    await expect(certified('lerobot-malformed-omx', 'vla')).rejects.toThrow('the dataset has no data');
  });

  if (isNightly) {
    it('G1 is not ready for behaviour cloning: 96 videos are missing, and frames repeat in the other four', async () => {
      const report = await certified('lerobot-v21-g1-bottle', 'behaviour-cloning');
      expect(report.verdict).toBe('not_ready');
      expect(metric(report, 'camera.coverage').counts).toMatchObject({ certified: 4, not_ready: 96 });
      const frozen = metric(report, 'camera.frozen_frames');
      expect(frozen.verdict).toBe('not_ready');
      expect(frozen.counts).toMatchObject({ not_ready: 4, not_assessable: 96 });
      expect(metric(report, 'kinematics.violations').verdict).toBe('certified');
      expect(report.evidence.share).toBeLessThan(0.7);
      const out = join(scratch, 'lerobot-v21-g1-bottle-behaviour-cloning');
      const { content_hash, ...body } = certificationReportSchema.parse(
        JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')),
      );
      expect(sha256(canonicalJson(body))).toBe(content_hash);
      expect(readFileSync(join(out, 'report.html'), 'utf8')).not.toContain('<img');
    });

    it('a drive without its video is not ready, and its gaps are for review', async () => {
      const report = await certified('driving/comma2k19', 'world-model');
      expect(report.verdict).toBe('not_ready');
      expect(metric(report, 'camera.coverage').verdict).toBe('not_ready');
      expect(metric(report, 'timeline.gap_ratio').verdict).toBe('review_required');
    });

    it('cameras that stand in for others do not darken those that show something', async () => {
      const report = await certified('rlds', 'behaviour-cloning');
      expect(metric(report, 'image.exposure').verdict).toBe('certified');
      expect(metric(report, 'language.instruction_present').verdict).toBe('certified');
    });

    it('Bridge does not load in TFDS, whose shards are not all there; its pictures and texts are seen', async () => {
      const report = await certified('rlds/bridge', 'vla');
      expect(report.verdict).toBe('not_ready');
      expect(metric(report, 'format.loadable').diagnostics).toEqual([
        'TFDS: shard_missing, in 25 of 25 episodes (see docs/contracts.md)',
      ]);
      expect(metric(report, 'camera.coverage').verdict).toBe('certified');
      expect(metric(report, 'language.instruction_present').verdict).toBe('certified');
      // Ten steps without a stamp.
      expect(metric(report, 'timeline.monotonic').observed).toBeNull();
    });

    it('clips: the damaged one is for review, and a film whose every fifth frame repeats is not ready', async () => {
      const report = await certified('video/decord', 'ssl-encoder');
      expect(report.verdict).toBe('not_ready');
      expect(metric(report, 'image.decodable').counts).toMatchObject({ certified: 6, review_required: 1 });
      const frozen = metric(report, 'camera.frozen_frames');
      expect(frozen.counts).toMatchObject({ not_ready: 1, review_required: 0 });
      expect(frozen.observed?.maximum).toBeCloseTo(0.2, 2);
      expect(metric(report, 'sync.content_lag').observed).toBeNull();
    });

    it('flights: dropouts of a log are for review, and without a camera no world model can be trained', async () => {
      const report = await certified('ulog/pyulog', 'world-model');
      expect(report.verdict).toBe('not_ready');
      expect(metric(report, 'timeline.gap_ratio').counts).toMatchObject({ certified: 4, review_required: 1 });
      expect(metric(report, 'timeline.monotonic').verdict).toBe('certified');
      expect(metric(report, 'camera.coverage').observed).toBeNull();
    });

    it('ROS bags without actions or pictures certify no policy, and say of what they hold that it is sound', async () => {
      const report = await certified('rosbag/PlotJuggler', 'behaviour-cloning');
      expect(report.verdict).toBe('not_assessable');
      expect(metric(report, 'action.saturation').observed).toBeNull();
      expect(metric(report, 'kinematics.violations').counts).toMatchObject({
        certified: 3,
        not_assessable: 1,
      });
      expect(metric(report, 'timeline.gap_ratio').observed?.maximum).toBe(0);
    });

    it('a sample of half a second has pictures, and streams that do not cover one another', async () => {
      const report = await certified('mcap/robologs-ros-actions', 'vla');
      expect(report.verdict).toBe('not_ready');
      expect(metric(report, 'camera.coverage').verdict).toBe('certified');
      expect(metric(report, 'sync.overlap').verdict).toBe('not_ready');
      expect(metric(report, 'language.instruction_present').observed).toBeNull();
    });
  }
});
