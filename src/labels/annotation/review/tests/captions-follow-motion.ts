import { z } from 'zod';
import { readSpans } from '../../grammar/known-spans.ts';
import { evidenceOf, type ReviewTest } from '../review-test.ts';

const knownWindows = z.object({
  windows: z.array(z.object({ from_s: z.number(), to_s: z.number(), text: z.string() })),
});

export const captionsFollowMotion: ReviewTest = {
  id: 'captions_follow_motion',
  layer: 'captions',
  says: 'where a gripper opens or closes, the text of the window is not that of the window before',
  run: (artifact, { artifacts }) => {
    if (artifacts.segments === undefined) return 'the episode carries no segments to hold it against';
    const { windows } = knownWindows.parse(artifact);
    const events = readSpans(artifacts.segments).segments.filter(({ kind }) => kind.startsWith('gripper_'));
    const faults: string[] = [];
    let looked = 0;
    for (const [at, { from_s, to_s, text }] of windows.entries()) {
      const event = events.find((one) => one.from_s >= from_s && one.from_s < to_s);
      if (event === undefined) continue;
      looked++;
      if (text === '' || text === windows[at - 1]?.text)
        faults.push(`the window from ${from_s} s says nothing new of ${event.kind} at ${event.from_s} s`);
    }
    if (looked === 0) return 'no window holds a movement of a gripper';
    return evidenceOf(looked, faults, 'run the layer captions again with a shorter window_s');
  },
};
