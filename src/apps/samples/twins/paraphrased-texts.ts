import type { SetTwin } from './twin.ts';

const frames = [
  (text: string) => text,
  (text: string) => `Please ${text.charAt(0).toLowerCase()}${text.slice(1)}`,
  (text: string) => `${text}, slowly and with care`,
];
/** Wordings that only one episode of the set uses. */
const uniqueTexts = ['Tidy up this place', 'Do what you were shown'];

export const paraphrasedTexts: SetTwin = {
  id: 'paraphrased_texts',
  title: 'Several wordings of one task',
  about:
    'Operators describe the same task in three ways, independent of how it is done, and two episodes of the dataset in words that no other episode uses.',
  resembles: ['instruction_mismatch'],
  of: 'set',
  vary(episodes, random) {
    if (episodes.length < 8 || episodes.some(({ tasks }) => (tasks?.length ?? 0) === 0)) return null;
    const own = new Map(
      uniqueTexts.map((text, i) => [Math.floor(((i + 0.5) * episodes.length) / uniqueTexts.length), text]),
    );
    return episodes.map((episode, i) => {
      const [task] = episode.tasks!;
      const text = own.get(i) ?? random.pick(frames)(task.text);
      return { ...episode, tasks: [{ ...task, text }] };
    });
  },
};
