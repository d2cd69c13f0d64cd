import type { AnnotationJob } from '@assay/client';
import { count, grouped, secondsInWords } from '../words.ts';
import { wrap } from '../wrap.ts';
import { columns } from './columns.ts';

/** What a job came to: how many episodes were done, which failed and why, what it cost. */
export function renderJob(job: AnnotationJob, width: number): string {
  const { episodes, narrowed_from, error, failures } = job;
  const { total, done, failed, skipped } = episodes;
  const carried = narrowed_from === null ? '' : `; ${grouped(narrowed_from - total)} more carried it already`;
  const unsaid = failed - failures.length;
  return [
    `Job ${job.id} ${job.status}: ${job.layer} of ${count(total, 'episode')}${carried}`,
    columns([
      ['  done', grouped(done)],
      ['  failed', grouped(failed)],
      ['  skipped', grouped(skipped)],
      ['  cost', costOf(job)],
    ]).trimEnd(),
    ...(error === null ? [] : wrap([error.message, error.advice].filter(Boolean).join('; '), width, '  ')),
    ...(failures.length === 0 ? [] : ['', 'Failed episodes']),
    ...failures.flatMap(({ episode_id, error: reason }) =>
      wrap(`${episode_id}  ${reason.code}: ${reason.message}`, width, '  '),
    ),
    ...(unsaid > 0 && failures.length > 0 ? [`  and ${grouped(unsaid)} more`] : []),
    '',
  ].join('\n');
}

function costOf({ measured_usd, estimate_usd, compute_s }: AnnotationJob): string {
  return `${measured_usd} USD of ${estimate_usd} estimated, ${secondsInWords(compute_s)} of computing`;
}
