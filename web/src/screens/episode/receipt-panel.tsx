import { useQuery } from '@tanstack/react-query';
import { type Episode, requestOf } from '#client';
import { checkSeal } from '#quality/report/views';
import { client } from '../../api/client.ts';
import { Failure } from '../../components/failure.tsx';
import { Facts, Panel } from '../../components/page.tsx';
import { Seal } from '../../components/seal.tsx';
import { bytes, time } from '../../components/words.ts';

/** Receipt of the episode: its hash, verified in this browser, and its source files. */
export function ReceiptPanel({ episode }: { readonly episode: Episode }) {
  const { id: episode_id, receipt, sources, limits } = episode;
  const seal = useQuery({
    queryKey: ['seal', receipt.id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const answer = await client.download('get_receipt', { episode_id }, { signal });
      return checkSeal((await answer.json()) as Record<string, unknown>);
    },
  });
  return (
    <Panel title="Receipt">
      {seal.error !== null && <Failure error={seal.error} onRetry={() => void seal.refetch()} />}
      <Seal seal={seal.data} of="receipt" />
      <Facts
        rows={[
          ['Sealed', time(receipt.sealed_at)],
          ['Engine version', receipt.engine_version],
          ['Settings hash', <code key="settings">{receipt.settings_hash.slice(0, 12)}</code>],
          [
            'File',
            <a
              key="bytes"
              href={requestOf('get_receipt', { episode_id }).path}
              download={`${episode.name}.json`}
            >
              Download
            </a>,
          ],
        ]}
      />
      <details>
        <summary>Source files and limitations</summary>
        <ul className="sources">
          {sources.map(({ path, bytes: size, sha256 }) => (
            <li key={path}>
              <code>{path}</code> <span className="faint">{bytes(size)}</span>{' '}
              <code className="faint">{sha256 ?? 'not hashed'}</code>
            </li>
          ))}
          {limits.map((limit) => (
            <li key={limit} className="advice">
              {limit}
            </li>
          ))}
        </ul>
      </details>
    </Panel>
  );
}
