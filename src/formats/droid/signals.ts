import type { Event, Finding, StreamRole, UnitOfMeasure } from '#core/episode';
import { type FileArrays, noUnit, type StepArrayReader } from '../shared/arrays/step-arrays.ts';

/** Role, unit and names of an array of trajectory.h5, fixed by DROID's recording code. */
export interface SignalFacts {
  readonly role: StreamRole;
  readonly unit: UnitOfMeasure;
  readonly names: readonly string[] | null;
}

const knownUnit = (unit: string, reason: string): UnitOfMeasure => ({
  unit,
  evidence: 'known_format',
  reason,
});
const poseNames = ['x', 'y', 'z', 'euler_x', 'euler_y', 'euler_z'];
const jointNames = Array.from({ length: 7 }, (_, i) => `joint_${i + 1}`);

const jointUnit = knownUnit('rad', 'DROID: Franka Panda joints');
const poseUnit = knownUnit('mixed', 'DROID: position in m and Euler angles xyz in rad');
const openingUnit = knownUnit('0..1 closed', 'DROID: 1 - width / maximum width');
const normalisedUnit = (maxChange: string): UnitOfMeasure =>
  knownUnit('normalised', `DROID: -1..1 of the maximum change per step: ${maxChange}`);
const torqueUnit = knownUnit('N*m', 'DROID: joint torques from Polymetis');

/** Units and names by the last part of the array's path; measured and commanded arrays have different names. */
const factsByName: Readonly<Record<string, Omit<SignalFacts, 'role'>>> = {
  joint_positions: { unit: jointUnit, names: jointNames },
  joint_position: { unit: jointUnit, names: jointNames },
  joint_velocities: { unit: knownUnit('rad/s', 'DROID: Franka Panda joints'), names: jointNames },
  joint_velocity: { unit: normalisedUnit('0.2 rad'), names: jointNames },
  cartesian_position: { unit: poseUnit, names: poseNames },
  cartesian_velocity: { unit: normalisedUnit('0.075 m and 0.15 rad'), names: poseNames },
  gripper_position: { unit: openingUnit, names: ['gripper'] },
  gripper_velocity: { unit: normalisedUnit('0.25 of the opening'), names: ['gripper'] },
  gripper_delta: { unit: normalisedUnit('0.25 of the opening'), names: ['gripper'] },
  joint_torques_computed: { unit: torqueUnit, names: jointNames },
  prev_joint_torques_computed: { unit: torqueUnit, names: jointNames },
  prev_joint_torques_computed_safened: { unit: torqueUnit, names: jointNames },
  motor_torques_measured: { unit: torqueUnit, names: jointNames },
  prev_controller_latency_ms: { unit: knownUnit('ms', 'DROID: from the array name'), names: null },
};

/**
 * Returns role, unit and names of an array by its path (`action/joint_position`) and width; unknown names and
 * unexpected widths have no unit and `null` names.
 */
export function signalFacts(id: string, dims: number): SignalFacts {
  const { unit, names } = factsByName[id.slice(id.lastIndexOf('/') + 1)] ?? { unit: noUnit, names: null };
  const fits = names === null || names.length === dims;
  return { role: signalRole(id), unit: fits ? unit : noUnit, names: fits ? names : null };
}

function signalRole(id: string): StreamRole {
  // The robot state at the time the action was computed repeats the observed state.
  if (id.startsWith('action/robot_state/') || /prev_(controller|command)/.test(id)) return 'other';
  if (id.includes('torque')) return 'effort';
  if (id.startsWith('action/')) return 'action';
  return id.startsWith('observation/robot_state/') ? 'state' : 'other';
}

/**
 * Returns true if the array becomes a stream by its path; timestamps (clocks), camera types (names) and videos do not.
 */
export function isSignal(id: string): boolean {
  if (!/^(observation|action)\//.test(id)) return false;
  return !/^observation\/(timestamp|camera_type|videos)\//.test(id);
}

const maxEventsPerFlag = 1000;

/** Per-step flags that mark idle steps; `idle` is the flag's value at an idle step. */
const idleFlags = [
  { id: 'observation/timestamp/skip_action', idle: true, begins: 'action skipped', ends: 'action sent' },
  {
    id: 'observation/controller_info/movement_enabled',
    idle: false,
    begins: 'movement disabled',
    ends: 'movement enabled',
  },
] as const;

/**
 * Returns events at the start and end of each span in which the robot was not meant to move, sorted by time, and one
 * finding per flag with the count of steps. A flag with the same events as the one before is skipped.
 */
export async function findIdleSteps(
  { arrays }: FileArrays,
  reading: StepArrayReader,
  time_s: Float64Array,
): Promise<{ events: Event[]; findings: Finding[] }> {
  const events: Event[] = [];
  const findings: Finding[] = [];
  let previous: readonly Event[] = [];
  for (const { id, idle, begins, ends } of idleFlags) {
    const dataset = arrays.get(id);
    if (dataset === undefined || dataset.rowElements !== 1) continue;
    const { series } = await reading.readStream({ id, role: 'other', dataset });
    if (series === undefined) continue;
    const steps = Math.min(series.values.length, time_s.length);
    const flagEvents: Event[] = [];
    let count = 0;
    let wasIdle = false;
    for (let step = 0; step < steps; step++) {
      const isIdle = (series.values[step] !== 0) === idle;
      if (isIdle) count++;
      if (isIdle !== wasIdle && flagEvents.length < maxEventsPerFlag) {
        flagEvents.push({ time_s: time_s[step], label: isIdle ? begins : ends, source: id });
      }
      wasIdle = isIdle;
    }
    // Both flags usually agree; then only one is reported.
    const isRepeated =
      flagEvents.length === previous.length &&
      flagEvents.every((event, i) => event.time_s === previous[i].time_s);
    if (count === 0 || isRepeated) continue;
    events.push(...flagEvents);
    findings.push(idleFinding(reading.path, id, count, steps, begins));
    previous = flagEvents;
  }
  return { events: events.sort((a, b) => a.time_s - b.time_s), findings };
}

function idleFinding(path: string, id: string, count: number, steps: number, what: string): Finding {
  return {
    ...{ code: 'idle_steps', severity: 'info', path },
    message: `${count} of ${steps} steps are marked ${what} (${id}); their actions did not move the robot`,
    advice: 'exclude these steps from training, as the DROID loader can (remove_skipped_steps)',
    evidence: { idle: count, steps },
  };
}
