/** What keeps messages of a type from being read. */
export type RosErrorKind = 'bad_definition' | 'too_large' | 'not_built_in' | 'service_event';

/** The only error that this package throws for what a definition says. */
export class RosError extends Error {
  /**
   * `bad_definition`: a line that is no field, or a type that is missing or endless. `too_large`: the type unfolds
   * without a bound. `not_built_in`: none of the definitions that come with ROS 2. `service_event`: never a message.
   */
  readonly kind: RosErrorKind;
  /** The type concerned; null: the caller knows it. */
  readonly type: string | null;
  /** What whoever has the recording can do next; null: nothing to say. */
  readonly advice: string | null;

  constructor(kind: RosErrorKind, message: string, type: string | null = null, advice: string | null = null) {
    super(message);
    this.name = 'RosError';
    this.kind = kind;
    this.type = type;
    this.advice = advice;
  }
}
