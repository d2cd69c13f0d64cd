import type { AnnotationJobProgress } from '@assay/client';
import type { Io } from '../io.ts';
import { count, grouped, secondsInWords } from '../words.ts';

const every_ms = 5000;
const barWidth = 24;

/** How far a job has come: one line that is rewritten on a terminal, a plain line every few seconds elsewhere. */
export interface JobLine {
  show(progress: Shown): void;
  /** A line that stays. */
  say(text: string): void;
  end(): void;
}

export function createJobLine(io: Io, layer: string): JobLine {
  let width = 0;
  let shown_ms = Number.NEGATIVE_INFINITY;
  const end = () => {
    if (width > 0) io.note(`\r${' '.repeat(width)}\r`);
    width = 0;
  };
  return {
    show: (progress) => {
      const now_ms = performance.now();
      if (!io.live && now_ms - shown_ms < every_ms) return;
      shown_ms = now_ms;
      if (!io.live) return io.note(`${inALog(progress, layer)}\n`);
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

type Shown = Pick<AnnotationJobProgress, 'done' | 'total' | 'eta_s'>;

/** No bar: a log holds every line of it. */
const inALog = ({ done, total, eta_s }: Shown, layer: string): string =>
  `assay: ${layer}: ${grouped(done)} of ${count(total, 'episode')}${left(eta_s)}`;

const left = (eta_s: number | null): string =>
  eta_s === null ? '' : `, about ${secondsInWords(eta_s)} left`;

function describe({ done, total, eta_s }: Shown, layer: string): string {
  const filled = total > 0 ? Math.round((Math.min(done, total) / total) * barWidth) : 0;
  const bar = `${'='.repeat(filled)}${' '.repeat(barWidth - filled)}`;
  return `assay: ${layer} [${bar}] ${grouped(done)}/${grouped(total)} episodes${left(eta_s)}`;
}
