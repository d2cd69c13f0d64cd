import type { RunPlan } from '#client';
import { estimateInWords } from '../../components/estimate.ts';
import { Glyph } from '../../components/glyph.tsx';
import { Facts } from '../../components/page.tsx';
import { bytes, layerTitle, plural, usd } from '../../components/words.ts';

/** Plan and estimated cost of a run, shown before it is started. */
export function PlanFacts({ plan }: { readonly plan: RunPlan }) {
  const { episodes, bytes: size, estimate, datasets, layers, steps, findings } = plan;
  const samples = Math.min(...estimate.parts.map((part) => part.samples));
  return (
    <div className="plan">
      <p>
        {plural(episodes, 'episode')}, {bytes(size)}; about {estimateInWords({ ...estimate, samples })},{' '}
        {usd(estimate.cost_usd)}
      </p>
      <details>
        <summary>Details</summary>
        <Facts
          rows={[
            ['Steps', steps.map(({ title }) => title.toLowerCase()).join(', ')],
            ['Layers', layers.length === 0 ? 'none' : layers.map(layerTitle).join(', ')],
          ]}
        />
        <ul className="sources">
          {datasets.map(({ path, format, version, episodes: own, cameras }) => (
            <li key={path}>
              <code>{path}</code>{' '}
              <span className="faint">
                {[format, version].filter(Boolean).join(' ')}, {plural(own, 'episode')},{' '}
                {plural(cameras.length, 'camera')}
              </span>
            </li>
          ))}
        </ul>
      </details>
      {findings.map(({ code, severity, message, path }) => (
        <p key={`${code} ${path} ${message}`} className="plan-finding">
          <Glyph name={severity} /> {message} {path !== null && <code className="faint">{path}</code>}
        </p>
      ))}
    </div>
  );
}
