import type { Episode } from '#client';
import { Loaded } from '../../../components/loaded.tsx';
import { Panel } from '../../../components/page.tsx';
import { layerTitle } from '../../../components/words.ts';
import { Captions } from './captions.tsx';
import { Editor } from './editor.tsx';
import { TextHistory } from './text-history.tsx';
import { useDenseText } from './use-dense-text.ts';

/** Texts of the episode: the detailed description, which can be edited, and captions. */
export function Texts({ episode }: { readonly episode: Episode }) {
  const dense = useDenseText(episode);
  return (
    <div className="pair">
      <Panel title={layerTitle('dense_text')}>
        <Loaded of={dense.text} what="the text">
          {(text) => (
            <>
              <Editor episode_id={episode.id} text={text} dense={dense} />
              <TextHistory episode={episode} text={text} />
            </>
          )}
        </Loaded>
      </Panel>
      <Captions episode={episode} />
    </div>
  );
}
