import type { AnnotationJobProgress } from '@assay/client';
import type { Io } from '../io.ts';
import { grouped, secondsInWords } from '../words.ts';

const every_ms = 5000;
const barWidth = 24;

/** How far a job has come: one line that is rewritten on a terminal, a plain line every few seconds elsewhere. */
export interface JobLine {
  show(progress: Pick<AnnotationJobProgress, 'done' | 'total' | 'eta_s'>): void;
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
      const text = describe(progress, layer);
      if (!io.live) return io.note(`${text}\n`);
      const line = text.slice(0, io.columns - 1);
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

function describe(
  { done, total, eta_s }: Pick<AnnotationJobProgress, 'done' | 'total' | 'eta_s'>,
  layer: string,
): string {
  const filled = total > 0 ? Math.round((Math.min(done, total) / total) * barWidth) : 0;
  const bar = `${'='.repeat(filled)}${' '.repeat(barWidth - filled)}`;
  const left = eta_s === null ? '' : `, ${secondsInWords(eta_s)} left`;
  return `assay: ${layer} [${bar}] ${grouped(done)}/${grouped(total)} episodes${left}`;
}
