import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { bundledDetector } from '#test/support/bundled-detector';
import { encodeVideo, x264 } from '#test/support/encode-video';
import { openRunService, type RunService } from '#test/support/run-service';
import { type ServedRuns, serveRuns } from '#test/support/served-runs';
import type { Bench, BenchOptions } from '../bench.ts';

const layers = ['optical_flow', 'hand_pose', 'body_pose', 'metadata', 'segments'] as const;
/** Picture sizes of the projects; with the layers, ten kinds of jobs. */
const sizes = [
  { width: 320, height: 240 },
  { width: 640, height: 480 },
] as const;
const rate_hz = 30;
/** Clips, and seconds of each, of the jobs to learn from and of those to estimate. */
const rounds = { learned: { clips: 2, duration_s: 4 }, estimated: { clips: 3, duration_s: 6 } } as const;
const maxFactor = 1.5;
const minWithin = 0.9;

/** Compares the estimates of ten jobs with their real durations, after ten other jobs of the same kinds. */
export const estimatesBench: Bench = {
  id: 'service-estimates',
  title: `Estimates of ten annotation jobs after ten others, within a factor of ${maxFactor}`,
  run: async (options) => {
    const service = await openRunService({ roots: [options.scratch], threads: 1 });
    const served = await serveRuns(service);
    try {
      const models = { detection: bundledDetector };
      await served.ask('PUT', `projects/${service.project_id}/annotation/settings`, { models });
      const before = await runJobs(options, { service, served }, 'learned');
      const after = await runJobs(options, { service, served }, 'estimated');
      const within = after.filter(({ factor }) => factor <= maxFactor).length / after.length;
      options.print(`  within a factor of ${maxFactor}: ${Math.round(100 * within)} %`);
      return { passed: within >= minWithin, figures: { before, after, within } };
    } finally {
      await served.close();
      await service.close();
    }
  },
};

interface Served {
  readonly service: RunService;
  readonly served: ServedRuns;
}

interface JobFigures {
  readonly job: string;
  readonly estimate_s: number;
  readonly compute_s: number;
  /** Larger over smaller of the two. */
  readonly factor: number;
}

async function runJobs(options: BenchOptions, { service, served }: Served, round: keyof typeof rounds) {
  const figures: JobFigures[] = [];
  const path = `projects/${service.project_id}`;
  for (const size of sizes) {
    const folder = await writeClips(options.scratch, size, round);
    const source_id = await service.source(folder);
    const { body: run } = await served.ask('POST', `${path}/runs`, { source_id });
    await service.ended(run.id);
    const { body: listed } = await served.ask('GET', `${path}/episodes?source_id=${source_id}`);
    const episode_ids = listed.items.map(({ id }: { id: string }) => id);
    for (const layer of layers) {
      const { body: queued } = await served.ask('POST', `${path}/annotation/jobs`, {
        layer,
        episode_ids,
        force: true,
      });
      const job = await endedJob(served, `${path}/annotation/jobs/${queued.id}`);
      const [estimate_s, compute_s] = [job.estimate.compute_s, job.compute_s];
      const factor = Math.max(estimate_s / compute_s, compute_s / estimate_s);
      const name = `${layer}, ${size.width} x ${size.height}`;
      figures.push({ job: name, estimate_s, compute_s, factor });
      options.print(
        `  ${round}: ${name}: ${estimate_s.toFixed(2)} s (${job.estimate.basis}), measured ${compute_s.toFixed(2)} s, factor ${factor.toFixed(2)}`,
      );
    }
  }
  return figures;
}

async function endedJob(served: ServedRuns, path: string) {
  for (;;) {
    const { body: job } = await served.ask('GET', path);
    if (job.finished_at !== null) return job;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function writeClips(
  scratch: string,
  { width, height }: (typeof sizes)[number],
  round: keyof typeof rounds,
): Promise<string> {
  const { clips, duration_s } = rounds[round];
  const folder = join(scratch, `estimates-${round}-${width}x${height}`);
  if (existsSync(folder)) return folder;
  mkdirSync(folder, { recursive: true });
  for (let clip = 0; clip < clips; clip++) {
    const frames = Array.from({ length: duration_s * rate_hz }, (_, at) =>
      movingSquare(width, height, at + 7 * clip),
    );
    await encodeVideo(join(folder, `${clip}.mp4`), width, height, frames, {
      ...x264,
      rate_hz,
      keyframe_every: 30,
    });
  }
  return folder;
}

/** Returns a YUV 4:2:0 picture of a bright square that moves over a dark gradient. */
function movingSquare(width: number, height: number, at: number): Uint8Array {
  const yuv = new Uint8Array((width * height * 3) / 2).fill(128);
  const [left, top, side] = [(4 * at) % (width - 40), height >> 2, 40];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const inside = x >= left && x < left + side && y >= top && y < top + side;
      yuv[y * width + x] = inside ? 220 : 30 + ((x + y) % 60);
    }
  return yuv;
}
