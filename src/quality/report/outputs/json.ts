import type { OutputFormat } from './output.ts';

const maxChunkCharacters = 1 << 18;

/** JSON output, `{ "dataset": …, "receipts": [ … ] }`, written some receipts at a time. */
export const json: OutputFormat = {
  id: 'json',
  about: 'JSON with dataset summary and receipts, for programs',
  needs: 'receipts',
  *write(assessed) {
    let text = `{"dataset":${JSON.stringify(assessed.summary())},"receipts":[`;
    let separator = '';
    for (const receipt of assessed.receipts()) {
      text += separator + receipt;
      separator = ',\n';
      if (text.length > maxChunkCharacters) {
        yield text;
        text = '';
      }
    }
    yield `${text}]}\n`;
  },
};
