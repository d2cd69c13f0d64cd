import type { Part } from '../steps/messages.ts';
import type { WorkContext } from './do-work.ts';
import type { Engine, WorkKind, WorkRef, WorkRow } from './engine.ts';
import { tellWaiting } from './held-work.ts';
import type { StepHooks } from './threads/work-thread.ts';

/** What is heard of a thread that works for `ref`. `onPart`: commits a part; false where it is not wanted any more. */
export function threadHooks<Ref extends WorkRef, Row extends WorkRow>(
  engine: Engine,
  kind: WorkKind<Ref, Row>,
  ref: Ref,
  { signal, underWay }: Pick<WorkContext<Row>, 'signal' | 'underWay'>,
  onPart: (part: Part) => Promise<boolean> = async () => true,
): StepHooks {
  return {
    signal,
    onPart,
    onProgress: (episodes, bytes) => {
      underWay.episodes += episodes;
      underWay.bytes += bytes;
    },
    onWaiting: (failure) => void tellWaiting(engine, kind, ref, failure),
  };
}
