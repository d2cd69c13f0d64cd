const mediaExtension = /\.(?:jpe?g|png|bmp|webp|tiff?|gif|mp4|m4v|mov|mkv|webm|avi|ts|mpe?g)(?![\w.])/gi;
const delimiter = /[\s"'<>|,;:=()[\]{}]/;
const maxMentions = 100_000;
const maxName = 512;

/** Returns the names of pictures and videos in a text, as written, at most 100,000. */
export function mediaMentions(text: string): string[] {
  const found: string[] = [];
  for (const { index, 0: extension } of text.matchAll(mediaExtension)) {
    // Backwards by hand: a pattern for the whole name would take quadratic time on long words.
    let from = index;
    while (from > 0 && index - from < maxName && !delimiter.test(text[from - 1])) from--;
    if (from < index) found.push(text.slice(from, index) + extension);
    if (found.length === maxMentions) break;
  }
  return found;
}

/** True if a whole value is the name of a picture or video; it may contain spaces. */
export function isMediaName(value: string): boolean {
  return (
    value.length < 1024 &&
    /\.(jpe?g|png|bmp|webp|tiff?|gif|mp4|m4v|mov|mkv|webm|avi|ts|mpe?g)$/i.test(value.trim())
  );
}

const listingKeys =
  /^(id|idx|index|no|num|row|frame(_?(id|index|idx|no|number))?|(file|image|img|picture|video|dst|src|source)?_?(name|path|file)s?|file_?ref|files?|images?|img|pictures?|videos?|uri|url|link|href|source(_\w+)?|size|bytes|length|offset|sha_?\d*|md5|crc\d*|hash|checksum|etag|oid|blob|licen[cs]es?|attribution|author|credit|copyright|date\w*|created\w*|modified\w*|uploaded\w*|mtime|ctime|type|mime(_?type)?|format|ext(ension)?|codec\w*|fps|frame_?rate|width|height|channels|pix_fmt|duration\w*|pts\w*|dts\w*|best_effort_timestamp\w*|time_base|key_?frame|pict_type|pkt_\w*|commit|repo\w*|version|split|subset|fold|kind|mode)$/i;

/** True for the name of a field that lists files or describes a container, and says nothing about what they show. */
export function isListingKey(name: string): boolean {
  return listingKeys.test(name.trim().replace(/[- ]/g, '_'));
}
