import { AssayError } from '#core';
import type { Episode } from '#core/episode';
import { type DiscoveredDataset, discover } from '#formats';
import {
  createEpisodeRecord,
  createFeatures,
  deriveKind,
  judgeMeasurements,
  measureEpisode,
  receiptBody,
  resolveSettings,
  sealReceipt,
} from '#quality/readiness';

/** Result of reading a folder to its end. */
export interface Outcome {
  readonly episodes: number;
  /** Codes of everything that was said: findings of the listing, of datasets and episodes, unreadable episodes. */
  readonly findings: readonly string[];
  /** Codes of errors that a unit, or the whole folder, ended with. */
  readonly errors: readonly string[];
  /** Descriptions of forbidden outcomes: thrown values that are not an AssayError, and errors that name no file. */
  readonly faults: readonly string[];
}

const settings = resolveSettings({});
const noCameras = new Map();

/** Reads everything under `folder`, as `assay assess` does but for the decoding of pictures, and seals its receipts. */
export async function readAll(folder: string): Promise<Outcome> {
  const outcome = { episodes: 0, findings: [] as string[], errors: [] as string[], faults: [] as string[] };
  const failed = (thrown: unknown) => {
    const fault = faultOf(thrown);
    if (fault === null) outcome.errors.push((thrown as AssayError).code);
    else outcome.faults.push(fault);
  };
  try {
    const { datasets, findings } = await discover(folder);
    outcome.findings.push(...findings.map(({ code }) => code));
    for (const one of datasets) {
      outcome.findings.push(...one.dataset.findings.map(({ code }) => code));
      await readDataset(one, outcome, failed);
      await one.dataset.close();
    }
  } catch (thrown) {
    failed(thrown);
  }
  return outcome;
}

async function readDataset(
  { dataset }: DiscoveredDataset,
  outcome: { episodes: number; findings: string[]; faults: string[] },
  failed: (thrown: unknown) => void,
): Promise<void> {
  for (const unit of dataset.units) {
    try {
      for await (const item of dataset.read(unit, { reuse_arrays: true })) {
        if ('unreadable' in item) outcome.findings.push(item.finding.code);
        else {
          outcome.episodes += 1;
          outcome.findings.push(...item.findings.map(({ code }) => code));
          seal(item);
          await takePictures(dataset, item);
        }
      }
    } catch (thrown) {
      failed(thrown);
    }
  }
}

function seal(episode: Episode): void {
  const { kind, evidence } = deriveKind(episode);
  const subject = { episode, kind, cameras: noCameras, features: createFeatures(episode) };
  const judgement = judgeMeasurements(measureEpisode(subject), {}, episode, settings);
  sealReceipt(receiptBody(createEpisodeRecord(subject, evidence), judgement, settings));
}

/** The first and the last picture of every camera inside the recording. */
async function takePictures(dataset: DiscoveredDataset['dataset'], episode: Episode): Promise<void> {
  for (const { frames, sample_count } of episode.streams) {
    if (frames?.locator.type !== 'embedded') continue;
    const { locator } = frames;
    for (const row of new Set([0, Math.max(0, sample_count - 1)])) {
      const { index: episode_index, start_ns } = episode;
      await dataset.picturesAt?.({ locator, episode_index, start_ns, row, log_s: null });
    }
  }
}

/** Null for an error as it should be. */
export function faultOf(thrown: unknown): string | null {
  if (!(thrown instanceof AssayError) || thrown.code === 'internal') return stackOf(thrown);
  return thrown.path === null || thrown.message === '' ? `names no file: ${stackOf(thrown)}` : null;
}

/** Returns the first lines of the stack trace of a thrown value. */
export function stackOf(thrown: unknown): string {
  const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : `thrown: ${String(thrown)}`;
  return stack.split('\n').slice(0, 8).join('\n');
}
