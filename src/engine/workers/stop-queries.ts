import { interruptQueries } from '#formats';
import { interruptShards } from '#store/blobs';

/** A query may be on its way to the engine when it is first asked, and another may follow it. */
const again_ms = 50;

/**
 * Ends the queries of this thread, which then fail, and those that follow, until the function that is given is called.
 * A thread must not be ended over a query under way: that ends the process.
 */
export function stopQueries(): () => void {
  const interrupt = () => {
    interruptQueries();
    interruptShards();
  };
  interrupt();
  const again = setInterval(interrupt, again_ms).unref();
  return () => clearInterval(again);
}
