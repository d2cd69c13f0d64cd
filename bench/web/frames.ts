import type { CDPSession } from 'playwright-core';
import { quantile, sorted } from '../service/quantile.ts';

/** Event of the browser's trace about one frame; a frame that the page missed is reported twice. */
interface FrameEvent {
  readonly name: string;
  readonly ph: string;
  /** Microseconds. */
  readonly ts: number;
  readonly id2?: { readonly local: string };
  readonly args: {
    readonly frame_reporter?: {
      readonly frame_source: number;
      readonly frame_sequence: number;
      readonly layer_tree_host_id: number;
      readonly state: string;
      readonly scroll_state: string;
    };
  };
}

/** Frames while something scrolled. */
export interface Frames {
  /** That the browser showed. */
  readonly shown: number;
  /** Milliseconds from one shown frame to the next. */
  readonly median_ms: number;
  readonly p95_ms: number;
  /** Share of the frames with changes that were never shown. */
  readonly dropped: number;
  /** Share of the shown frames that scrolled in time but whose rows appeared at least a frame late. */
  readonly late: number;
}

/** Runs `scroll` and returns frame statistics from the browser's own trace. */
export async function framesDuring(browser: CDPSession, scroll: () => Promise<unknown>): Promise<Frames> {
  const events: FrameEvent[] = [];
  const take = ({ value }: { readonly value: unknown[] }) => events.push(...(value as FrameEvent[]));
  browser.on('Tracing.dataCollected', take);
  await browser.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['cc', 'benchmark'] },
  });
  await scroll();
  const complete = new Promise((done) => browser.once('Tracing.tracingComplete', done));
  await browser.send('Tracing.end');
  await complete;
  browser.off('Tracing.dataCollected', take);
  return framesOf(events);
}

function framesOf(events: readonly FrameEvent[]): Frames {
  const ends = new Map<string, number>();
  const frames = new Map<string, { shown_us: number | null; inTime: boolean; dropped: boolean }>();
  const reports = events
    .filter(({ name }) => name === 'PipelineReporter')
    // The end of one is its last event; ids are used again, so the trace is read from its end.
    .toSorted((a, b) => b.ts - a.ts || (a.ph === 'e' ? -1 : 1));
  for (const { ph, ts, id2, args } of reports) {
    const id = id2?.local ?? '';
    if (ph === 'e') ends.set(id, ts);
    const report = args.frame_reporter;
    if (ph !== 'b' || report === undefined || report.scroll_state === 'SCROLL_NONE') continue;
    const key = `${report.layer_tree_host_id} ${report.frame_source} ${report.frame_sequence}`;
    const frame = frames.get(key) ?? { shown_us: null, inTime: true, dropped: false };
    frames.set(key, frame);
    const end = ends.get(id) ?? ts;
    if (report.state === 'STATE_DROPPED') frame.dropped = true;
    if (report.state === 'STATE_PRESENTED_PARTIAL') frame.inTime = false;
    if (report.state.startsWith('STATE_PRESENTED'))
      frame.shown_us = Math.min(frame.shown_us ?? Number.POSITIVE_INFINITY, end);
  }
  const all = [...frames.values()];
  const shown = all
    .flatMap(({ shown_us }) => (shown_us === null ? [] : [shown_us]))
    .toSorted((a, b) => a - b);
  const times_ms = sorted(shown.slice(1).map((at, index) => (at - shown[index]) / 1000));
  const dropped = all.filter((frame) => frame.dropped && frame.shown_us === null).length;
  return {
    shown: shown.length,
    median_ms: quantile(times_ms, 0.5),
    p95_ms: quantile(times_ms, 0.95),
    dropped: dropped / Math.max(1, dropped + shown.length),
    late: all.filter((frame) => frame.shown_us !== null && !frame.inTime).length / Math.max(1, shown.length),
  };
}
