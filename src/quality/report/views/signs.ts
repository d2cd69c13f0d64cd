export type Decision = 'accept' | 'review' | 'reject';

export const decisions: readonly Decision[] = ['accept', 'review', 'reject'];
export const decisionWords: Readonly<Record<Decision, string>> = {
  accept: 'Accept',
  review: 'Review',
  reject: 'Reject',
};

const octagon = 'M5.2 1.5h5.6l3.7 3.7v5.6l-3.7 3.7H5.2l-3.7-3.7V5.2zM8 4.6v4.2M8 10.6v1.2';

/** Signs as paths of 16 by 16; the shape alone tells what one stands for, colour comes on top. */
export const glyphPaths = {
  accept: 'M3.2 8.4 6.6 11.8 12.8 4.6',
  review: 'M8 3.2v6M8 11.6v1.4',
  reject: 'M4 4l8 8M12 4l-8 8',
  blocking: octagon,
  warning: 'M8 1.8 15 14H1zM8 6v4M8 11.4v1',
  error: octagon,
  info: 'M8 1.5a6.5 6.5 0 1 0 .01 0zM8 7v4.4M8 4.2v1.2',
} as const;

export type GlyphName = keyof typeof glyphPaths;
