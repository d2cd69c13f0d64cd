/** What is known of a data set by its name, since RLDS itself says neither rates nor units nor polarities. */
export interface KnownDataset {
  readonly name: RegExp;
  /** Steps a second, and where that is said; null where nobody does. */
  readonly rate: { readonly hz: number; readonly reason: string } | null;
  readonly robot: string | null;
  readonly grippers: readonly KnownGripper[];
  /** Folders in `episode_metadata/file_path` say how the episode ended. */
  readonly outcome_in_path?: true;
}

export interface KnownGripper {
  /** Of the stream; its last dimension is the gripper. */
  readonly stream: RegExp;
  readonly dims: number;
  readonly unit: string;
  /** Numbers outside of it are not of this convention. */
  readonly range: readonly [number, number];
  readonly open_value: number;
  readonly reason: string;
}

const slack = 0.05;
const unitRange = [-slack, 1 + slack] as const;
const signedRange = [-1 - slack, 1 + slack] as const;

const gripper = (
  stream: RegExp,
  dims: number,
  [unit, range, open_value, reason]: readonly [string, readonly [number, number], number, string],
): KnownGripper => ({ stream, dims, unit, range, open_value, reason });

const openness = ['0..1 open', unitRange, 1] as const;
const closedness = ['0..1 closed', unitRange, 0] as const;
const closing = [
  '-1..1, +1 closes',
  signedRange,
  -1,
  'the gripper command is relative: +1 closes, -1 opens, 0 keeps',
] as const;
const inverted = [...closedness, 'the gripper command says how far it is closed: 0 is open'] as const;

const closedAction = /^action(\/gripper_closedness_action)?$/;

const only = (name: RegExp, grippers: readonly KnownGripper[]): KnownDataset => ({
  ...{ name, rate: null, robot: null, grippers },
});

/** Conventions as the Open X transforms of Octo read them, and rates as the data sets' own papers and recorders say. */
const datasets: readonly KnownDataset[] = [
  {
    name: /^bridge(_|$)/,
    rate: { hz: 5, reason: 'BridgeData was recorded in steps of 0.2 s' },
    robot: 'WidowX 250',
    grippers: [
      gripper(/^action$/, 7, [...openness, 'BridgeData: 1 opens the gripper']),
      // A real state runs a little past 1.
      gripper(/^observation\/state$/, 7, ['0..1 open', [-0.05, 1.25], 1, 'BridgeData: 1 is open']),
    ],
  },
  {
    name: /^droid(_|$)/,
    rate: { hz: 15, reason: 'the DROID recorder runs at 15 Hz' },
    robot: 'Franka',
    outcome_in_path: true,
    grippers: [/^action$/, /^action_dict\/gripper_position$/, /^observation\/gripper_position$/].map(
      (stream) =>
        gripper(stream, stream.source === '^action$' ? 7 : 1, [
          ...closedness,
          'DROID records how far the gripper is closed: 0 is open',
        ]),
    ),
  },
  {
    name: /^(fractal20220817_data|rt_?1)(_|$)/,
    rate: { hz: 3, reason: 'RT-1 was recorded and is controlled at 3 Hz' },
    robot: null,
    grippers: [
      gripper(/^action\/gripper_closedness_action$/, 1, closing),
      gripper(/^observation\/gripper_closed$/, 1, [...closedness, 'RT-1: share by which it is closed']),
    ],
  },
  only(/^(kuka|jaco_play|nyu_door_opening|berkeley_autolab_ur5)/, [
    gripper(/^action\/gripper_closedness_action$/, 1, closing),
  ]),
  only(/^(roboturk|viola)(_|$)/, [gripper(closedAction, 1, inverted)]),
  only(/^austin_/, [gripper(closedAction, 7, inverted)]),
  only(/^taco_play/, [
    gripper(/^action\/(rel_)?actions(_world|_gripper)?$/, 7, [
      '-1..1 open',
      signedRange,
      1,
      'taco_play: 1 opens the gripper',
    ]),
  ]),
  only(/^toto(_|$)/, [
    gripper(/^action\/open_gripper$/, 1, [...openness, 'toto: the command is whether the gripper is open']),
  ]),
  only(/^roboset/, [
    gripper(/^action$/, 8, ['-1..1 closed', signedRange, -1, 'roboset: the high end of the command closes']),
  ]),
];

/** The row of a data set's name; null for one nobody wrote down. */
export function knownDataset(name: string): KnownDataset | null {
  return datasets.find((row) => row.name.test(name.toLowerCase())) ?? null;
}
