import type { AnnotationJobProgress } from '#client';
import type { Io } from '../io.ts';
import { count, grouped, secondsInWords } from '../text.ts';

const logInterval_ms = 5000;
const barWidth = 24;

/** Progress line of a job: rewritten in place on a terminal, a new line every few seconds in a log. */
export interface JobLine {
  show(progress: JobProgress): void;
  /** Prints a line that is not overwritten. */
  say(text: string): void;
  end(): void;
}

/** Creates the progress line of a job; `layer` is its label. */
export function createJobLine(io: Io, layer: string): JobLine {
  let width = 0;
  let lastShown_ms = Number.NEGATIVE_INFINITY;
  const end = () => {
    if (width > 0) io.note(`\r${' '.repeat(width)}\r`);
    width = 0;
  };
  return {
    show: (progress) => {
      const now_ms = performance.now();
      if (!io.live && now_ms - lastShown_ms < logInterval_ms) return;
      lastShown_ms = now_ms;
      if (!io.live) return io.note(`${logText(progress, layer)}\n`);
      const line = describe(progress, layer).slice(0, io.columns - 1);
      io.note(`\r${line.padEnd(width)}`);
      width = line.length;
    },
    say: (text) => {
      end();
      io.note(`assay: ${text}\n`);
    },
    end,
  };
}

type JobProgress = Pick<AnnotationJobProgress, 'done' | 'total' | 'eta_s'>;

/** Returns progress as text without a bar, for logs. */
const logText = ({ done, total, eta_s }: JobProgress, layer: string): string =>
  `assay: ${layer}: ${grouped(done)} of ${count(total, 'episode')}${etaText(eta_s)}`;

const etaText = (eta_s: number | null): string =>
  eta_s === null ? '' : `, about ${secondsInWords(eta_s)} left`;

function describe({ done, total, eta_s }: JobProgress, layer: string): string {
  const filled = total > 0 ? Math.round((Math.min(done, total) / total) * barWidth) : 0;
  const bar = `${'='.repeat(filled)}${' '.repeat(barWidth - filled)}`;
  return `assay: ${layer} [${bar}] ${grouped(done)}/${grouped(total)} episodes${etaText(eta_s)}`;
}
