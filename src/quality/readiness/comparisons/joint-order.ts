import { significant } from '#core';
import type { Finding, Stream } from '#core/episode';
import { comparisonTitles } from '#core/titles';
import type { Subject } from '../check.ts';
import { type ComparisonRow, defineComparison } from '../comparison.ts';
import { measureCorrespondence } from '../features/command-pair.ts';
import {
  describeLayout,
  digestTexts,
  formatEpisodeCount,
  formatEpisodeList,
  groupBy,
  locateDimension,
  selectComparedStreams,
} from './shared/comparison-rows.ts';
import { findJointFaults, type JointFault } from './shared/joint-faults.ts';

/** Correlation of an episode's joints with their commands, and their positions over time. */
export type JointOrderRow = {
  readonly layout: string;
  /** Digest of the episode's texts. */
  readonly text: string;
  /** Correlation of each dimension with its command; empty if the dimensions differ. */
  readonly answers: readonly number[];
  /** Two dimensions that follow each other's commands; empty if there are none. */
  readonly exchanged: readonly number[];
  /** Five values per dimension of the state: at the start and after each quarter of the time. */
  readonly places: readonly number[];
};

const maxDimensions = 32;

export const jointOrder = defineComparison<JointOrderRow>({
  id: 'joint_order',
  title: comparisonTitles.joint_order,
  about:
    'Finds joints whose state moves against their command (correlation below −0.5, above 0.5 in the other episodes with the same layout), and pairs of joints that follow each other’s command instead of their own. Among at least six episodes with the same instruction: joints whose positions at the start and after each quarter are far from the other episodes, but close after flipping the sign or swapping two joints. With any instruction: two joints that each start and move like the other one usually does.',
  judged_by: ['action_state_agreement', 'kinematic_sanity'],
  raises: {
    check: 'kinematic_sanity',
    flags: [
      {
        code: 'joint_flipped',
        severity: 'blocking',
        meaning: 'The sign of a joint is flipped in the state, the action or both.',
        advice:
          'Flip the sign in the reported stream, or leave the episode out; check how the motor is mounted and configured.',
      },
      {
        code: 'joints_exchanged',
        severity: 'blocking',
        meaning: 'Two joints are swapped in the state, the action or both.',
        advice: 'Restore the column order of the other episodes, or leave the episode out.',
      },
    ],
    judge: (note) => {
      const [one, other] = note.dimensions as readonly number[];
      const flipped = note.fault === 'flipped';
      const streams = String(note.where);
      return [
        {
          flag: flipped ? 'joint_flipped' : 'joints_exchanged',
          score: 0,
          observed: Number(note.certain),
          message: () =>
            flipped
              ? `dimension ${one} of ${streams} moves in the opposite direction compared with the other episodes`
              : `dimensions ${one} and ${other} of ${streams} are swapped`,
        },
      ];
    },
  },
  collect(subject) {
    const states = selectComparedStreams(subject, 'state');
    if (states.length === 0) return null;
    const { dims } = states[0].series!;
    const places = dims > maxDimensions ? [] : samplePlaces(states[0]);
    const answers = measureAnswers(subject);
    if (places.length === 0 && answers === null) return null;
    return {
      layout: describeLayout([states[0]]),
      text: digestTexts(subject),
      answers: (answers?.correlation ?? []).map((r) => significant(r, 2)),
      exchanged: answers?.exchanged ?? [],
      places,
    };
  },
  conclude(rows) {
    const notes = new Map<string, Note>();
    for (const group of groupBy(rows, (row) => row.layout).values()) {
      for (const [i, fault] of findJointFaults(group.map(({ row }) => row)))
        notes.set(...createNote(group[i], fault));
    }
    return { findings: notes.size === 0 ? [] : [createFinding(notes)], notes };
  },
});

type Note = {
  readonly fault: JointFault['fault'];
  readonly dimensions: readonly number[];
  readonly where: string;
  readonly certain: number;
};

function createNote({ episode, row }: ComparisonRow<JointOrderRow>, fault: JointFault): [string, Note] {
  const { stream } = locateDimension(row.layout, 0);
  const where = fault.where === 'both' ? `${stream} and its action` : `${stream} or its action`;
  return [
    episode,
    { certain: significant(fault.certain, 3), dimensions: fault.dimensions, fault: fault.fault, where },
  ];
}

function measureAnswers({ features }: Subject) {
  const pair = features.pair();
  if (pair === null) return null;
  const { action, state } = pair;
  return measureCorrespondence(
    pair,
    features.forStream(action),
    features.forStream(state),
    features.exempt(state),
  );
}

const quarters = [0, 0.25, 0.5, 0.75, 1] as const;

function samplePlaces(stream: Stream): number[] {
  const { values, dims } = stream.series!;
  const last = Math.floor(values.length / dims) - 1;
  const at = quarters.map((share) => Math.round(share * last) * dims);
  const places: number[] = [];
  for (let d = 0; d < dims; d++) {
    for (const row of at) {
      const value = values[row + d];
      places.push(Number.isFinite(value) ? significant(value, 3) : 0);
    }
  }
  return places;
}

function createFinding(notes: ReadonlyMap<string, Note>): Finding {
  const episodes = [...notes.keys()];
  return {
    code: 'joint_order',
    severity: 'error',
    path: null,
    message: `${formatEpisodeCount(episodes.length, 'has', 'have')} flipped or swapped joints: ${formatEpisodeList(episodes)}`,
    advice: 'Match the signs and the order of the joints to the other episodes.',
    evidence: { episodes: episodes.slice(0, 50) },
  };
}
