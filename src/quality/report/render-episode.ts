import type { Component, Receipt } from '#core/api';
import type { RenderedEpisode, UnscoredStatus } from './report-types.ts';
import type { EpisodeSketch } from './sketch-types.ts';

/**
 * An episode's receipt and sketch as data of the report; may run in a worker. `receiptPath` is where the receipt lies,
 * relative to the report's `index.html`; null when receipts are not written beside it.
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
      flags: distinctFlags(receipt),
      said: saidOf(receipt),
      components: receipt.checks.map((check) => [check.id, outcomeOf(check)]),
    },
    data: JSON.stringify({ receipt, sketch: withoutPictures(sketch), receipt_path: receiptPath }),
    pictures: picturesOf(sketch),
    poster: posterOf(sketch),
  };
}

function withoutPictures(sketch: EpisodeSketch | null): EpisodeSketch | null {
  if (sketch === null) return null;
  return { ...sketch, cameras: sketch.cameras.map((camera) => ({ ...camera, thumbnails: [] })) };
}

function picturesOf(sketch: EpisodeSketch | null): string | null {
  const pictures = (sketch?.cameras ?? []).map(({ thumbnails }) => thumbnails);
  return pictures.every((own) => own.length === 0) ? null : JSON.stringify(pictures);
}

/** A check may raise one flag for several streams; the table names it once. */
function distinctFlags({ flags }: Receipt): RenderedEpisode['row']['flags'] {
  const seen = new Map(flags.map((flag) => [`${flag.check} ${flag.code}`, flag]));
  return [...seen.values()].map((flag) => [flag.code, flag.check, flag.severity]);
}

function saidOf({ flags, findings }: Receipt): RenderedEpisode['row']['said'] {
  return [
    ...flags.map(({ code, severity, message, advice }) => ({
      ...{ code, severity, message, advice, source: 'flag' as const },
    })),
    ...findings.flatMap(({ code, severity, message, advice }) =>
      severity === 'info' ? [] : [{ code, severity, message, advice, source: 'finding' as const }],
    ),
  ];
}

function outcomeOf(check: Component): number | UnscoredStatus {
  return check.status === 'scored' ? check.score : check.status;
}

/** The middle overview picture of the first camera that has pictures: beginnings are often black or at rest. */
function posterOf(sketch: EpisodeSketch | null): string | null {
  for (const { thumbnails } of sketch?.cameras ?? []) {
    if (thumbnails.length === 0) continue;
    const overview = thumbnails.filter((picture) => picture.why === 'overview');
    const among = overview.length > 0 ? overview : thumbnails;
    return among[among.length >> 1].jpeg;
  }
  return null;
}
