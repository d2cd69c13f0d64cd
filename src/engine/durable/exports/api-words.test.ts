import { describe, expect, it } from 'vitest';
import { toApiPointer, toApiWords } from './api-words.ts';

describe('the words of the API', () => {
  it('replace options of the command that members of the request set, and nothing else', () => {
    expect(toApiWords('--drop, --plan and --rate 30')).toBe(
      'edits.drop, episodes.curation_id and rate_hz 30',
    );
    expect(toApiWords('the robot --left--arm, --map SET, --lfs')).toBe(
      'the robot --left--arm, --map SET, --lfs',
    );
  });

  it('point to the member that an error names first, else to the format', () => {
    const pointer = (message: string, advice: string | null = null) => toApiPointer({ message, advice });
    expect(pointer('--shift: the dataset has no feature x', 'supports --drop')).toBe('/body/edits/shift');
    expect(pointer('LeRobot needs an integer fps', 'use --rate 30')).toBe('/body/rate_hz');
    expect(pointer('--plan trims 3 episodes')).toBe('/body/episodes/curation_id');
    expect(pointer('COCO cannot store these recordings')).toBe('/body/format');
  });
});
