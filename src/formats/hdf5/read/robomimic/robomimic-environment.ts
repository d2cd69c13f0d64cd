import type { Hdf5Group } from '@assay/hdf5';
import { orNull } from '../../../shared/hdf5-file.ts';
import type { KnownRate } from '../../../shared/step-arrays/step-clock.ts';
import { asObject, jsonAttribute } from '../texts.ts';

/** What the file says of the simulator or robot that its demonstrations come from. */
export interface Environment {
  readonly name: string | null;
  /**
   * Who made it, as far as that fixes conventions: robosuite by type 1 of env_args (robomimic's EnvType), LIBERO by its
   * tag, Isaac Lab by the names of its environments.
   */
  readonly maker: 'robosuite' | 'libero' | 'isaac' | null;
  readonly rate: KnownRate | null;
  readonly robot: string | null;
  /** Rewards are 1 at success and 0 elsewhere, by the environment's own setting; null where nobody says. */
  readonly has_sparse_reward: boolean | null;
  /** Task of all demonstrations (LIBERO keeps one a file). */
  readonly instruction: string | null;
}

export async function environmentOf(data: Hdf5Group): Promise<Environment> {
  const args = await jsonAttribute(data, 'env_args');
  const kwargs = asObject(args?.env_kwargs);
  const problem = await jsonAttribute(data, 'problem_info');
  const tag = await orNull(data.attributes.text('tag'));
  const named = args?.env_name ?? (await orNull(data.attributes.text('env_name')));
  const name = typeof named === 'string' ? named : null;
  const shaping = kwargs?.reward_shaping;
  return {
    name,
    maker: makerOf(name, tag, problem !== null, args?.type),
    rate: rateOf(args, kwargs),
    robot: robotOf(kwargs?.robots),
    has_sparse_reward: typeof shaping === 'boolean' ? !shaping : null,
    instruction: instructionOf(problem),
  };
}

function makerOf(
  name: string | null,
  tag: string | null,
  hasProblem: boolean,
  type: unknown,
): Environment['maker'] {
  if (/^libero/i.test(tag ?? '') || hasProblem) return 'libero';
  if (type === 1) return 'robosuite';
  return /^Isaac-/.test(name ?? '') ? 'isaac' : null;
}

function rateOf(
  args: Record<string, unknown> | null,
  kwargs: Record<string, unknown> | null,
): KnownRate | null {
  const hz = kwargs?.control_freq;
  if (isRate(hz)) return { hz, source: 'env_kwargs.control_freq of env_args' };
  const simulated = asObject(args?.sim_args);
  const [dt, decimation] = [simulated?.dt, simulated?.decimation];
  if (typeof dt !== 'number' || typeof decimation !== 'number') return null;
  const step_hz = 1 / (dt * decimation);
  return isRate(step_hz) ? { hz: step_hz, source: 'sim_args of env_args: dt times decimation' } : null;
}

function isRate(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value < 10_000;
}

function robotOf(robots: unknown): string | null {
  const names = Array.isArray(robots) ? robots : [robots];
  const known = names.filter((name) => typeof name === 'string' && name !== '');
  return known.length === 0 ? null : known.slice(0, 4).join(' + ');
}

/** LIBERO writes the sentence as a text, or as its words. */
function instructionOf(problem: Record<string, unknown> | null): string | null {
  const value = problem?.language_instruction;
  const text = Array.isArray(value) ? value.join(' ') : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim().replace(/^"|"$/g, '') : null;
}
