import type { Progress } from '#engine/local';
import type { Io } from '../io.ts';
import { bytesInWords, count, grouped, secondsInWords } from '../text.ts';

const barWidth = 24;
/** Log intervals: a line for each tenth, at least 2 s apart, and one at least every 30 s. */
const logInterval = { share: 0.1, sooner_s: 2, later_s: 30 };

interface ProgressLine {
  show(progress: Progress): void;
  /** Prints a line that is not overwritten. */
  say(text: string): void;
  end(): void;
}

/**
 * Creates a progress line: rewritten in place on a terminal; in a log a new line for each tenth or every 30 s. `beside`
 * returns text to append; with it the line is refreshed every second.
 */
export function createProgressLine(io: Io, what: string, beside?: () => string): ProgressLine {
  const suffix = beside ?? (() => '');
  const plain = io.live ? liveLine(io, what, suffix) : logLine(io, what, suffix);
  const line = beside === undefined ? plain : withTicker(plain);
  const say = (text: string) => {
    line.end();
    io.note(`assay: ${text}\n`);
  };
  return { ...line, say };
}

const tick_ms = 1000;

/** Wraps a progress line so that it is redrawn every second with the elapsed time advanced. */
function withTicker(line: Omit<ProgressLine, 'say'>): Omit<ProgressLine, 'say'> {
  let last: Progress | null = null;
  let lastShown_ms = 0;
  const timer = setInterval(() => {
    if (last !== null)
      line.show({ ...last, elapsed_s: last.elapsed_s + (performance.now() - lastShown_ms) / 1000 });
  }, tick_ms).unref();
  return {
    show: (progress) => {
      last = progress;
      lastShown_ms = performance.now();
      line.show(progress);
    },
    end: () => {
      last = null;
      clearInterval(timer);
      line.end();
    },
  };
}

type Beside = () => string;

function liveLine(io: Io, what: string, beside: Beside): Omit<ProgressLine, 'say'> {
  let width = 0;
  return {
    show: (progress) => {
      const text = `${describe(progress, what)}${beside()}`.slice(0, io.columns - 1);
      io.note(`\r${text.padEnd(width)}`);
      width = text.length;
    },
    end: () => {
      if (width > 0) io.note(`\r${' '.repeat(width)}\r`);
      width = 0;
    },
  };
}

function logLine(io: Io, what: string, beside: Beside): Omit<ProgressLine, 'say'> {
  let stage: Progress['stage'] = 'look';
  let tenths = 0;
  let logged_s = 0;
  return {
    show: (progress) => {
      const { episodes, episodes_expected, elapsed_s } = progress;
      if (progress.stage !== stage) tenths = 0;
      stage = progress.stage;
      const now = episodes_expected > 0 ? Math.floor(episodes / episodes_expected / logInterval.share) : 0;
      const silent_s = elapsed_s - logged_s;
      if (stage === 'done') return;
      if (silent_s < logInterval.later_s && (now <= tenths || silent_s < logInterval.sooner_s)) return;
      io.note(`${logText(progress, what)}${beside()}\n`);
      tenths = Math.max(now, tenths);
      logged_s = elapsed_s;
    },
    end: () => {},
  };
}

const stageVerbs = {
  measure: 'measuring',
  judge: 'evaluating',
  write: 'writing the report',
  export: 'copying',
  annotate: 'annotating',
  draw: 'drawing',
} as const;

function describe(progress: Progress, what: string): string {
  const { stage, episodes, episodes_expected, rate, bytes } = progress;
  if (stage === 'look') return `assay: scanning ${what}`;
  if (stage === 'compare') return 'assay: comparing episodes';
  if (stage === 'done') return `assay: evaluated ${count(episodes_expected, 'episode')}`;
  const drawn = `assay: ${stageVerbs[stage]} ${bar(episodes, episodes_expected, nounOf(stage))}`;
  if (stage !== 'measure') return drawn;
  const read = bytes > 0 ? `, ${bytesInWords(bytes)} read` : '';
  const speed = episodes > 0 ? `, ${rate >= 10 ? Math.round(rate) : rate.toFixed(1)}/s` : '';
  return `${drawn}${speed}${read}${etaText(progress)}`;
}

function logText(progress: Progress, what: string): string {
  const { stage, episodes, episodes_expected } = progress;
  if (stage === 'look' || stage === 'compare' || stage === 'done') return describe(progress, what);
  const percent = episodes_expected > 0 ? Math.floor((100 * episodes) / episodes_expected) : 0;
  const of = `${grouped(episodes)} of ${count(episodes_expected, nounOf(stage).slice(0, -1))}`;
  return `assay: ${stageVerbs[stage]}: ${of} (${Math.min(100, percent)} %)${etaText(progress)}`;
}

const nounOf = (stage: Progress['stage']): string =>
  stage === 'annotate' ? 'annotations' : stage === 'draw' ? 'frames' : 'episodes';
const etaText = ({ eta_s }: Progress): string =>
  eta_s === null ? '' : `, about ${secondsInWords(eta_s)} left`;

function bar(done: number, expected: number, what: string): string {
  const filled = expected > 0 ? Math.round((Math.min(done, expected) / expected) * barWidth) : 0;
  return `[${'='.repeat(filled)}${' '.repeat(barWidth - filled)}] ${done}/${expected} ${what}`;
}
