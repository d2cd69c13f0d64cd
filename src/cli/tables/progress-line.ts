import type { Progress } from '#assess';
import type { Io } from '../io.ts';
import { bytesInWords, secondsInWords } from '../words.ts';

const barWidth = 24;

/** Of `assess`, or of a run of the service, which annotates as well. */
type Shown = Omit<Progress, 'stage'> & { readonly stage: Progress['stage'] | 'annotate' };

/** Shows progress: one line that is rewritten on a terminal, a plain line every few seconds elsewhere. */
export function createProgressLine(io: Io, what: string): { show(progress: Shown): void; end(): void } {
  let stage = '';
  let shown_s = 0;
  let width = 0;
  return {
    show(progress) {
      const text = describe(progress, what);
      if (io.live) {
        const line = text.slice(0, io.columns - 1);
        io.note(`\r${line.padEnd(width)}`);
        width = line.length;
      } else if (progress.stage !== stage || progress.elapsed_s - shown_s >= 5) {
        if (progress.stage !== 'done') io.note(`${text}\n`);
        shown_s = progress.elapsed_s;
      }
      stage = progress.stage;
    },
    end() {
      if (io.live && width > 0) io.note(`\r${' '.repeat(width)}\r`);
      width = 0;
    },
  };
}

function describe(progress: Shown, what: string): string {
  const { stage, episodes, episodes_expected, rate, eta_s } = progress;
  if (stage === 'look') return `assay: looking at ${what}`;
  if (stage === 'compare') return 'assay: comparing episodes';
  if (stage === 'done') return `assay: judged ${episodes_expected} episodes`;
  if (stage === 'write') return `assay: writing the report ${bar(episodes, episodes_expected)}`;
  if (stage === 'annotate') return `assay: annotating ${bar(episodes, episodes_expected, 'annotations')}`;
  if (stage === 'judge') return `assay: judging ${bar(episodes, episodes_expected)}`;
  const left = eta_s === null ? '' : `, ${secondsInWords(eta_s)} left`;
  const read = progress.bytes > 0 ? `, ${bytesInWords(progress.bytes)} read` : '';
  const speed = episodes > 0 ? `, ${rate >= 10 ? Math.round(rate) : rate.toFixed(1)}/s` : '';
  return `assay: measuring ${bar(episodes, episodes_expected)}${speed}${read}${left}`;
}

function bar(done: number, expected: number, what = 'episodes'): string {
  const filled = expected > 0 ? Math.round((Math.min(done, expected) / expected) * barWidth) : 0;
  return `[${'='.repeat(filled)}${' '.repeat(barWidth - filled)}] ${done}/${expected} ${what}`;
}
