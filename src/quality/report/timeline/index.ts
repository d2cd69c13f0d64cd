/**
 * The timeline of an episode, shared by the report's pages and the web application: lanes of signals and flags with a
 * common time axis, cursor and zoom. Plain DOM. The report loads it in the script `client/shared.js`, which
 * `npm run generate` writes; the web application bundles it.
 */

export { type Axis, bucketAt, type Column, valueAt } from './column.ts';
export { eachFrame, h } from './element.ts';
export {
  flagGroup,
  groupElement,
  type LaneGroup,
  type SignalStream,
  signalGroups,
  splitLanes,
} from './groups.ts';
export { EventLane, glyph, type Lane, laneRow, SeriesLane, SpanLane } from './lanes.ts';
export {
  formatSpan,
  markFinder,
  maxMarks,
  type Span,
  type TimelineFlag,
  type TimelineMark,
} from './marks.ts';
export { canvasFont, type Palette, paintMark, surface } from './paint.ts';
export { findPath, type Path, pointAt } from './path.ts';
export { PathMap, speedColour } from './path-map.ts';
export {
  boxOf,
  describeTrack,
  fastestOf,
  formatLength,
  orientationAt,
  type PoseTrack,
  type SceneBox,
  type TimelinePose,
  toTrack,
} from './pose-track.ts';
export { type Companion, Timeline, type TimelineOptions } from './timeline.ts';
export { domainOf, type TimeRange, View } from './view.ts';
