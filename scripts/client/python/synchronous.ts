/** Words of the asynchronous client with their synchronous replacements; longer ones first if two start alike. */
const words: readonly (readonly [string, string])[] = [
  [
    'The asynchronous client. The synchronous one, `Client`, is written from this file by `npm run generate`.',
    'The synchronous client.',
  ],
  [' The synchronous twin in `_generated` is written from this file by `npm run generate`.', ''],
  ['import asyncio\n', 'import time\n'],
  ['from ._generated.aio_nouns', 'from .sync_nouns'],
  ['from ._generated.', 'from .'],
  ['from .async_sender', 'from .sender'],
  ['from .errors', 'from ..errors'],
  ['from .events', 'from ..events'],
  ['from .options', 'from ..options'],
  ['from .request', 'from ..request'],
  ['from .retry', 'from ..retry'],
  ['from .upload', 'from ..upload'],
  ['asyncio.sleep', 'time.sleep'],
  ['async ', ''],
  ['await ', ''],
  ['__aenter__', '__enter__'],
  ['__aexit__', '__exit__'],
  ['AsyncIterator', 'Iterator'],
  ['AsyncClient', 'Client'],
  ['AsyncNouns', 'Nouns'],
  ['AsyncSender', 'Sender'],
  ['.aread()', '.read()'],
  ['.aclose()', '.close()'],
  ['.aiter_lines()', '.iter_lines()'],
  ['.aiter_bytes()', '.iter_bytes()'],
];

/** The synchronous twin of a module, one folder below it. */
export const synchronous = (text: string): string =>
  words.reduce((said, [from, to]) => said.replaceAll(from, to), text);
