/** A door of its own: assessing looks into recordings in its threads only. */
export {
  type DatasetView,
  type EpisodeView,
  type Inspection,
  inspect,
  type StreamView,
} from '../inspect.ts';
