export {
  type CameraEvidence,
  type CodedFrames,
  type ContainerFacts,
  gridSide,
  type PictureScope,
  pictureScopes,
  picturesSkippedReason,
  type RepeatFacts,
  type SampledFrames,
  type ServedRows,
  type Thumbnail,
} from './camera-evidence.ts';
export { type Clock, type ClockChoice, type ClockProvenance, clockProvenances } from './clock.ts';
export type { DeclaredStatistics, StreamStatistics } from './declared-statistics.ts';
export type {
  Calibration,
  Dropout,
  Episode,
  EpisodeCut,
  EpisodeLocator,
  Event,
  GripperConvention,
  Outcome,
  PictureLabel,
  SourceRef,
  TaskText,
} from './episode.ts';
export { unknownOutcome } from './episode.ts';
export { companionCode, type Finding, type Severity, severities } from './finding.ts';
export { armedLabel, armedSpans, disarmedLabel } from './flight-events.ts';
export type {
  FrameLocator,
  Frames,
  LoaderRequests,
  PictureEncoding,
  RawLayout,
  SampledPicture,
} from './frames.ts';
export { type Kind, kinds } from './kinds.ts';
export { type PictureFormat, pictureFormat } from './picture-format.ts';
export {
  clockOf,
  type Evidence,
  evidences,
  recordedRoles,
  type Series,
  type Stream,
  type StreamRole,
  shouldKeepRate,
  streamRoles,
  timesOf,
  type UnitOfMeasure,
} from './stream.ts';
