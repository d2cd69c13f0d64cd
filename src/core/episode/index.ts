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
export type { DeclaredStatistics, StreamStatistics } from './declared-statistics.ts';
export {
  type Calibration,
  type Dropout,
  type Episode,
  type EpisodeCut,
  type EpisodeLocator,
  type Event,
  type GripperConvention,
  type Outcome,
  type PictureLabel,
  type SourceRef,
  type TaskText,
  unknownOutcome,
} from './episode.ts';
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
export { findPoseSources, type OrientationSource, type PoseSource } from './pose-sources.ts';
export {
  type Clock,
  type ClockChoice,
  type ClockProvenance,
  clockOf,
  clockProvenances,
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
