import type { Event, Finding } from '#core/episode';
import type { FileArrays } from '../shared/step-arrays/file-arrays.ts';
import type { StepReading } from '../shared/step-arrays/numeric-stream.ts';

const mostEvents = 1000;

/** Flags of a step at which no command was sent, and the value that says so. */
const flags = [
  { id: 'observation/timestamp/skip_action', idle: true, begins: 'action skipped', ends: 'action sent' },
  {
    id: 'observation/controller_info/movement_enabled',
    idle: false,
    begins: 'movement disabled',
    ends: 'movement enabled',
  },
] as const;

/** Steps at which the robot was not to move: events where such spans begin and end, and a finding with their number. */
export async function idleSteps(
  { arrays }: FileArrays,
  reading: StepReading,
  time_s: Float64Array,
): Promise<{ events: Event[]; findings: Finding[] }> {
  const events: Event[] = [];
  const findings: Finding[] = [];
  let told: readonly Event[] = [];
  for (const { id, idle, begins, ends } of flags) {
    const dataset = arrays.get(id);
    if (dataset === undefined || dataset.rowElements !== 1) continue;
    const { series } = await reading.numeric({ id, role: 'other', dataset });
    if (series === undefined) continue;
    const steps = Math.min(series.values.length, time_s.length);
    const own: Event[] = [];
    let count = 0;
    let was = false;
    for (let step = 0; step < steps; step++) {
      const is = (series.values[step] !== 0) === idle;
      if (is) count++;
      if (is !== was && own.length < mostEvents) {
        own.push({ time_s: time_s[step], label: is ? begins : ends, source: id });
      }
      was = is;
    }
    // Both flags mostly say the same, which is said once.
    const isTold = own.length === told.length && own.every((event, i) => event.time_s === told[i].time_s);
    if (count === 0 || isTold) continue;
    events.push(...own);
    findings.push(idleFinding(reading.path, id, count, steps, begins));
    told = own;
  }
  return { events: events.sort((a, b) => a.time_s - b.time_s), findings };
}

function idleFinding(path: string, id: string, count: number, steps: number, what: string): Finding {
  return {
    ...{ code: 'idle_steps', severity: 'info', path },
    message: `${count} of ${steps} steps are marked ${what} (${id}); their actions did not move the robot`,
    advice: 'leave these steps out when training, as the loader of DROID can (remove_skipped_steps)',
    evidence: { idle: count, steps },
  };
}
