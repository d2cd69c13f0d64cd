import type { ActionGroup, ActionSpaceDiagnosis } from '#core/api';

type Conversions = Extract<ActionSpaceDiagnosis, { status: 'diagnosed' }>['conversions'];

/** How actions that are stored one way become another, and whether anything is lost. */
export function conversionsOf({ representation, units, relative_to, chunk_rows }: ActionGroup): Conversions {
  if (representation === 'absolute')
    return [
      {
        to: 'chunk_relative',
        lossless: true,
        how: 'subtract the state at the first row of the chunk from every action of it, when a batch is made',
      },
      {
        to: 'step_delta',
        lossless: true,
        how: 'subtract the action of the row before (the state, for the first row)',
      },
    ];
  if (representation === 'chunk_relative') {
    const where =
      chunk_rows === null ? 'the episode’s first row' : `rows 0, ${chunk_rows}, ${2 * chunk_rows}, …`;
    return [
      {
        to: 'absolute',
        lossless: units === 'as_state',
        how: `add the state at ${where}${scaledNote(units)}`,
      },
      { to: 'step_delta', lossless: units === 'as_state', how: 'by way of absolute actions' },
    ];
  }
  if (representation !== 'step_delta') return [];
  if (relative_to === 'measured_state')
    return [
      {
        to: 'absolute',
        lossless: units === 'as_state',
        how: `add the state of the same row${scaledNote(units)}`,
      },
    ];
  return [
    {
      to: 'absolute',
      lossless: false,
      how: `sum from the first state on${scaledNote(units)}; errors add up, so check the sum against the measured state`,
    },
    {
      to: 'chunk_relative',
      lossless: units === 'as_state',
      how: `sum within the chunk${scaledNote(units)}`,
    },
  ];
}

const scaledNote = (units: ActionGroup['units']): string =>
  units === 'as_state' ? '' : ', after bringing them to the state’s unit';
