import type { ReceiptFlag } from '#core/api';
import { checks } from '../check-registry.ts';

const echoOf = new Map(checks.rows.flatMap(({ flags }) => flags.map((flag) => [flag.code, flag.echo_of])));

/** The flags of one episode without those that say again what another of them says of the same cause. */
export function withoutEchoes(flags: readonly ReceiptFlag[]): ReceiptFlag[] {
  const raised = new Set(flags.map(({ code }) => code));
  return flags.filter(({ code }) => {
    const exact = echoOf.get(code);
    return exact === undefined || !raised.has(exact);
  });
}
