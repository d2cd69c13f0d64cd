import type { StreamRole } from '#core/episode';
import { isEventTopic, numericRole } from '../../shared/messages/topic-roles.ts';

/** A guess with its reason. `check`: what a person must confirm; `null` if nothing. */
export interface Guess<Value> {
  readonly value: Value;
  readonly because: string;
  readonly check: string | null;
}

/** Returns a guess with its reason and what a person should check; `null` if nothing. */
export function makeGuess<Value>(value: Value, reason: string, check: string | null): Guess<Value> {
  return { value, because: reason, check };
}

/** Names of measurements in files, beside those of topics. */
const measuredName =
  /(^|[/_.])(slave|observations?|obs|states?|qvel|proprioception|transforms?|poses?|keypoints?|mocap)([/_.]|$)/i;
const observationGroup = /(^|[/.])(observations?|obs)[/.]/i;
/** Things around a robot, whose poses simulators record. */
const sceneName = /(^|[/_.])((rigid_?)?objects?|obj|cubes?[a-z]?|blocks?|balls?)([/_.]|\d|$)/i;

/**
 * Returns `reward` or `annotation` if the name of a value per step denotes a reward, a first, last or end mark, or an
 * event; `null` for all others, such as `success`.
 */
export function stepRole(name: string): StreamRole | null {
  if (/(^|[/_.])rewards?$/i.test(name)) return 'reward';
  const isEnd =
    /(^|[/_.])(is_)?(terminals?|timeouts?|dones?|truncate[ds]?|terminated|truncated|is_first|is_last)$/i;
  return isEnd.test(name) || isEventTopic(name) ? 'annotation' : null;
}

/** True if the name is that of a command in a group of observations, such as the previous action. */
export function isObservedCommand(name: string): boolean {
  return observationGroup.test(name);
}

/**
 * Guesses the role of a stream from its name: a column, a path in a file, or a topic; `other`, to be checked, if
 * unknown.
 */
export function guessRole(name: string): Guess<StreamRole> {
  const step = stepRole(name);
  if (step !== null) return makeGuess(step, 'from its name', null);
  if (sceneName.test(name)) return makeGuess('other', 'named like an object of the scene', null);
  const known = /^(j|q|joint|joints|dq|signals)$/i.test(name) ? 'state' : numericRole(name, '');
  const role = known === 'other' && measuredName.test(name) ? 'state' : known;
  if (role === 'other')
    return makeGuess(
      role,
      'unknown column name',
      'the role: action, state, imu, gnss, vehicle, effort, …; other is kept but not evaluated',
    );
  const isMotion = role === 'action' || role === 'state';
  return makeGuess(role, 'from its name', isMotion ? 'commands are action, measurements are state' : null);
}

const jointName = /joint|qpos|angle|(^|[/_.])(q|arm)([/_.]|$)/i;
/** Joints of most robots stay within it. */
export const fullTurn_rad = 2 * Math.PI;

/** Guesses radians or degrees of joint states and actions by name and range; `null` for other streams. */
export function guessUnit(name: string, role: StreamRole, low: number, high: number): Guess<string> | null {
  const largest = Math.max(Math.abs(low), Math.abs(high));
  const isJoints = jointName.test(name) && !/vel|effort|torque|speed|dq/i.test(name);
  if ((role !== 'state' && role !== 'action') || !isJoints || !(largest > 0.05 && largest <= 400))
    return null;
  const [unit, other] = largest <= fullTurn_rad * 1.05 ? ['rad', 'deg'] : ['deg', 'encoder counts'];
  const range = `joints with values from ${shortNumber(low)} to ${shortNumber(high)}`;
  return makeGuess(unit, range, `${unit} and not ${other}`);
}

/** Formats a number with at most six significant digits. */
export function shortNumber(value: number): string {
  return String(Number(value.toPrecision(6)));
}
