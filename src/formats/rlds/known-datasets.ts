/** Facts about a dataset by its name, since RLDS stores no rates, units or gripper polarities. */
export interface KnownDataset {
  readonly name: RegExp;
  /** Steps per second with the source; `null` if unknown. */
  readonly rate: { readonly hz: number; readonly reason: string } | null;
  readonly robot: string | null;
  readonly grippers: readonly KnownGripper[];
  /** Folders in `episode_metadata/file_path` state the outcome of the episode. */
  readonly outcome_in_path?: true;
}

/** A known gripper convention of a stream. */
export interface KnownGripper {
  /** Stream id; its last dimension is the gripper. */
  readonly stream: RegExp;
  readonly dims: number;
  readonly unit: string;
  /** Values outside this range do not follow the convention. */
  readonly range: readonly [number, number];
  readonly open_value: number;
  readonly reason: string;
}

const tolerance = 0.05;
const unitRange = [-tolerance, 1 + tolerance] as const;
const signedRange = [-1 - tolerance, 1 + tolerance] as const;

const knownGripper = (
  stream: RegExp,
  dims: number,
  [unit, range, open_value, reason]: readonly [string, readonly [number, number], number, string],
): KnownGripper => ({ stream, dims, unit, range, open_value, reason });

const openness = ['0..1 open', unitRange, 1] as const;
const closedness = ['0..1 closed', unitRange, 0] as const;
const relativeCommand = [
  '-1..1, +1 closes',
  signedRange,
  -1,
  'the gripper command is relative: +1 closes, -1 opens, 0 keeps the position',
] as const;
const closedCommand = [...closedness, 'the gripper command is the closed fraction: 0 is open'] as const;

const closedAction = /^action(\/gripper_closedness_action)?$/;

const grippersOnly = (name: RegExp, grippers: readonly KnownGripper[]): KnownDataset => ({
  ...{ name, rate: null, robot: null, grippers },
});

/** Known datasets: conventions by Octo's Open X transforms, rates by the papers and recorders. */
const knownDatasets: readonly KnownDataset[] = [
  {
    name: /^bridge(_|$)/,
    rate: { hz: 5, reason: 'BridgeData was recorded in steps of 0.2 s' },
    robot: 'WidowX 250',
    grippers: [
      knownGripper(/^action$/, 7, [...openness, 'BridgeData: 1 opens the gripper']),
      // Measured states slightly exceed 1.
      knownGripper(/^observation\/state$/, 7, ['0..1 open', [-0.05, 1.25], 1, 'BridgeData: 1 is open']),
    ],
  },
  {
    name: /^droid(_|$)/,
    rate: { hz: 15, reason: 'the DROID recorder runs at 15 Hz' },
    robot: 'Franka',
    outcome_in_path: true,
    grippers: [/^action$/, /^action_dict\/gripper_position$/, /^observation\/gripper_position$/].map(
      (stream) =>
        knownGripper(stream, stream.source === '^action$' ? 7 : 1, [
          ...closedness,
          'DROID records the closed fraction of the gripper: 0 is open',
        ]),
    ),
  },
  {
    name: /^(fractal20220817_data|rt_?1)(_|$)/,
    rate: { hz: 3, reason: 'RT-1 was recorded and is controlled at 3 Hz' },
    robot: null,
    grippers: [
      knownGripper(/^action\/gripper_closedness_action$/, 1, relativeCommand),
      knownGripper(/^observation\/gripper_closed$/, 1, [...closedness, 'RT-1: closed fraction']),
    ],
  },
  grippersOnly(/^(kuka|jaco_play|nyu_door_opening|berkeley_autolab_ur5)/, [
    knownGripper(/^action\/gripper_closedness_action$/, 1, relativeCommand),
  ]),
  grippersOnly(/^(roboturk|viola)(_|$)/, [knownGripper(closedAction, 1, closedCommand)]),
  grippersOnly(/^austin_/, [knownGripper(closedAction, 7, closedCommand)]),
  grippersOnly(/^taco_play/, [
    knownGripper(/^action\/(rel_)?actions(_world|_gripper)?$/, 7, [
      '-1..1 open',
      signedRange,
      1,
      'taco_play: 1 opens the gripper',
    ]),
  ]),
  grippersOnly(/^toto(_|$)/, [
    knownGripper(/^action\/open_gripper$/, 1, [
      ...openness,
      'toto: the command says whether the gripper is open',
    ]),
  ]),
  grippersOnly(/^roboset/, [
    knownGripper(/^action$/, 8, [
      '-1..1 closed',
      signedRange,
      -1,
      'roboset: the upper end of the command range closes',
    ]),
  ]),
];

/**
 * Returns the facts (rate, robot, grippers) of a published dataset by its name, in any case; `null` if it is not
 * listed.
 */
export function knownDataset(name: string): KnownDataset | null {
  return knownDatasets.find((row) => row.name.test(name.toLowerCase())) ?? null;
}
