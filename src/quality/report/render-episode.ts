import type { Component, Receipt } from '#core/api';
import type { RenderedEpisode, UnscoredStatus } from './report-types.ts';
import type { EpisodeSketch } from './sketch-types.ts';

/**
 * Converts an episode's receipt and sketch to report data: table row, JSON of the episode, pictures and poster; may
 * run in a worker. `receiptPath` is the receipt's path relative to the report's `index.html`; `null` if receipts are
 * not written.
 */
export function renderEpisode(
  receipt: Receipt,
  sketch: EpisodeSketch | null,
  receiptPath: string | null,
): RenderedEpisode {
  return {
    row: {
      id: receipt.episode.id,
      kind: receipt.kind.kind,
      decision: receipt.decision,
      score: receipt.score,
      graded_fraction: receipt.graded_fraction,
      duration_s: receipt.episode.duration_s,
      task: receipt.episode.tasks?.[0] ?? null,
      flags: listDistinctFlags(receipt),
      issues: listEpisodeIssues(receipt),
      components: receipt.checks.map((check) => [check.id, scoreOrStatus(check)]),
    },
    data: JSON.stringify({ receipt, sketch: removePictures(sketch), receipt_path: receiptPath }),
    pictures: serializePictures(sketch),
    poster: selectPoster(sketch),
  };
}

function removePictures(sketch: EpisodeSketch | null): EpisodeSketch | null {
  if (sketch === null) return null;
  return { ...sketch, cameras: sketch.cameras.map((camera) => ({ ...camera, thumbnails: [] })) };
}

function serializePictures(sketch: EpisodeSketch | null): string | null {
  const pictures = (sketch?.cameras ?? []).map(({ thumbnails }) => thumbnails);
  return pictures.every((own) => own.length === 0) ? null : JSON.stringify(pictures);
}

/** Lists each flag of a receipt once; a check may raise one for several streams. */
function listDistinctFlags({ flags }: Receipt): RenderedEpisode['row']['flags'] {
  const flagsByKey = new Map(flags.map((flag) => [`${flag.check} ${flag.code}`, flag]));
  return [...flagsByKey.values()].map((flag) => [flag.code, flag.check, flag.severity]);
}

function listEpisodeIssues({ flags, findings }: Receipt): RenderedEpisode['row']['issues'] {
  return [
    ...flags.map(({ code, severity, message, advice }) => ({
      ...{ code, severity, message, advice, source: 'flag' as const },
    })),
    ...findings.flatMap(({ code, severity, message, advice }) =>
      severity === 'info' ? [] : [{ code, severity, message, advice, source: 'finding' as const }],
    ),
  ];
}

function scoreOrStatus(check: Component): number | UnscoredStatus {
  return check.status === 'scored' ? check.score : check.status;
}

/**
 * Returns the middle overview picture of the first camera with pictures, since beginnings are often black or
 * at rest; `null` if there is none.
 */
function selectPoster(sketch: EpisodeSketch | null): string | null {
  for (const { thumbnails } of sketch?.cameras ?? []) {
    if (thumbnails.length === 0) continue;
    const overview = thumbnails.filter((picture) => picture.why === 'overview');
    const among = overview.length > 0 ? overview : thumbnails;
    return among[among.length >> 1].jpeg;
  }
  return null;
}
