import type { RenderEpisode } from './report-types.ts';

/** An episode's receipt and sketch as data of the report. */
export const renderEpisode: RenderEpisode = (receipt, sketch, receiptPath) => ({
  row: {
    id: receipt.episode.id,
    kind: receipt.kind.kind,
    decision: receipt.decision,
    score: receipt.score,
    graded_fraction: receipt.graded_fraction,
    duration_s: receipt.episode.duration_s,
    task: receipt.episode.tasks?.[0] ?? null,
    flags: receipt.flags.map((flag) => [flag.code, flag.check, flag.severity]),
    components: receipt.checks.map((check) => [
      check.id,
      check.status === 'scored' ? check.score : check.status,
    ]),
  },
  data: JSON.stringify({ receipt, sketch, receipt_path: receiptPath }),
  poster: sketch?.cameras.find((camera) => camera.thumbnails.length > 0)?.thumbnails[0].jpeg ?? null,
});
