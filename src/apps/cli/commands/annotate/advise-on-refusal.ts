import { requestOf } from '@assay/client';
import { z } from 'zod';
import { AssayError } from '#core';
import { grouped } from '../../words.ts';

const mostNamed = 5;
const carriersSchema = z.object({
  episodes: z.number(),
  recordings: z.array(z.object({ name: z.string() })),
});

/** The same refusal of a job, with what to do next on the command line; whatever else was thrown, unchanged. */
export function adviseOnRefusal(thrown: unknown): unknown {
  if (!(thrown instanceof AssayError)) return thrown;
  const advice = adviceFor(thrown);
  if (advice === null) return thrown;
  const { code, message, details } = thrown;
  return new AssayError(code, message, { advice, details, cause: thrown });
}

function adviceFor({ code, details, advice }: AssayError): string | null {
  switch (code) {
    case 'already_produced':
      return `add --force to have it done again${carriers(details.already_produced)}`;
    case 'budget_exceeded':
      return `choose fewer episodes with --episodes, wait until spending of last week falls out of the window, or have an admin raise the cap: PUT ${requestOf('get_budget', {}).path}`;
    case 'layer_off':
      return `turn it on first: ${advice}`;
    case 'not_ready':
      return 'run recordings first: assay ingest PATH --project NAME';
    case 'layer_not_servable':
    case 'layer_inapplicable':
    case 'layer_unavailable':
      return `${advice}; assay annotate --help lists the layers`;
    default:
      return null;
  }
}

/** The first of the episodes that carry a layer already. */
function carriers(detail: unknown): string {
  const carried = carriersSchema.safeParse(detail);
  if (!carried.success || carried.data.recordings.length === 0) return '';
  const { episodes, recordings } = carried.data;
  const named = recordings.slice(0, mostNamed).map(({ name }) => name);
  const more = episodes > named.length ? ` and ${grouped(episodes - named.length)} more` : '';
  return `; it is carried by ${named.join(', ')}${more}`;
}
